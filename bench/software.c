/* SPDX-License-Identifier: MIT */
#include "software.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "tunables.h"

struct fc_software fc_software_collect(void) {
    struct fc_software software = {
#ifdef __clang__
        .compiler = __VERSION__, /* begins with "Clang" */
#else
        .compiler = "GCC " __VERSION__,
#endif
        .libc = "not glibc",
        .kernel = "unknown",
        .tunables = "",
    };
#ifdef __GLIBC__
    snprintf(software.libc, sizeof software.libc, "glibc %s", gnu_get_libc_version());
#endif
    struct utsname name;
    if (uname(&name) == 0) /* not its nodename */
        snprintf(software.kernel, sizeof software.kernel, "%.30s %.60s %.30s", name.sysname,
                 name.release, name.machine);
    const char *tunables = getenv(FC_TUNABLES_ENV);
    if (tunables != NULL)
        software.tunables = tunables;
    return software;
}
