// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of libc that the native engine has to see, and that libroofmark.so exports for that:
// those that set signal handlers, because the program must not be shown translated code, and
// dlclose, because another library may come to the place of one that has gone. They only call the
// next ones until an engine counts.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_HOOKS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_HOOKS_H_

#include "collectors/counting/native/calls.h"

namespace roofmark::counting {

int NextSigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept;

// From here on the engine is told. For good.
void TellEngine(const roof_native_calls* calls) noexcept;

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_HOOKS_H_
