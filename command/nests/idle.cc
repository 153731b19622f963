// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/idle.h"

#include <cmath>

namespace roofmark::cli {
namespace {

uint64_t PartOf(uint64_t number, double share) {
  return static_cast<uint64_t>(std::llround(static_cast<double>(number) * share));
}

// Returns how many samples went.
uint64_t KeepMain(SampledPlace& place) {
  if (place.cpu_ns == place.main_ns) return 0;
  const double share = static_cast<double>(place.main_ns) / static_cast<double>(place.cpu_ns);
  const uint64_t before = place.samples;
  place.samples = PartOf(place.samples, share);
  place.kernel_ns = PartOf(place.kernel_ns, share);
  place.cpu_ns = place.main_ns;
  return before - place.samples;
}

}  // namespace

std::vector<CodeOfFile> YieldsIn(const FoundCode& code) {
  std::vector<CodeOfFile> yields;
  for (size_t m = 0; m < code.modules.size(); ++m) {
    for (const binary::Function& function : code.modules[m].functions) {
      const bool is = function.symbol == "sched_yield" || function.symbol == "__sched_yield";
      if (is) yields.push_back({code.files[m], function.begin, function.end});
    }
  }
  return yields;
}

uint64_t DropIdle(std::span<const CodeOfFile> yields, Samples& samples) {
  uint64_t dropped = 0;
  for (const CodeOfFile& code : yields) {
    for (SampledModule& module : samples.modules) {
      if (module.file != code.file) continue;
      for (SampledPlace& place : module.places) {
        if (place.offset >= code.begin && place.offset < code.end) dropped += KeepMain(place);
      }
      std::erase_if(module.places, [](const SampledPlace& place) { return place.cpu_ns == 0; });
    }
  }
  return dropped;
}

}  // namespace roofmark::cli
