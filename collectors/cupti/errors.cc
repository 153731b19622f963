// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/errors.h"

#include <fmt/format.h>

namespace roofmark::cupti {
namespace {

constexpr char kVirtual[] =
    "the hypervisor does not hand the counters of this virtual GPU on: its administrator can "
    "enable profiling for it";

// Empty: CUPTI's own words.
std::string_view Meaning(CuptiResult result) {
  switch (result) {
    case kInsufficientPrivileges:
      return "only administrators may read the GPU's counters here (ERR_NVGPUCTRPERM)";
    case kHardwareBusy:
      return "another profiler has the GPU's counters (ncu, nsys, DCGM, or another process under "
             "roofmark): end it, or pause it with dcgmi profile --pause";
    case kMultipleSubscribers:
    case kMaxLimitReached:
      return "another profiler is active in this process (ncu, nsys, or a library that uses "
             "CUPTI): "
             "execute the program without it";
    case kVirtualizedDeviceNotSupported:
    case kVirtualizedDeviceInsufficientPrivileges:
      return kVirtual;
    case kConfidentialComputing:
      return "the GPU is in confidential-computing mode, which does not let it be profiled";
    case kMigDevice:
      return "this MIG instance cannot be profiled";
    case kCmpDevice:
    case kSliDevice:
    case kWslDevice:
      return "CUPTI does not profile this kind of device";
    default:
      return {};
  }
}

}  // namespace

std::string Explain(const Library& library, std::string_view call, CuptiResult result) {
  const std::string_view meaning = Meaning(result);
  if (result == kInsufficientPrivileges) {
    return fmt::format("{}: {}: {}", call, meaning, kAllowCure);
  }
  if (!meaning.empty()) return fmt::format("{}: {}", call, meaning);
  const char* text = nullptr;
  if (library.result_string == nullptr || library.result_string(result, &text) != kSuccess ||
      text == nullptr) {
    text = "an error without a name";
  }
  return fmt::format("{}: {} ({})", call, text, result);
}

std::string ExplainDriver(std::string_view call, DriverResult result) {
  return fmt::format("{}: error {} of the CUDA driver", call, result);
}

}  // namespace roofmark::cupti
