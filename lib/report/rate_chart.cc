// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/rate_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/letters.h"
#include "lib/report/series_chart.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

constexpr double kMostShown = 2;  // longer bars end here

std::string PercentText(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string Diamond(double x, double y, double half, std::string_view more) {
  return fmt::format(
      "<path class=\"phi\" d=\"M{0:.1f} {1:.1f}l{2:.1f} {2:.1f}l-{2:.1f} {2:.1f}l-{2:.1f} "
      "-{2:.1f}Z\"{3}/>\n",
      x, y - half, half, more);
}

class Painter {
 public:
  Painter(const RateChart& chart, double width)
      : chart_(chart),
        narrow_(width < kNarrowChart),
        letter_(narrow_ ? 10 : 12),
        width_(width),
        bar_(narrow_ ? 10 : 11) {
    double widest = 0;
    most_ = 1;
    for (const RateGroup& group : chart.groups) {
      widest = std::max(widest, LettersWidth(Printable(group.name), letter_, true));
      for (const auto& share : group.shares) most_ = std::max(most_, share.value_or(0));
    }
    most_ = std::min(most_, kMostShown);
    left_ = 12 + std::min(widest, (narrow_ ? 0.3 : 0.28) * width) + 8;
    // Behind the longest bar its number.
    right_ = width - LettersWidth("1: 100.0 %", letter_, true) - 12;
  }

  Drawing Draw() {
    const double top = Head();
    double y = top;
    for (const RateGroup& group : chart_.groups) y = Group(group, y + GroupGap());
    const double bottom = y + GroupGap();
    if (!chart_.below.empty()) {
      body_ += SvgText(12, bottom + letter_ + 8, "tick", chart_.below);
    }
    const double height = bottom + letter_ + 20;
    return {fmt::format("<g class=\"chart{}\">", narrow_ ? " narrow" : "") + Grid(top, bottom) +
                body_ + "</g>\n",
            height};
  }

 private:
  double GroupGap() const { return 0.8 * bar_; }
  double X(double share) const {
    return left_ + std::clamp(share, 0.0, most_) / most_ * (right_ - left_);
  }

  // Where bars begin.
  double Head() {
    double y = letter_ + 4;
    for (size_t i = 0; i < chart_.kinds.size(); ++i) {
      const std::string name = fmt::format("{}: {}", i + 1, Printable(chart_.kinds[i]));
      body_ += fmt::format(
          "<rect class=\"rate {}\" x=\"12\" y=\"{:.1f}\" width=\"14\" height=\"{:.1f}\"/>\n",
          Look(i), y - 0.75 * letter_, 0.75 * letter_);
      body_ += SvgText(32, y, "tick", Fitting(name, width_ - 44, letter_, false));
      y += letter_ + 5;
    }
    body_ += Diamond(19, y - 0.35 * letter_, 0.45 * letter_, "");
    body_ += SvgText(32, y, "tick", Fitting(chart_.together, width_ - 44, letter_, false));
    return y + letter_ + 12;
  }

  static std::string Look(size_t kind) { return fmt::format("s{}", kind % kSeriesLooks); }

  std::string Grid(double top, double bottom) const {
    std::string out;
    const double apart = LettersWidth("100 %", letter_) + 6;
    double step = 0.25;
    while (step < most_ && X(step) - X(0) < apart) step *= 2;
    for (double tick = 0; tick <= most_ + 1e-9; tick += step) {
      const double x = X(tick);
      out += SvgLine(x, top, x, bottom, tick == 1 ? "ideal" : "even");
      out += SvgText(x, top - 5, "tick mid", fmt::format("{:.0f} %", tick * 100));
    }
    return out;
  }

  // The name in the middle of its rows. Returns where they end.
  double Group(const RateGroup& group, double y) {
    const std::string part = PartAttribute(group.part);
    const size_t bars = group.shares.size();
    const double height = bar_ * static_cast<double>(bars + 1);
    body_ += SvgText(left_ - 8, y + height / 2 + 0.35 * letter_, "dot-name end",
                     Fitting(Printable(group.name), left_ - 20, letter_), part);
    for (size_t i = 0; i < bars; ++i) Bar(group, i, y + bar_ * static_cast<double>(i), part);
    const double x = X(group.together), middle = y + bar_ * (static_cast<double>(bars) + 0.5);
    body_ += fmt::format("<path class=\"phi-line\" d=\"M{:.1f} {:.1f}H{:.1f}\"{}/>\n", left_,
                         middle, x, part);
    body_ += Diamond(x, middle, 0.5 * bar_, part);
    body_ += SvgText(x + 0.5 * bar_ + 5, middle + 0.33 * SmallLetter(), "dot-name small-letters",
                     "Φ: " + PercentText(std::min(group.together, 99.0)), part);
    return y + height;
  }

  void Bar(const RateGroup& group, size_t kind, double y, std::string_view part) {
    const std::optional<double>& share = group.shares[kind];
    const double text_y = y + bar_ / 2 + 0.33 * SmallLetter();
    const std::string number = fmt::format("{}: ", kind + 1);
    if (!share) {
      body_ += SvgText(left_ + 6, text_y, "tick small-letters", number + "no value", part);
      return;
    }
    body_ += fmt::format(
        "<rect class=\"rate {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}>"
        "<title>{}, {}: {}</title></rect>\n",
        Look(kind), left_, y + 0.5, X(*share) - left_, bar_ - 1, part, XmlText(group.name),
        XmlText(chart_.kinds[kind]), PercentText(*share));
    body_ += SvgText(X(*share) + 6, text_y, "tick small-letters",
                     number + PercentText(std::min(*share, 99.0)), part);
  }

  double SmallLetter() const { return 9; }

  const RateChart& chart_;
  bool narrow_;
  double letter_, width_, bar_, most_ = 1, left_ = 0, right_ = 0;
  std::string body_;
};

}  // namespace

Drawing DrawRates(const RateChart& chart, double width) { return Painter(chart, width).Draw(); }

}  // namespace roofmark
