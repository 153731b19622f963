// SPDX-License-Identifier: BSD-3-Clause
//
// A CUDA driver and a CUPTI that are scripted: devices, contexts, kernels that execute given
// numbers of CUPTI's metrics, and calls that fail. Ranges, nesting, passes and dropped ranges are
// as the real ones document them. The functions themselves have CUDA's names: libraries of these
// names are built of them.
#ifndef ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_H_
#define ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "collectors/cupti/abi.h"

namespace stand_in {

// Metrics of CUPTI.
inline constexpr char kAdd[] = "sm__sass_thread_inst_executed_op_dadd_pred_on.sum";
inline constexpr char kFma[] = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";
inline constexpr char kRead[] = "dram__bytes_read.sum";
inline constexpr char kOverPcie[] = "pcie__read_bytes.sum";
inline constexpr char kOverNvlink[] = "nvlrx__bytes_data_user.sum";

#define STAND_IN_EXPORT __attribute__((visibility("default")))

struct STAND_IN_EXPORT Script {
  std::vector<std::string> devices = {"GH100", "GH100"};  // chips
  std::vector<std::string> unknown;                       // metrics that no chip has
  std::vector<std::string> not_on_board;     // metrics that the chip has, but not the device
  std::map<std::string, int> failures;       // result by function, from its n-th call on
  std::map<std::string, int> failures_from;  // n: 1 is the first; absent: 1
  size_t drop = 0;                           // of each decoding: the last ranges
  bool more_passes = false;                  // Stop says that passes are still wanted
  double scale = 1;                          // of evaluated values: to make them no counts
  size_t dropped_records = 0;                // of each buffer
  bool no_times = false;                     // of kernels
  bool side_by_side = false;                 // what waits when a context is drained, as one
  bool late = false;                // records are handed over one flush later than they were to be
  std::function<void()> meanwhile;  // what another thread does while a context is first drained
};

// Of nothing that was before. Contexts and ranges are forgotten, and so is what was called.
STAND_IN_EXPORT void Reset(const Script& script = {});
STAND_IN_EXPORT roofmark::cupti::Context CreateContext(int device);
STAND_IN_EXPORT void DestroyContext(roofmark::cupti::Context context);
// A kernel: it executes when the context is drained. It takes kKernelNs.
inline constexpr uint64_t kKernelNs = 1000;
STAND_IN_EXPORT void Launch(roofmark::cupti::Context context, const std::string& metric,
                            uint64_t count);
// A copy of this kind (kCopyHostToDevice ...), likewise. It takes a nanosecond for each byte.
STAND_IN_EXPORT void Copy(roofmark::cupti::Context context, uint8_t kind, uint64_t bytes);
STAND_IN_EXPORT int Calls(const std::string& function);
// Objects that were made and not given back, and what was called against the rules.
STAND_IN_EXPORT int Open();
STAND_IN_EXPORT std::string Misuse();

}  // namespace stand_in

#endif  // ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_H_
