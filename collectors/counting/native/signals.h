/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signal handlers under the native engine. All handlers of the program are called through one of
 * the engine's, natively and uncounted: the path then says so. Where they interrupt translated code
 * they are shown the program's own registers; where they interrupt the dispatcher, the signal waits
 * until it has ended. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_SIGNALS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_SIGNALS_H_

#include "collectors/counting/native/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

void roof_native_start_signals(roof_native_sigaction next);
/* In place of the next one. */
int roof_native_set_handler(int number, const struct sigaction* action, struct sigaction* old);
/* libc's handler for pthread_cancel is called as those of the program from here on: it unwinds the
 * stack from where it is shown that the thread is. 0: there is none yet. */
int roof_native_wrap_cancellation(void);
/* The address is the handler of the engine. */
int roof_native_is_handler(uint64_t address);
/* The signal that waited, now. */
void roof_native_send_pending(struct roof_native_room* room);
/* The thread is in a handler that interrupted translated code. One that was left by a jump is none
 * any more: the stack tells. */
int roof_native_is_in_handler(struct roof_native_thread* thread, uint64_t stack_pointer);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_SIGNALS_H_ */
