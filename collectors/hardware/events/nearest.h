// SPDX-License-Identifier: BSD-3-Clause
//
// The names that a user may have meant by a name that does not exist.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_NEAREST_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_NEAREST_H_

#include <string>
#include <string_view>
#include <vector>

namespace roofmark::events {

// The name of `names` that takes the fewest changed, missing or added letters from `wrong`,
// whatever its case; empty if all are too different to be meant. If `wrong` names no PMU ("pmu::")
// and no unit mask (":mask") those of `names` do not matter.
std::string Nearest(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_NEAREST_H_
