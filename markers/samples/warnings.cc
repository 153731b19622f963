// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Sampler that says what is missing.
#include "lib/core/limits.h"
#include "lib/core/messages/recording.h"
#include "markers/samples/sampler.h"

namespace roofmark::samples {

std::vector<std::string> Sampler::Warnings() const {
  std::vector<std::string> warnings;
  if (not_sampled_ > 0) {
    warnings.push_back(InWords(message::kThreadsNotSampled, not_sampled_,
                               methods_.WhyNotPerfEvent(), methods_.WhyNotTimer()));
  }
  if (cut_short_ > 0) {
    warnings.push_back(InWords(message::kThreadsSampledInPart, cut_short_, methods_.WhyNotTimer()));
  }
  if (silent_ > 0) warnings.push_back(InWords(message::kSignalBlocked, silent_));
  if (other_threads_ > 0) {
    warnings.push_back(
        InWords(message::kThreadsWithoutRow, other_threads_, limits::kSampledThreads));
  }
  if (places_.is_full()) {
    warnings.push_back(
        InWords(message::kPlacesAreFull, limits::kSampledPlaces, limits::kSampledModules));
  }
  if (memory_was_short_) warnings.push_back(InWords(message::kSamplesLost));
  return warnings;
}

}  // namespace roofmark::samples
