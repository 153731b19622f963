// SPDX-License-Identifier: BSD-3-Clause
//
// What the columns of kept rows are, and which metrics are made of them. It stands in the spool
// beside the rows, so that whoever reads them needs nothing else.
#ifndef ROOFMARK_LIB_COUNTS_KEPT_PLAN_H_
#define ROOFMARK_LIB_COUNTS_KEPT_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/counts/weigh.h"

namespace roofmark::counts {

enum class Covers : uint32_t {
  // The finished visits of the row's path, all inside them included. Each copy says how many visits
  // of which thread record that are.
  kFinishedVisits,
  // All work in the path, but in none inside it, up to a hand-over. Each copy has the hand-over's
  // number; the row of worker 0 and path 0 has that of the last one which was complete.
  kUpToHandOver,
};

struct KeptPlan {
  Covers covers = Covers::kFinishedVisits;
  // Events in each group: they share enabled and running time, and whether they are invalid, which
  // are three columns for each group before the events' own. Without groups there are `events`
  // columns and nothing else.
  std::vector<uint32_t> groups;
  uint32_t events = 0;
  std::vector<MetricRule> rules;

  size_t Columns() const { return kGroupColumns * groups.size() + events; }
  static constexpr size_t kGroupColumns = 3;
};

// As bytes; with metrics by their names, so that the numbers of metrics may change.
std::string EncodeKeptPlan(const KeptPlan& plan);
// Nothing if the bytes are no plan whose rules fit its events.
std::optional<KeptPlan> DecodeKeptPlan(std::string_view bytes);

// The sums of all events from one copy's words.
void SumsOfKept(const KeptPlan& plan, const uint64_t* words, std::vector<Sum>& sums);

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_KEPT_PLAN_H_
