// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/dot_names.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lib/report/display_width.h"

namespace roofmark {
namespace {

constexpr double kLineHeight = 15, kHalfHeight = 7, kBaseLine = 4;

// Bold letters of 12.5 px are at most 9 px wide on average.
double WidthOf(const std::string& text) { return 9 * static_cast<double>(DisplayWidth(text)); }

class Namer {
 public:
  Namer(const std::vector<DotToName>& dots, double left, double right)
      : left_(left), right_(right) {
    for (const DotToName& dot : dots) taken_.push_back({dot.x, dot.y, dot.radius, dot.radius, 0});
  }

  DotName Name(const DotToName& dot) {
    std::optional<DotName> name = Free(dot, dot.label);
    if (!name) name = Free(dot, dot.key);
    if (!name) name = Inside(dot);
    taken_.push_back(name->box);
    return std::move(*name);
  }

 private:
  std::optional<DotName> Free(const DotToName& dot, const std::string& text) const {
    const double width = WidthOf(text), reach = dot.radius + 3;
    for (const double shift : {0.0, -1.0, 1.0, -2.0, 2.0}) {
      for (const bool left : {false, true}) {
        if (left ? dot.x - reach - width < left_ : dot.x + reach + width > right_) continue;
        const double middle = dot.y + shift * kLineHeight;
        const double begin = left ? dot.x - reach : dot.x + reach;
        const LabelBox box = {left ? begin - width / 2 : begin + width / 2, middle, width / 2,
                              kHalfHeight, 0};
        const auto covers = [&box](const LabelBox& other) { return Overlap(box, other); };
        if (std::any_of(taken_.begin(), taken_.end(), covers)) continue;
        return DotName{box, begin, middle + kBaseLine, left, text};
      }
    }
    return std::nullopt;
  }

  static DotName Inside(const DotToName& dot) {
    const double half = WidthOf(dot.key) / 2;
    return {{dot.x, dot.y, half, kHalfHeight, 0}, dot.x - half, dot.y + kBaseLine, false, dot.key};
  }

  double left_, right_;
  std::vector<LabelBox> taken_;
};

}  // namespace

std::vector<DotName> NameDots(const std::vector<DotToName>& dots, double left, double right) {
  Namer namer(dots, left, right);
  std::vector<DotName> names;
  for (const DotToName& dot : dots) names.push_back(namer.Name(dot));
  return names;
}

}  // namespace roofmark
