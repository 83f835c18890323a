/* SPDX-License-Identifier: MIT */
/* What was measured on, besides the machine. Nothing that names a person, a host or a path. */
#ifndef FC_SOFTWARE_H
#define FC_SOFTWARE_H

struct fc_software {
    const char *compiler; /* that built this command */
    const char *tunables; /* FASTCOPY_TUNABLES as it was given */
    char libc[32], kernel[128];
};

struct fc_software fc_software_collect(void);

#endif
