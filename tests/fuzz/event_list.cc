// SPDX-License-Identifier: BSD-3-Clause
//
// Any text as ROOFMARK_EVENTS, and as ROOFMARK_PACKAGE_EVENTS.
#include "collectors/hardware/events/event_text.h"
#include "collectors/hardware/events/package_list.h"
#include "collectors/hardware/events/user_list.h"
#include "tests/fuzz/input.h"

using namespace roofmark;
using namespace roofmark::events;

namespace {

void TryUserList(std::string_view text) {
  const Result<std::vector<std::string>> names = ParseUserList(text);
  if (!names) return;
  fuzz::Demand(!names->empty() && names->size() <= kUserMetrics, "1 to kUserMetrics names");
  for (const std::string& name : *names) {
    fuzz::Demand(!name.empty(), "no name is empty");
    const Result<PmuText> pmu = ParsePmuText(name);
    if (pmu) fuzz::Demand(!pmu->device.empty() && !pmu->fields.empty(), "a device and fields");
  }
}

void TryPackageList(std::string_view text) {
  const Result<std::vector<ListedTraffic>> list = ParsePackageList(text);
  if (!list) return;
  fuzz::Demand(!list->empty() && list->size() <= kMostListedTraffic, "1 to kMostListedTraffic");
  for (const ListedTraffic& each : *list) {
    fuzz::Demand(!each.name.empty(), "no name is empty");
    fuzz::Demand(each.bytes > 0 && each.bytes <= kMostBytesPerCount, "a factor in its range");
    fuzz::Demand(TakesCpu(each.name) == each.cpu.has_value(), "a CPU where the name takes one");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::Text(data, size);
  TryUserList(text);
  TryPackageList(text);
  return 0;
}
