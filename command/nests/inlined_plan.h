// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_NESTS_INLINED_PLAN_H_
#define ROOFMARK_COMMAND_NESTS_INLINED_PLAN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/found/nest_plan.h"
#include "lib/loops/inlined.h"

namespace roofmark::cli {

// Code of chosen functions that was inlined into others, as nests of a plan. Each body has one for
// the places at which its visits begin and one for the rest of its code; where one of them begins
// inside of others, these have nests of their own there.
class InlinedPlan {
 public:
  using Index = std::optional<uint32_t>;  // of NestPlan::nests

  // `region_of`: the nests of the chosen functions, by their numbers in `inlined`; `function_of`:
  // that of a function of the machine code, by its root. The plan gets nests as they are asked for.
  InlinedPlan(const loops::Inlined& inlined, const std::map<uint32_t, uint32_t>& region_of,
              std::function<Index(uint32_t root)> function_of, NestPlan& plan)
      : inlined_(inlined),
        region_of_(region_of),
        function_of_(std::move(function_of)),
        plan_(plan) {}

  // Calls `add` for the inlined code in [begin, end), in order, with its innermost nest. Code in no
  // chosen function that was inlined there is left out.
  void ForEachIn(uint64_t begin, uint64_t end,
                 const std::function<void(uint64_t begin, uint64_t end, uint32_t nest)>& add);

 private:
  // The innermost chosen one that is in no other one of the same function.
  Index ChosenBody(Index body) const;
  bool IsInItself(uint32_t body) const;
  enum class Kind : uint8_t { kBegin, kBeginInLoop, kRest };
  static Kind KindAt(const loops::InlinedBody& body, uint64_t offset);
  // The nest with whose visits the rest of the code goes on.
  uint32_t BeginOf(uint32_t body);
  uint32_t NestOf(uint32_t body, uint64_t offset);

  const loops::Inlined& inlined_;
  const std::map<uint32_t, uint32_t>& region_of_;
  const std::function<Index(uint32_t root)> function_of_;
  NestPlan& plan_;
  // By body, the nest around it, and what this is of it.
  std::map<std::tuple<uint32_t, Index, Kind>, uint32_t> known_;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_NESTS_INLINED_PLAN_H_
