// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/limit_color.h"

#include "lib/core/table.h"

namespace roofmark {
namespace {

constexpr LimitColorInfo kTable[] = {
    {LimitColor::kMemory, "by-memory", "memory limits", Tone::kMemory},
    {LimitColor::kCompute, "by-compute", "computation limits", Tone::kCompute},
    {LimitColor::kChain, "by-chain", "dependences, branches or latency limit", Tone::kChain},
    {LimitColor::kWaiting, "by-waiting", "waits", Tone::kWaiting},
    {LimitColor::kOther, "by-other", "unexplained or unknown", Tone::kNone},
};
static_assert(InOrder(kTable, LimitColor::kOther));

}  // namespace

const LimitColorInfo& InfoOf(LimitColor color) { return RowOf(kTable, color); }

LimitColor LimitColorOf(const Limit& limit) {
  if (limit.what == LimitedBy::kPhases) {
    const Phase& largest = limit.phases[0];
    return LimitColorOf({largest.what, largest.resource, largest.beside});
  }
  if (limit.what == LimitedBy::kWaiting) return LimitColor::kWaiting;
  if (limit.resource.empty()) return LimitColor::kOther;
  for (const std::string_view path : {"dependences", "branches", "atomics", "latency"}) {
    if (limit.resource == path) return LimitColor::kChain;
  }
  return limit.Kind() == "memory" ? LimitColor::kMemory : LimitColor::kCompute;
}

}  // namespace roofmark
