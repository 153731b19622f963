// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/loop_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lib/report/format.h"

namespace roofmark {
namespace {

using incore::BlockView;
using incore::Finding;
using incore::FindingKind;
using incore::InstructionView;
using incore::LoopsView;
using incore::LoopView;

std::string LeafOf(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string LanesSentence(const LoopView& view) {
  const incore::LaneUse& lanes = view.lanes;
  const uint64_t all = lanes.All();
  if (view.cut && all == 0) return {};
  if (all == 0) return "It has no floating-point arithmetic.";
  std::vector<std::string> parts;
  const auto add = [&](uint64_t part, std::string_view what) {
    if (part == 0) return;
    if (part == all) {
      parts.emplace_back(what);
    } else {
      const double share = static_cast<double>(part) / static_cast<double>(all);
      parts.push_back(fmt::format("{} {}", Percent(share), what));
    }
  };
  add(lanes.scalar, "scalar");
  add(lanes.with_128, "in 128 bits");
  add(lanes.with_256, "in 256 bits");
  add(lanes.with_512, "in 512 bits");
  std::string text = view.cut ? "Floating-point arithmetic in the code that the file has: "
                              : "Floating-point arithmetic: ";
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  if (lanes.masked > 0) {
    const double share = static_cast<double>(lanes.masked) / static_cast<double>(all);
    text += fmt::format("; {} under a mask", Percent(share));
  }
  return text + ".";
}

std::string TripSentence(const LoopView& view) {
  const HotLoop& loop = view.loop;
  if (!loop.header) return {};
  if (const std::optional<double> trips = view.Trips()) {
    return fmt::format("Entered {} times, with {} iterations each on average.",
                       Si(static_cast<double>(loop.entries)), Plain(*trips));
  }
  return fmt::format("{} iterations.", Si(static_cast<double>(loop.iterations)));
}

// "12.3 cycles (4.73ns)"; without a clock the time alone.
std::string Spent(double ns, double ghz) {
  const std::string time = Seconds(ns * 1e-9);
  return ghz > 0 ? fmt::format("{} cycles ({} at {} GHz)", Plain(ns * ghz), time, Plain(ghz))
                 : time;
}

std::string SpentSentence(const LoopView& view, const LoopsView& all) {
  if (!view.spent_ns) return {};
  std::string text = fmt::format("An iteration takes {}", Spent(*view.spent_ns, all.clock_ghz));
  if (view.calls) text += " beside what it calls";
  if (view.loop.holds_loops) text += " beside the loops inside";
  if (view.flops && *view.flops > 0) {
    text += fmt::format(" for {} FLOPs: {} GFLOP/s a core", Plain(*view.flops),
                        Plain(*view.flops / *view.spent_ns));
  }
  return text + ".";
}

// What both say together; nothing where one is missing, or nothing is left to gain.
std::string GapSentence(const LoopView& view, const LoopsView& all) {
  if (!view.spent_ns || all.clock_ghz <= 0) return {};
  const double spent = *view.spent_ns * all.clock_ghz;
  const double ratio = spent / view.bound->cycles;
  if (ratio < 0.8) {
    return "It takes less than that: the end of an entry overlaps with the begin of the next, the "
           "model is wrong for this code, or the cores ran faster.";
  }
  if (ratio < 1.25) return "It takes about that: data from beyond L1 does not hold it down.";
  return fmt::format(
      "It takes {} times that: the rest is data from beyond L1, stores that feed "
      "loads, branches that are mispredicted, or another clock.",
      Plain(ratio));
}

std::string BoundSentence(const LoopView& view, const LoopsView& all) {
  if (!view.bound) {
    if (view.why_no_bound.empty()) return {};
    return fmt::format("What it could reach with its data in L1 is not known: {}.",
                       view.why_no_bound);
  }
  const incore::PortBound& bound = *view.bound;
  std::string text = fmt::format("With its data in L1 an iteration needs {} cycles ({})",
                                 Plain(bound.cycles), all.model);
  const std::string busiest =
      bound.busiest.empty()
          ? std::string()
          : fmt::format(" (most: {}, {} cycles)", bound.busiest, Plain(bound.busiest_cycles));
  if (bound.WaitsForChain()) {
    text += fmt::format(", because instructions wait for each other; ports alone allow {}{}.",
                        Plain(bound.ports_cycles), busiest);
  } else {
    text += fmt::format(": ports and the front end bind{}.", busiest);
  }
  const std::string gap = GapSentence(view, all);
  return gap.empty() ? text : text + " " + gap;
}

// Empty: as in the row before.
std::string LineOf(const InstructionView& at, const std::string& file, std::string& last) {
  std::string line = at.line == 0 ? "?" : std::to_string(at.line);
  if (at.line != 0 && at.file != file) line = "*" + line;
  if (line == last) return {};
  last = line;
  return line;
}

std::string FilesSentence(const LoopView& view) {
  std::vector<std::string> files;
  for (const BlockView& block : view.blocks) {
    for (const InstructionView& at : block.instructions) {
      const std::string name = LeafOf(at.file);
      if (at.line == 0 || at.file == view.loop.file) continue;
      if (std::find(files.begin(), files.end(), name) == files.end()) files.push_back(name);
    }
  }
  if (files.empty()) return {};
  std::string text = "* lines of ";
  for (size_t i = 0; i < files.size(); ++i) text += (i == 0 ? "" : ", ") + Printable(files[i]);
  return text;
}

// Its rows; the first one has the block's share and executions.
void AddRows(const BlockView& block, const std::string& file, std::vector<CodeRow>& rows) {
  std::string share = Percent(block.share), times = Si(static_cast<double>(block.block.times));
  if (block.instructions.empty()) {
    rows.push_back({share, times, "",
                    fmt::format("{} bytes at 0x{:x}", block.block.code.size(), block.block.begin)});
    return;
  }
  std::string last;
  for (const InstructionView& at : block.instructions) {
    rows.push_back({share, times, LineOf(at, file, last), at.code.text});
    share.clear();
    times.clear();
  }
}

}  // namespace

std::string PlaceText(const std::string& file, uint32_t line) {
  if (file.empty() || line == 0) return "unknown line";
  return fmt::format("{}:{}", LeafOf(file), line);
}

std::string_view SharesOf(const LoopsView& all) { return all.timed ? "time" : "instructions"; }

std::string LoopTitle(const LoopView& view) {
  const HotLoop& loop = view.loop;
  if (loop.header) return loop.name.empty() ? loop.function + "()" : loop.name;
  const std::string what = loop.function + "(), in no loop";
  return loop.line == 0 ? what : PlaceText(loop.file, loop.line) + " in " + what;
}

std::string LoopShareSentence(const LoopView& view, const LoopsView& all, std::string_view region) {
  const incore::LoopUse use = UseIn(view, region);
  std::string where;
  if (use.only_outside) {
    where = ", outside of all regions";
  } else if (use.regions > 1) {
    where = fmt::format(", in {} regions", use.regions);
  }
  std::string text = fmt::format("{} of the run's {}{}.", Percent(use.share), SharesOf(all), where);
  if (use.in_others) {
    text +=
        fmt::format(" Other regions execute it, too ({} in all): what follows is of all together.",
                    Percent(view.share_everywhere));
  }
  return text;
}

std::array<std::string_view, 4> CodeHeads(const LoopsView& all) {
  return {all.timed ? "time" : "instr.", "executed", "line", "instruction"};
}

std::vector<CodeRow> CodeRows(const LoopView& view) {
  std::vector<CodeRow> rows;
  for (const BlockView& block : view.blocks) AddRows(block, view.loop.file, rows);
  return rows;
}

std::vector<std::string> CodeNotes(const LoopView& view) {
  std::vector<std::string> notes;
  if (view.cut) {
    notes.push_back(
        view.blocks.empty()
            ? fmt::format(
                  "(its code is too long without a branch to be in the file: more than {} bytes)",
                  limits::kHotLoopBytes)
            : fmt::format("(the file keeps {} bytes of its code, the hottest)",
                          limits::kHotLoopBytes));
  }
  if (std::string files = FilesSentence(view); !files.empty()) notes.push_back(std::move(files));
  return notes;
}

std::string FindingSentence(const Finding& finding) {
  const std::string place = PlaceText(finding.file, finding.line);
  const std::string times = Si(static_cast<double>(finding.times));
  const std::string share = Percent(finding.share);
  switch (finding.kind) {
    case FindingKind::kGather:
      return fmt::format(
          "{}: gathers {} lanes at once, {} times; the blocks with it have {} of the run.", place,
          finding.lanes, times, share);
    case FindingKind::kScatter:
      return fmt::format(
          "{}: scatters {} lanes at once, {} times; the blocks with it have {} of the run.", place,
          finding.lanes, times, share);
    case FindingKind::kMasked:
      return fmt::format(
          "{}: instructions under a mask, {} times in blocks with {} of the run; how many of their "
          "lanes work is not counted.",
          place, times, share);
    case FindingKind::kScalarRemainder:
      return fmt::format(
          "{}: scalar code of this line has {} of what the line takes, beside a vector loop of {} "
          "lanes: it is the remainder of short loops, or a version without vectors.",
          place, Percent(finding.of_line), finding.lanes);
  }
  return {};
}

std::vector<std::string> LoopSentences(const LoopView& view, const LoopsView& all) {
  std::vector<std::string> sentences;
  const auto add = [&sentences](std::string sentence) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  };
  add(TripSentence(view));
  if (all.why_no_text.empty()) add(LanesSentence(view));
  add(SpentSentence(view, all));
  if (all.why_no_model.empty()) add(BoundSentence(view, all));
  return sentences;
}

std::string DependenceSentence(const ReportJob& job, size_t row) {
  const PathAnalysis& path = job.analysis.paths[row];
  const Value& seconds = path.runtime.dependences.seconds.as_is;
  if (!seconds || *seconds <= 0) return {};
  std::string text = fmt::format(
      "By its dependences alone (counting engine) the region needs {} a core", Seconds(*seconds));
  if (path.time_s) text += fmt::format(" of its {}", Seconds(*path.time_s));
  text += ".";
  const CriticalPlace& place = job.profile.paths[row].critical;
  if (!place.file.empty()) {
    text += fmt::format(" {} of that path's cycles are at {}.", Percent(place.Share()),
                        Printable(PlaceText(place.file, place.line)));
  }
  return text;
}

std::vector<std::string> LoopRemarks(const LoopsView& views) {
  std::vector<std::string> remarks;
  if (!views.why_no_text.empty()) {
    remarks.push_back("Instructions are not shown: " + views.why_no_text + ".");
  }
  if (!views.why_no_model.empty()) remarks.push_back(views.why_no_model);
  return remarks;
}

}  // namespace roofmark
