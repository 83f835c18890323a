/* SPDX-License-Identifier: MIT */
/* The auxiliary vector, through libc, whose getauxval sets errno where a value is not told: callers
 * of copies do not expect that. */
#ifndef FC_AUXV_H
#define FC_AUXV_H

#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>

static inline unsigned long fc_auxv(unsigned long type) {
    int before = errno;
    unsigned long value = getauxval(type);
    errno = before;
    return value;
}

#endif
