// SPDX-License-Identifier: BSD-3-Clause
//
// Named groups of quantities (ROOFMARK_GROUP): what a user asks for, whatever the CPU.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_GROUPS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_GROUPS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/hardware/events/table.h"

namespace roofmark::events {

struct Group {
  std::string_view name, doc;
  // Of FLOPs: this precision (kMixed: all that there are), or none at all.
  bool flops;
  FpPrecision precision;
  FpView view;  // kByKind if the CPU can, else whatever it has
  std::vector<Measure> measures;
};

// dp, sp, mem, cache, mix, all.
const std::vector<Group>& Groups();
const Group* FindGroup(std::string_view name);  // null: no such group

struct Selection {
  std::vector<Formula> formulas;  // FLOPs of one view only: they may be added up
  std::vector<Refusal> missing;   // asked for, but this CPU does not have it
};
Selection Select(const EventTable& table, const Group& group);

// The view that tells most without losing the precision: what "all" takes.
FpView FinestView(const EventTable& table);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_GROUPS_H_
