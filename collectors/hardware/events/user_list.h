// SPDX-License-Identifier: BSD-3-Clause
//
// Events that a user chose, ROOFMARK_EVENTS="task-clock,cpu/event=0xc7,umask=1/,skx::INST_RETIRED":
// what each of them is to the kernel, in which unit its counts are shown, and which standard metric
// it gives besides.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_USER_LIST_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_USER_LIST_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/events/sysfs.h"
#include "lib/core/metric.h"
#include "lib/core/result.h"

namespace roofmark::events {

// 1 to kUserMetrics different names, in the user's order. Errors name ROOFMARK_EVENTS and the cure.
Result<std::vector<std::string>> ParseUserList(std::string_view list);

struct ListedEvent {
  std::vector<EncodedEvent> events;  // to be summed; all of one scope
  Scope scope = Scope::kThread;      // or kPackage
  double weight = 1;                 // from counts to `unit`
  std::string unit = "count";
  std::optional<MetricId> also;  // the standard metric that means exactly this
};

// One event of the list, as the kernel takes it. The error, one sentence, says why it cannot be
// counted, and suggests the nearest name where the name is unknown.
Result<ListedEvent> EncodeListed(const Sysfs& sysfs, const std::string& text);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_USER_LIST_H_
