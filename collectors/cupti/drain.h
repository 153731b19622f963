// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_CUPTI_DRAIN_H_
#define ROOFMARK_COLLECTORS_CUPTI_DRAIN_H_

#include <string>

#include "collectors/cupti/library.h"

namespace roofmark::cupti {

// Waits until everything that was launched in the context has ended; the thread's current context
// remains what it was. The error of the first call that fails, or empty.
std::string Drain(const Library& library, Context context);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_DRAIN_H_
