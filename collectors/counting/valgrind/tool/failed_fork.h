/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_FAILED_FORK_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_FAILED_FORK_H_

/* While options are not read yet. */
void failed_fork_watch(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_FAILED_FORK_H_ */
