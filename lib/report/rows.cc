// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/profile/whole.h"
#include "lib/report/advice_words.h"
#include "lib/report/doubt_words.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/limit_color.h"
#include "lib/report/reason_list.h"
#include "lib/report/time_order.h"
#include "lib/report/words.h"

namespace roofmark {
namespace {

// FLOP/byte. What does less is copying or communication with a stray operation: its dot would
// stretch the chart by decades and say nothing.
constexpr double kLeastIntensity = 1e-3;
bool IsDeclared(const Value& value) { return value && value.status == Status::kDeclared; }

std::vector<std::string> Cells(const Derivation& of) {
  std::vector<std::string> cells;
  for (const DerivedInfo& info : TableValues()) cells.push_back(CellOf(info, of));
  return cells;
}

struct UniqueName {
  std::string around, own;  // "solve/", "sweep"

  std::string Text() const { return Printable(around + own); }
};

// Of each path its innermost regions, as few as make it unique.
std::vector<UniqueName> UniqueNames(const JobProfile& job) {
  std::vector<UniqueName> names;
  std::vector<std::string> rests;  // what is left of the paths
  for (const PathInfo& info : job.paths) {
    names.push_back({"", LeafName(info.path)});
    rests.emplace_back(ParentPath(info.path));
  }
  for (bool longer = true; longer;) {
    longer = false;
    std::map<std::string, size_t> times;
    for (const UniqueName& name : names) ++times[name.around + name.own];
    for (size_t p = 0; p < names.size(); ++p) {
      if (times[names[p].around + names[p].own] < 2 || rests[p].empty()) continue;
      names[p].around = LeafName(rests[p]) + "/" + names[p].around;
      rests[p] = std::string(ParentPath(rests[p]));
      longer = true;
    }
  }
  return names;
}

// Of the paths that have a dot, in the order of tables. Of more than there are letters those that
// take most of the time have the letters.
std::vector<std::string> DotKeys(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr size_t kLetters = 52;
  const std::vector<PathAnalysis>& paths = analysis.paths;
  std::vector<size_t> dots;
  for (const size_t p : TimeOrder(job, analysis)) {
    if (HasDot(paths[p])) dots.push_back(p);
  }
  std::vector<bool> has_letter(paths.size(), true);
  if (dots.size() > kLetters) {
    const auto time = [&](size_t p) { return paths[p].time_s ? *paths[p].time_s : 0; };
    std::vector<size_t> longest = dots;
    std::stable_sort(longest.begin(), longest.end(),
                     [&](size_t a, size_t b) { return time(a) > time(b); });
    for (size_t i = kLetters; i < longest.size(); ++i) has_letter[longest[i]] = false;
  }
  std::vector<std::string> keys(paths.size());
  size_t letters = 0, numbers = kLetters;
  for (const size_t p : dots) keys[p] = DotKey(has_letter[p] ? letters++ : numbers++);
  return keys;
}

// What a region takes, how fast it is, and what limits it.
bool Decides(std::string_view name) {
  constexpr std::string_view kNames[] = {"time_s", "time_share", "gflops", "efficiency", "limit"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

std::string NumberCell(NumberFormat format, const Value& value) {
  switch (format) {
    case NumberFormat::kSi:
      return OrDash(value, Si);
    case NumberFormat::kPercent:
      return OrDash(value, Percent);
    case NumberFormat::kSeconds:
      return OrDash(value, Seconds);
    case NumberFormat::kPlain:
      break;
  }
  // A prefix would say more than was measured.
  if (value && *value > 0 && *value < 0.0005) return "<0.001";
  return OrDash(value, Plain);
}

std::string TextCell(std::string_view text) { return std::string(text.empty() ? "-" : text); }

Column ColumnOf(const TableHead& head, std::string_view doc) {
  return {std::string(head.text), std::max(head.width, head.text.size()), std::string(doc),
          head.gives_way};
}

std::string CellOf(const DerivedInfo& info, const Derivation& of) {
  if (info.text != nullptr) return TextCell(info.text(of));
  const Value value = info.value(of);
  std::string cell = NumberCell(info.format, value);
  if (IsDeclared(value)) cell += kDeclaredMark;
  if (value && value.within) cell += kScaledMark;
  return cell;
}

size_t MarkWidth(const std::vector<Row>& rows, size_t column) {
  return std::any_of(rows.begin(), rows.end(),
                     [column](const Row& row) { return HasMark(row.cells[column]); })
             ? 1
             : 0;
}

std::span<const DerivedInfo> TableValues() {
  static const auto& values = *[] {
    auto* all = new std::vector<DerivedInfo>;
    for (const DerivedInfo& info : DerivedValues()) {
      if (info.head.place > 0) all->push_back(info);
    }
    std::sort(all->begin(), all->end(), [](const DerivedInfo& a, const DerivedInfo& b) {
      return a.head.place < b.head.place;
    });
    return all;
  }();
  return values;
}

const std::vector<Column>& ReportColumns() {
  static const auto& columns = *[] {
    auto* all = new std::vector<Column>;
    for (const DerivedInfo& info : TableValues()) {
      all->push_back(ColumnOf(info.head, info.doc));
      all->back().is_more = !Decides(info.name);
      all->back().is_text = info.text != nullptr;
      all->back().is_share = info.name == "time_share";
      all->back().is_limit = info.name == "limit";
    }
    return all;
  }();
  return columns;
}

std::string NameOf(const Row& row) {
  return row.key.empty() ? row.name : fmt::format("{} {}", row.key, row.name);
}

bool TakesTime(const PathAnalysis& path) {
  constexpr double kLeastTimeShare = 0.01;
  return !path.time_share || *path.time_share >= kLeastTimeShare;
}

std::string DotKey(size_t index) {
  if (index < 26) return std::string(1, static_cast<char>('A' + index));
  if (index < 52) return std::string(1, static_cast<char>('a' + index - 26));
  return std::to_string(index - 51);
}

bool HasDot(const PathAnalysis& path) {
  return path.roof_intensity && path.gflops && *path.roof_intensity >= kLeastIntensity &&
         *path.gflops > 0;
}

std::vector<Row> ReportRows(const JobProfile& job, const JobAnalysis& analysis) {
  const std::vector<UniqueName> names = UniqueNames(job);
  const std::vector<std::string> keys = DotKeys(job, analysis);
  std::vector<Row> rows;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    Row row;
    row.key = keys[p];
    row.share = analysis.paths[p].time_share ? *analysis.paths[p].time_share : 0;
    row.name = names[p].Text();
    row.around_bytes = Printable(names[p].around).size();
    row.is_found = job.paths[p].kind == RegionKind::kFound;
    row.depth = PathDepth(job.paths[p].path);
    row.cells = Cells({job, p, analysis.paths[p]});
    row.tone = InfoOf(LimitColorOf(analysis.paths[p].limit)).tone;
    rows.push_back(std::move(row));
  }
  return rows;
}

ReportJob WholeJob(const ReportJob& job) {
  ReportJob whole = {job.name, WholeOf(job.profile), {}};
  whole.analysis.roofs = job.analysis.roofs;
  whole.analysis.kinds = job.analysis.kinds;
  whole.analysis.paths = job.analysis.whole;
  return whole;
}

std::vector<Row> WholeRows(const ReportJob& job) {
  constexpr double kMuch = 0.05;
  const ReportJob whole = WholeJob(job);
  std::vector<Row> rows = ReportRows(whole.profile, whole.analysis);
  if (rows.empty()) return rows;
  constexpr auto kOutside = static_cast<size_t>(WholeRow::kOutside);
  constexpr auto kProgram = static_cast<size_t>(WholeRow::kProgram);
  rows[kOutside].key.clear();
  if (OutermostAreFound(job.profile)) rows[kOutside].name = "(elsewhere)";
  rows[kProgram].key = HasDot(whole.analysis.paths[kProgram]) ? kProgramKey : "";
  const Value& share = whole.analysis.paths[kOutside].time_share;
  if (!share || *share < kMuch) rows.erase(rows.begin() + kOutside);
  return rows;
}

std::vector<Row> TableRows(const ReportJob& job) {
  std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  for (Row& row : WholeRows(job)) rows.push_back(std::move(row));
  return rows;
}

std::vector<size_t> TableOrder(const std::vector<Row>& rows, size_t regions,
                               std::vector<size_t> paths) {
  for (size_t row = regions; row < rows.size(); ++row) {
    const bool is_program = row + 1 == rows.size();
    const auto at = std::find_if(paths.begin(), paths.end(), [&](size_t other) {
      return !is_program && rows[other].depth == 0 && rows[other].share < rows[row].share;
    });
    paths.insert(at, row);
  }
  return paths;
}

std::vector<size_t> TableOrder(const ReportJob& job, const std::vector<Row>& rows) {
  return TableOrder(rows, job.profile.paths.size(), TimeOrder(job.profile, job.analysis));
}

std::vector<std::string> MissingReasons(const JobProfile& job, const JobAnalysis& analysis) {
  ReasonList reasons;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    for (size_t c = 0; c < TableValues().size(); ++c) {
      const DerivedInfo& info = TableValues()[c];
      if (info.value == nullptr) continue;
      reasons.Note(info.value({job, p, analysis.paths[p]}), ReportColumns()[c].head);
    }
  }
  return reasons.Lines();
}

std::vector<std::string> Remarks(const JobProfile& job, const JobAnalysis& analysis) {
  const std::vector<UniqueName> names = UniqueNames(job);
  std::vector<std::string> remarks;
  std::vector<std::string> declared, undrawn, paused;
  std::map<std::string, bool> notes;
  const auto is_declared = [](const PathAnalysis& path) {
    return IsDeclared(path.total_flops) || IsDeclared(path.traffic_bytes[kDramLevel]);
  };
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    const std::string name = names[p].Text();
    if (is_declared(path)) declared.push_back(name);
    if (path.gflops && path.roof_intensity && *path.gflops > 0 && !HasDot(path)) {
      undrawn.push_back(name);
    }
    if (job.At(p, metric::kPauses).ranks > 0) paused.push_back(name);
    if (path.ceiling.note != MixNote::kNone) notes[NoteText(path.ceiling.note)] = true;
  }
  constexpr auto kProgram = static_cast<size_t>(WholeRow::kProgram);
  if (analysis.whole.size() == kWholeRows && is_declared(analysis.whole[kProgram])) {
    declared.push_back(fmt::format("{} (what its regions declare)", kProgramName));
  }
  if (!paused.empty()) {
    remarks.push_back(
        fmt::format("recording was paused while {} {} open: the time of {} includes the pauses, "
                    "the counts do not",
                    fmt::join(paused, ", "), paused.size() == 1 ? "was" : "were",
                    paused.size() == 1 ? "this region" : "these regions"));
  }
  if (!declared.empty()) {
    remarks.push_back(fmt::format("{} declared by the program, not measured: work of {}",
                                  kDeclaredMark, fmt::join(declared, ", ")));
  }
  if (std::string scaled = ExtrapolatedRemark(job, analysis); !scaled.empty()) {
    remarks.push_back(std::move(scaled));
  }
  for (std::string& more : std::vector{TakenInTurnsRemark(analysis), TurnsRemark(job)}) {
    if (!more.empty()) remarks.push_back(std::move(more));
  }
  for (std::string& note : LimitNotes(analysis)) remarks.push_back(std::move(note));
  if (!undrawn.empty()) {
    remarks.push_back(fmt::format("below {} FLOP/byte and not drawn: {}", kLeastIntensity,
                                  fmt::join(undrawn, ", ")));
  }
  for (const auto& entry : notes) remarks.push_back(entry.first);
  return remarks;
}

}  // namespace roofmark
