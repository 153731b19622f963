// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/doubt_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lib/core/settings.h"
#include "lib/core/terminal_text.h"
#include "lib/report/format.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr size_t kMostDoubts = 4;

using What = Contradiction::What;

std::string Causes(What what) {
  switch (what) {
    case What::kScaledFlops:
      return "visits that were not measured did other work than those that were; measure all of "
             "them (without ROOFMARK_VISITS)";
    case What::kFewerFlops:
      return "fewer were executed than declared: each thread or rank declares the work of all, the "
             "compiler left out or merged operations, or a branch skipped them";
    case What::kMoreFlops:
      return "more were executed than declared: each visit declares a part of its work, work is "
             "done more than once, lanes of vectors are computed in vain, or functions such as "
             "exp() are declared as one operation";
    case What::kMoreBytes:
      break;
  }
  return "fewer bytes were loaded and stored than declared: each thread or rank declares the bytes "
         "of all, or values stayed in registers";
}

std::string Described(const Contradiction& one) {
  const bool bytes = one.what == What::kMoreBytes;
  const std::string unit = bytes ? "B" : "FLOP";
  return fmt::format("{} {}, {} declared (x{})", SiUnit(one.counted, unit),
                     bytes                            ? "loaded and stored"
                     : one.what == What::kScaledFlops ? "scaled from some visits"
                                                      : "counted",
                     SiUnit(one.declared, unit), Plain(one.counted / one.declared));
}

std::string AndMore(size_t all) {
  return all > kMostDoubts ? fmt::format("; and {} more", all - kMostDoubts) : "";
}

// Caches were modelled in them instead of in some visits.
bool InBursts(const JobProfile& job) {
  return std::any_of(job.run.passes.begin(), job.run.passes.end(), [](const PassInfo& pass) {
    const auto visits = pass.settings.find("visits");
    return visits != pass.settings.end() && visits->second == kVisitsInBursts;
  });
}

// Empty where each burst measured something.
std::string ColdBursts(const JobProfile& job) {
  for (const PassInfo& pass : job.run.passes) {
    const auto fact = pass.facts.find(kColdBurstsFact);
    if (fact == pass.facts.end()) continue;
    return fmt::format("; {}{}", Printable(fact->second),
                       job.run.ranks > 1 ? " (as on rank 0)" : "");
  }
  return {};
}

}  // namespace

std::string WithinText(const Value& value, const std::string& unit) {
  if (std::isinf(value.within->most)) return "no interval is known";
  return fmt::format("{} to {}", SiUnit(value.within->least, unit),
                     SiUnit(value.within->most, unit));
}

std::string ExtrapolatedSentence(const JobProfile& job, const PathAnalysis& path) {
  const bool bursts = InBursts(job);
  const Value& bytes = path.traffic_bytes[kDramLevel];
  const std::optional<double> width = IntervalWidth(bytes);
  if (!width) return {};
  if (std::isinf(*width)) {
    return fmt::format(
        "its DRAM traffic, {}, is extrapolated from so few {} that no interval is known: {}",
        SiUnit(*bytes, "B"), bursts ? "bursts" : "visits",
        bursts ? "a longer run has more of them, and --exact models all of it"
               : "more of them (--visits first:10) give one");
  }
  const Value& intensity = path.intensity[kDramLevel];
  std::string text = fmt::format("its DRAM traffic is extrapolated from some {}: {} (95 %)",
                                 bursts ? "bursts of the run" : "visits", WithinText(bytes, "B"));
  if (intensity && intensity.within && !std::isinf(intensity.within->most)) {
    text += fmt::format(", which is {} to {} FLOP/byte", Plain(intensity.within->least),
                        Plain(intensity.within->most));
  }
  if (*width > kWideInterval) {
    text += fmt::format("; this is wide, because these {} differ", bursts ? "bursts" : "visits");
  }
  return text;
}

std::string ScaledFlopsSentence(const PathAnalysis& path) {
  const std::optional<double> width = IntervalWidth(path.total_flops);
  if (!width) return {};
  if (std::isinf(*width)) {
    return fmt::format(
        "its FLOPs, {}, are scaled, and no interval is known: few visits were counted, or the "
        "first one, which is never counted, took another time than the others",
        SiUnit(*path.total_flops, "FLOP"));
  }
  return fmt::format("its FLOPs are scaled from the visits that were counted: {} (95 %)",
                     WithinText(path.total_flops, "FLOP"));
}

std::string ScaledTimeSentence(const PathAnalysis& path) {
  const std::optional<double> width = IntervalWidth(path.time_s);
  if (!width) return {};
  if (std::isinf(*width)) {
    return fmt::format("its time, {}, is scaled, and no interval is known: few visits were timed",
                       Seconds(*path.time_s));
  }
  return fmt::format("its time is scaled from the visits that were timed: {} to {} (95 %)",
                     Seconds(path.time_s.within->least), Seconds(path.time_s.within->most));
}

std::string TurnsRemark(const JobProfile& job) {
  for (const PassInfo& pass : job.run.passes) {
    const auto fact = pass.facts.find(kTurnsFact);
    if (fact == pass.facts.end() || fact->second.empty()) continue;
    return fmt::format("visits took turns{}: regions {}",
                       job.run.ranks > 1 ? " (as on rank 0)" : "", Printable(fact->second));
  }
  return {};
}

namespace {

// Of the regions, and of the program as a whole, which has the same marks.
template <typename Is>
bool AnyRow(const JobAnalysis& analysis, Is is) {
  return std::any_of(analysis.paths.begin(), analysis.paths.end(), is) ||
         std::any_of(analysis.whole.begin(), analysis.whole.end(), is);
}

}  // namespace

std::string TakenInTurnsRemark(const JobAnalysis& analysis) {
  const auto any = [&analysis](auto value) {
    return AnyRow(analysis, [value](const PathAnalysis& path) {
      return IntervalWidth(value(path)).has_value();
    });
  };
  const bool flops = any([](const PathAnalysis& path) { return path.total_flops; });
  const bool times = any([](const PathAnalysis& path) { return path.time_s; });
  if (!flops && !times) return {};
  return fmt::format(
      "{} scaled from the visits that were {} to all; the intervals (95 %) come from what up to "
      "eight groups of these visits differ by",
      kScaledMark,
      !times  ? "counted"
      : flops ? "counted, or timed,"
              : "timed");
}

std::string ExtrapolatedRemark(const JobProfile& job, const JobAnalysis& analysis) {
  const bool any = AnyRow(analysis, [](const PathAnalysis& path) {
    return IntervalWidth(path.traffic_bytes[kDramLevel]).has_value();
  });
  if (!any) return {};
  const bool bursts = InBursts(job);
  return fmt::format(
      "{} scaled from the {} to all, by the bytes that they load and store; the intervals (95 %) "
      "come from what up to eight groups of these {} differ by{}",
      kScaledMark, bursts ? "bursts in which caches were modelled" : "visits that were modelled",
      bursts ? "bursts" : "visits", ColdBursts(job));
}

std::string WideSentence(const std::vector<size_t>& paths, const ReportJob& job) {
  const bool bursts = InBursts(job.profile);
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(paths.size(), kMostDoubts); ++i) {
    const Value& bytes = job.analysis.paths[paths[i]].traffic_bytes[kDramLevel];
    parts.push_back(fmt::format("{} {} ({})", NameOf(rows[paths[i]]), SiUnit(*bytes, "B"),
                                WithinText(bytes, "B")));
  }
  return fmt::format(
      "DRAM traffic was modelled in some {} only, and these differ or are too few: {}{}; what "
      "rests on it (FLOP/byte, attainable, DRAM as a limit) is as uncertain; {}",
      bursts ? "bursts of the run" : "visits", fmt::join(parts, "; "), AndMore(paths.size()),
      bursts ? "a longer run has more bursts, and --exact models all of it"
             : "model more visits (--visits first:20, or all)");
}

std::string ContradictionSentence(const std::vector<Contradiction>& all, const ReportJob& job) {
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<std::string> parts, causes;
  for (size_t i = 0; i < std::min(all.size(), kMostDoubts); ++i) {
    parts.push_back(fmt::format("{}: {}", NameOf(rows[all[i].path]), Described(all[i])));
    const std::string cause = Causes(all[i].what);
    if (std::find(causes.begin(), causes.end(), cause) == causes.end()) causes.push_back(cause);
  }
  return fmt::format("declared work contradicts what was counted: {}{}. Probable causes: {}",
                     fmt::join(parts, "; "), AndMore(all.size()), fmt::join(causes, "; "));
}

}  // namespace roofmark
