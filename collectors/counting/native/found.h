// SPDX-License-Identifier: BSD-3-Clause
//
// Executed code, as the plug-in hands it over.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_FOUND_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_FOUND_H_

#include "collectors/counting/native/calls.h"
#include "lib/found/executed.h"

namespace roofmark::counting {

// `lost`: how many ways and parts it lacks.
Executed TakeNativeExecuted(const roof_native_calls& calls, uint64_t& lost);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_FOUND_H_
