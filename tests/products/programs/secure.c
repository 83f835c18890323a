/* SPDX-License-Identifier: MIT */
/* Exit status 1 if this process runs with rights that its user lacks. */
#include <sys/auxv.h>

int main(void) {
    return getauxval(AT_SECURE) != 0;
}
