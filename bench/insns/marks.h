/* SPDX-License-Identifier: MIT */
/* How guest.c tells plugin.c where to count: by system calls that no kernel has. */
#ifndef FC_MARKS_H
#define FC_MARKS_H

enum fc_mark { FC_MARK_SYSCALL = 77777, FC_MARK_BEGIN = 1, FC_MARK_END = 2 };

#endif
