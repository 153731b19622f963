// SPDX-License-Identifier: BSD-3-Clause
//
// The self-test for people: FLOPs as a table of kernels, the rest line by line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command/self_test/self_test.h"

namespace roofmark::cli {
namespace {

std::string RatioText(double ratio) { return fmt::format("{:.3f}", ratio); }

// Of the metrics that see a kernel, the one that is furthest off.
const Check* WorstOf(const std::vector<Check>& checks, const std::string& exercise) {
  const Check* worst = nullptr;
  for (const Check& check : checks) {
    if (check.family != Family::kFlops || check.exercise != exercise || !check.Ratio()) continue;
    if (worst == nullptr || std::abs(*check.Ratio() - 1) > std::abs(*worst->Ratio() - 1)) {
      worst = &check;
    }
  }
  return worst;
}

// "dp 256 fma" -> "dp 256", in the order in which they ran.
std::vector<std::string> FlopRows(const std::vector<Check>& checks) {
  std::vector<std::string> rows;
  for (const Check& check : checks) {
    if (check.family != Family::kFlops) continue;
    const std::string row = check.exercise.substr(0, check.exercise.rfind(' '));
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  return rows;
}

std::string FlopTable(const std::vector<Check>& checks) {
  const std::vector<std::string> rows = FlopRows(checks);
  if (rows.empty()) return "";
  std::string text = fmt::format("\n  {:<24}", "FLOPs counted / known");
  for (const auto& kind : kFlopKindNames) text += fmt::format("{:>8}", kind.name);
  text += '\n';
  for (const std::string& row : rows) {
    text += fmt::format("    {:<22}", row);
    for (const auto& kind : kFlopKindNames) {
      const Check* check = WorstOf(checks, fmt::format("{} {}", row, kind.name));
      text += fmt::format("{:>7}{}", check == nullptr ? "-" : RatioText(*check->Ratio()),
                          check != nullptr && check->verdict == Verdict::kOff ? '!' : ' ');
    }
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  return text;
}

std::string_view Headline(Family family) {
  switch (family) {
    case Family::kFlops:
      return "";
    case Family::kInstructions:
      return "Instructions";
    case Family::kCycles:
      return "Cycles (2 to 6 an addition)";
    case Family::kThreads:
      return "Threads, counted from outside";
    case Family::kDram:
      return "DRAM, arrays much larger than the caches";
    case Family::kCaches:
      return "Lines into each cache";
  }
  return "";
}

// A known amount as a user compares it: "96.0 MB to 144 MB", "4.71e+06".
std::string Amount(const Check& check, double value) {
  const bool bytes = check.family == Family::kDram || check.family == Family::kCaches;
  return bytes ? fmt::format("{:.1f} MB", value / 1e6) : fmt::format("{:.0f}", value);
}

std::string Line(const Check& check) {
  std::string known = Amount(check, check.known.most);
  if (!check.known.Exact())
    known = fmt::format("{} to {}", Amount(check, check.known.least), known);
  const std::optional<double> ratio = check.Ratio();
  return fmt::format("    {:<28}{:<26}{:>7}{}  {} of {}\n", check.exercise, check.metric,
                     ratio ? RatioText(*ratio) : "-", check.verdict == Verdict::kOff ? '!' : ' ',
                     Amount(check, check.counted), known);
}

std::string Lines(const std::vector<Check>& checks, Family family) {
  std::string text;
  for (const Check& check : checks) {
    // Nothing of what a kernel does not do: no news.
    if (check.family != family || (!check.Ratio() && check.verdict != Verdict::kOff)) continue;
    if (text.empty()) text = fmt::format("\n  {}\n", Headline(family));
    text += Line(check);
  }
  return text;
}

std::string Troubles(const std::vector<Check>& checks) {
  constexpr size_t kMost = 8;
  std::string text;
  size_t count = 0;
  for (const Check& check : checks) {
    if (check.verdict != Verdict::kOff) continue;
    if (++count > kMost) continue;
    text +=
        fmt::format("  ! {}, {}: {:.6g} counted, {:.6g} known{}{}\n", check.exercise, check.metric,
                    check.counted, check.known.most, check.hint.empty() ? "" : ": ", check.hint);
  }
  if (count > kMost) text += fmt::format("  ! and {} more (--json has all)\n", count - kMost);
  return text.empty() ? "" : "\n" + text;
}

std::string ToleranceText(const SelfTest& test) {
  if (test.engine) return "FLOPs and instructions must be exact, modelled bytes within 2 %";
  const auto groups = test.facts.find("event_groups");
  const bool turns = groups != test.facts.end() && groups->second != "1";
  return turns ? "events take turns: FLOPs and instructions within 5 %, bytes within 15 %"
               : "FLOPs and instructions within 0.1 %, bytes within 10 %";
}

}  // namespace

std::string SelfTestText(const SelfTest& test) {
  std::string text = fmt::format("{}: kernels of known work, counted / known\n  {}\n",
                                 test.collector, ToleranceText(test));
  text += FlopTable(test.checks);
  for (const Family family :
       {Family::kInstructions, Family::kCycles, Family::kThreads, Family::kDram, Family::kCaches}) {
    text += Lines(test.checks, family);
  }
  text += Troubles(test.checks);
  size_t exact = 0;
  for (const Check& check : test.checks) exact += check.verdict == Verdict::kExact;
  text += fmt::format("\n  {} checks: {} exact, {} within tolerance, {} off\n", test.checks.size(),
                      exact, test.checks.size() - exact - test.CountOff(), test.CountOff());
  return text;
}

}  // namespace roofmark::cli
