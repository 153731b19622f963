// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Sampler that says what is missing.
#include <fmt/format.h>

#include "lib/core/limits.h"
#include "markers/samples/sampler.h"

namespace roofmark::samples {
std::vector<std::string> Sampler::Warnings() const {
  std::vector<std::string> warnings;
  if (not_sampled_ > 0) {
    warnings.push_back(fmt::format("{} threads were not sampled: perf_event: {}; timers: {}",
                                   not_sampled_, methods_.WhyNotPerfEvent(),
                                   methods_.WhyNotTimer()));
  }
  if (cut_short_ > 0) {
    warnings.push_back(fmt::format("{} threads were sampled for a part of the time only: {}",
                                   cut_short_, methods_.WhyNotTimer()));
  }
  if (silent_ > 0) {
    warnings.push_back(fmt::format(
        "{} threads worked and gave no sample: they block SIGURG, the signal of the timers",
        silent_));
  }
  if (other_threads_ > 0) {
    warnings.push_back(fmt::format("{} threads have no row of their own: there are {}",
                                   other_threads_, limits::kSampledThreads));
  }
  if (places_.is_full()) {
    warnings.push_back(
        fmt::format("samples are unknown that lie in more than {} places or {} modules",
                    limits::kSampledPlaces, limits::kSampledModules));
  }
  if (memory_was_short_) warnings.push_back("samples were lost because memory was short");
  return warnings;
}

}  // namespace roofmark::samples
