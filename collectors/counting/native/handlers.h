/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers of signals that interrupt counted code are translated and counted as well. The areas of
 * their thread have values of the code that was interrupted. So another one executes them, its
 * `handler`, with areas and a room of its own; what it counts is given as that of the thread. It
 * is kept for the next signal.
 *
 * A handler may never return: siglongjmp goes on with the program as the one that executes it. The
 * next marker finds that by the stack, and the thread is itself again. Until then handlers are
 * executed by the thread, which has nothing to go back to. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_HANDLERS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_HANDLERS_H_

#include "collectors/counting/native/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread goes on translated, as the one that is returned. NULL: it goes on natively,
 * where it was. `stack_pointer`: of the code that was interrupted. */
struct roof_native_thread* roof_native_begin_handler(struct roof_native_thread* interrupted,
                                                     uint64_t stack_pointer);
/* It goes on natively, as the thread that was interrupted. 0: it is another one meanwhile. */
int roof_native_end_handler(struct roof_native_thread* executor,
                            struct roof_native_thread* interrupted);

/* Those that the calling thread has left by a jump to here, without the lock, while signals wait.
 */
void roof_native_end_left_handlers(uint64_t stack_pointer);
/* All that a thread is in, when it ends. Returns the thread itself. With the lock held. */
struct roof_native_thread* roof_native_end_handlers(struct roof_native_thread* thread);
/* The thread whose work is counted by this number. With the lock held. */
uint32_t roof_native_whose(uint32_t serial);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_HANDLERS_H_ */
