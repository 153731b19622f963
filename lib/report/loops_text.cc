// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/loops_text.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "lib/core/terminal_text.h"
#include "lib/profile/region_name.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/loop_words.h"

namespace roofmark {
namespace {

using incore::Finding;
using incore::LoopsView;
using incore::LoopView;

constexpr size_t kTextWidth = 80;

// What most of the arithmetic has, and what else there is.
std::string LanesShort(const incore::LaneUse& lanes) {
  const uint64_t all = lanes.All();
  if (all == 0) return "-";
  const auto most = [all](uint64_t part) { return part > all / 2; };
  if (most(lanes.scalar)) return "scalar";
  if (most(lanes.with_128)) return "128";
  if (most(lanes.with_256)) return "256";
  return most(lanes.with_512) ? "512" : "mixed";
}

// A paragraph behind three spaces.
std::string Indented(const std::string& text) {
  constexpr std::string_view kIndent = "   ";
  std::istringstream lines(Wrap(Printable(text), kTextWidth - kIndent.size(), 0));
  std::string out;
  for (std::string line; std::getline(lines, line);) out.append(kIndent).append(line) += '\n';
  return out;
}

std::string HeadOf(const LoopView& view, const LoopsView& all, size_t number) {
  return fmt::format("{}. {}\n", number,
                     ShortPlace(Printable(LoopTitle(view)), kTextWidth - 5, "~")) +
         Indented(LoopShareSentence(view, all, ""));
}

// Columns of code: share, executed, line, instruction.
std::string LineRow(const std::string& share, const std::string& times, const std::string& line,
                    const std::string& text) {
  const std::string before = fmt::format("{:>7} {:>8} {:>6}  ", share, times, line);
  return before + Shorten(Printable(text), kTextWidth - before.size(), "~") + "\n";
}

std::string CodeOf(const LoopView& view, const LoopsView& all) {
  const auto [share, times, line, text] = CodeHeads(all);
  std::string out =
      LineRow(std::string(share), std::string(times), std::string(line), std::string(text));
  for (const CodeRow& row : CodeRows(view))
    out += LineRow(row.share, row.times, row.line, row.text);
  for (const std::string& note : CodeNotes(view)) out += Indented(note);
  return out;
}

std::string DependenceText(const ReportJob& job, const std::string& region) {
  const int row = region.empty() ? -1 : job.profile.FindPath(region);
  if (row < 0 || static_cast<size_t>(row) >= job.analysis.paths.size()) return {};
  const std::string text = DependenceSentence(job, static_cast<size_t>(row));
  return text.empty() ? text : Wrap(text, kTextWidth, 0) + "\n";
}

std::string Footer(const LoopsView& views) {
  std::string text;
  for (const std::string& remark : LoopRemarks(views))
    text += Wrap(Printable(remark), kTextWidth, 0);
  return text;
}

}  // namespace

std::string RenderLoopList(const LoopsView& views) {
  const bool cycles = views.clock_ghz > 0;
  std::string text =
      fmt::format("{:>3} {:>6} {:>7} {:>6} {:>7} {:>6}  {}\n", "", SharesOf(views).substr(0, 6),
                  "trips", "lanes", cycles ? "cycles" : "spent", "in L1", "loop");
  size_t number = 0;
  for (const LoopView& view : views.loops) {
    const std::optional<double> trips = view.Trips();
    std::string spent = "-";
    if (view.spent_ns) {
      spent = cycles ? Plain(*view.spent_ns * views.clock_ghz) : Seconds(*view.spent_ns * 1e-9);
    }
    text += fmt::format("{:>3} {:>6} {:>7} {:>6} {:>7} {:>6}  {}\n", ++number, Percent(view.share),
                        trips ? Plain(*trips) : "-", LanesShort(view.lanes), spent,
                        view.bound ? Plain(view.bound->cycles) : "-",
                        ShortPlace(Printable(LoopTitle(view)), kTextWidth - 42, "~"));
  }
  text += "\n" + Wrap(fmt::format(
                          "Shares of the run's {}. Trips: iterations for each entry. {} an "
                          "iteration takes, beside what "
                          "it calls and loops inside; in L1: the cycles that it would need "
                          "with its data there{}.",
                          views.timed ? "CPU time, by samples"
                                      : "executed instructions (there were no samples)",
                          cycles ? "Cycles: those that" : "Spent: the time that",
                          views.model.empty() ? "" : " (llvm-mca, " + Printable(views.model) + ")"),
                      kTextWidth, 0);
  return text + Footer(views);
}

std::string RenderLoops(const ReportJob& job, const LoopsView& views, const std::string& region) {
  std::string text = DependenceText(job, region);
  size_t number = 0;
  for (const LoopView& view : views.loops) {
    text += HeadOf(view, views, ++number);
    for (const std::string& sentence : LoopSentences(view, views)) text += Indented(sentence);
    for (const Finding& finding : view.findings) {
      text += Indented("! " + FindingSentence(finding));
    }
    text += "\n" + CodeOf(view, views) + "\n";
  }
  return text + Footer(views);
}

}  // namespace roofmark
