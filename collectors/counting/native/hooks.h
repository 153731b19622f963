// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of libc that the native engine has to see, and that libroofmark.so exports for that:
// those that set signal handlers, because the program must not be shown translated code; dlclose
// and those that map memory, because other code may come to the place of what was translated; and
// pthread_cancel, whose handler in libc looks for the functions that a thread is in. They only call
// the next ones until an engine counts.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_HOOKS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_HOOKS_H_

#include "collectors/counting/native/calls.h"

namespace roofmark::counting {

// NULL: none.
const roof_native_calls* ToldEngine() noexcept;

int NextSigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept;

// As roof_native_asks has it; natively.
void CancelAThread() noexcept;

// From here on the engine is told. For good.
void TellEngine(const roof_native_calls* calls) noexcept;

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_HOOKS_H_
