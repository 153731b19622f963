// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a samples file: what can be read comes back, and can be merged with itself.
#include "lib/samples/samples_json.h"
#include "tests/fuzz/input.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<Samples> samples = SamplesFromJson(fuzz::Text(data, size), "F");
  if (!samples) return 0;
  const Result<Samples> again = SamplesFromJson(SamplesToJson(*samples), "F");
  fuzz::Demand(static_cast<bool>(again), again ? "" : again.error());
  const Samples merged = MergeSamples({*samples, *again});
  fuzz::Demand(merged.processes.size() == 2 * samples->processes.size(), "no process is lost");
  return 0;
}
