// SPDX-License-Identifier: BSD-3-Clause
//
// A CUDA driver and a CUPTI that are scripted: devices, contexts, kernels that execute given
// numbers of CUPTI's metrics, and calls that fail. Ranges, nesting, passes and dropped ranges are
// as the real ones document them. The functions themselves have CUDA's names: libraries of these
// names are built of them.
#ifndef ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_H_
#define ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectors/cupti/abi.h"

namespace stand_in {

#define STAND_IN_EXPORT __attribute__((visibility("default")))

struct STAND_IN_EXPORT Script {
  std::vector<std::string> devices = {"GH100"};  // chips
  std::vector<std::string> unknown;              // metrics that no chip has
  std::map<std::string, int> failures;           // result by function, from its n-th call on
  std::map<std::string, int> failures_from;      // n: 1 is the first; absent: 1
  size_t drop = 0;                               // of each decoding: the last ranges
  bool more_passes = false;                      // Stop says that passes are still wanted
  double scale = 1;                              // of evaluated values: to make them no counts
};

// Of nothing that was before. Contexts and ranges are forgotten, and so is what was called.
STAND_IN_EXPORT void Reset(const Script& script = {});
STAND_IN_EXPORT roofmark::cupti::Context CreateContext(int device);
STAND_IN_EXPORT void DestroyContext(roofmark::cupti::Context context);
// A kernel: it executes when the context is drained.
STAND_IN_EXPORT void Launch(roofmark::cupti::Context context, const std::string& metric,
                            uint64_t count);
STAND_IN_EXPORT int Calls(const std::string& function);
// Objects that were made and not given back, and what was called against the rules.
STAND_IN_EXPORT int Open();
STAND_IN_EXPORT std::string Misuse();

}  // namespace stand_in

#endif  // ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_H_
