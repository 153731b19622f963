/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which code is mapped from files, as /proc/thread-self/maps has it. Used by the dispatcher: system
 * calls are made without libc. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_FILES_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_FILES_H_

#include "collectors/counting/native/native.h"
#include "collectors/counting/windows/mappings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allows the code at `pc`, if it is of a file that is not written to; not what is made at run time.
 * Returned: enum roof_native_reason, ROOF_LEAVE_REASONS if it is allowed now. */
unsigned roof_native_allow_file_at(struct roof_native* native, uint64_t pc);
/* Forgets what is not mapped any more, or from another file. With the lock held. */
void roof_native_check_files(struct roof_native* native);

/* Read by system calls that no one interposes. */
const struct roof_files* roof_native_files(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_FILES_H_ */
