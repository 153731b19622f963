// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/drain.h"

#include "collectors/cupti/errors.h"

namespace roofmark::cupti {

std::string Drain(const Library& library, Context context) {
  if (const DriverResult result = library.push_context(context); result != 0) {
    return ExplainDriver("cuCtxPushCurrent", result);
  }
  const DriverResult drained = library.synchronize();
  Context popped = nullptr;
  const DriverResult restored = library.pop_context(&popped);
  if (drained != 0) return ExplainDriver("cuCtxSynchronize", drained);
  return restored == 0 ? "" : ExplainDriver("cuCtxPopCurrent", restored);
}

}  // namespace roofmark::cupti
