/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The handlers that the program has set, and the one of the engine that stands in their place. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_ACTIONS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_ACTIONS_H_

#include <signal.h>

/* The engine's handler. */
void roof_native_on_signal(int number, siginfo_t* info, void* context);
/* The calling process is a child of vfork: it shares this memory, and sets handlers for itself. */
int roof_native_is_child(void);
/* The program's. */
void roof_native_call_handler(int number, siginfo_t* info, void* context);

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_ACTIONS_H_ */
