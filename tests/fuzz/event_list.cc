// SPDX-License-Identifier: BSD-3-Clause
//
// Any text as ROOFMARK_EVENTS.
#include "collectors/hardware/events/event_text.h"
#include "collectors/hardware/events/user_list.h"
#include "tests/fuzz/input.h"

using namespace roofmark;
using namespace roofmark::events;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::Text(data, size);
  const Result<std::vector<std::string>> names = ParseUserList(text);
  if (!names) return 0;
  fuzz::Demand(!names->empty() && names->size() <= kUserMetrics, "1 to kUserMetrics names");
  for (const std::string& name : *names) {
    fuzz::Demand(!name.empty(), "no name is empty");
    const Result<PmuText> pmu = ParsePmuText(name);
    if (pmu) fuzz::Demand(!pmu->device.empty() && !pmu->fields.empty(), "a device and fields");
  }
  return 0;
}
