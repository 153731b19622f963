// SPDX-License-Identifier: BSD-3-Clause
//
// A derived number with its trust, or the reason why there is none.
#ifndef ROOFMARK_LIB_MODEL_FIGURE_H_
#define ROOFMARK_LIB_MODEL_FIGURE_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/status.h"
#include "lib/profile/cell.h"

namespace roofmark {

struct Figure {
  std::optional<double> value;  // always finite
  Status status = Status::kUnsupported;
  std::string origin;  // collector names joined by '+'; "machine" for ceilings
  std::string reason;  // why there is no value, as a sentence without full stop
};

Figure Missing(std::string reason, Status status = Status::kUnsupported);

// `value`, as trustworthy as the worst of `inputs` and with all their origins. If an input is
// missing, or the value is not finite, so is the result: with the input's reason.
Figure FigureFrom(std::initializer_list<const Figure*> inputs, double value);
// numerator / denominator; missing with `if_zero` where the denominator is 0.
Figure Ratio(const Figure& numerator, const Figure& denominator, const std::string& if_zero);

// A sum over ranks. `cell` holds the exact sum, the ranks present and the mean; its extremes and
// its m2 are set only where the flags say so, since the distribution of a sum of metrics over ranks
// does not always follow from theirs.
struct Total : Figure {
  Cell cell;
  bool extremes_known = false;
  bool stddev_known = false;
};

// One metric as it is stored. A cell without ranks is missing, with `reason` and `status`.
Total TotalOf(const Cell& cell, const std::string& origin, const std::string& reason,
              Status status);

// The sum of several metrics of one path. Present where any is; the reason of the first otherwise.
// Extremes are known if all addends that differ between ranks have theirs on the same ranks.
Total Sum(const std::vector<Total>& addends);

// Adds "b" to "a" as "a+b", once.
std::string JoinOrigins(const std::string& a, const std::string& b);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_FIGURE_H_
