// SPDX-License-Identifier: BSD-3-Clause
//
// What must not happen between two runs: "solve/*: time > +5%". The regions are those of one
// pattern of lib/core/region_choice.h, `(program)` is the program as a whole. The quantity is one
// of kQuantityTable. A rule is broken by a change that is significant and larger than the limit;
// intensity, which is counted once, by a larger one.
#ifndef ROOFMARK_LIB_MODEL_CHANGE_RULE_H_
#define ROOFMARK_LIB_MODEL_CHANGE_RULE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/region_choice.h"
#include "lib/core/result.h"
#include "lib/model/comparison.h"

namespace roofmark {

class ChangeRule {
 public:
  // The error is a clause about `text`: "has no limit ...".
  static Result<ChangeRule> Parse(std::string_view text);

  const std::string& text() const { return text_; }
  Quantity quantity() const { return quantity_; }
  bool Names(const RegionChange& region) const;
  // Whether a change by `factor` is larger than the limit.
  bool Passes(double factor) const { return grows_ ? factor > limit_ : factor < limit_; }

 private:
  explicit ChangeRule(RegionPattern pattern) : pattern_(std::move(pattern)) {}

  std::string text_;
  RegionPattern pattern_;
  Quantity quantity_ = Quantity::kTime;
  bool grows_ = true;  // `>`
  double limit_ = 1;   // as a factor
};

enum class RuleState : uint8_t {
  kKept,
  kBroken,
  kUndecided,  // noise between executions is not known, times of a run do not hold, a region is in
               // one run only, or a value lacks
  kNoRegion,   // the rule names no region of either run
};

struct RuleResult {
  RuleState state = RuleState::kKept;
  // Those that broke it, or that leave it undecided.
  std::vector<const RegionChange*> regions;
};

RuleResult Judge(const ChangeRule& rule, const Comparison& comparison);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_CHANGE_RULE_H_
