// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/first_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "lib/core/found_name.h"
#include "lib/core/shell_word.h"
#include "lib/core/tone.h"
#include "lib/model/advice.h"
#include "lib/model/health.h"
#include "lib/model/work.h"
#include "lib/profile/whole.h"
#include "lib/report/advice_words.h"
#include "lib/report/deed_words.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/rows.h"
#include "lib/report/time_order.h"

namespace roofmark {
namespace {

constexpr size_t kMostDeeds = 5, kMostQuestions = 2, kMostFirstName = 22;
constexpr int kWidest = 100;  // what is saved stands beside its deed

// "7-11 %": of `whole`.
std::string PartOfRun(const TimeInterval& interval, double whole) {
  const double least = 100 * interval.least / whole, most = 100 * interval.most / whole;
  const auto digits = [](double value) {
    return fmt::format("{:.{}f}", value, value > 0.05 && value < 0.95 ? 1 : 0);
  };
  const std::string low = digits(least), high = digits(most);
  return low == high ? high + " %" : fmt::format("{}-{} %", low, high);
}

struct FirstRow {
  std::string rank;  // a number, or "?"; of a deed: empty, until all are there
  Row region;
  std::string deed = {};
  std::string below = {};                // in lines of its own
  std::string saves = {}, percent = {};  // of a question: empty
  std::string beside = {};               // of a question: what helps
};

std::string Joined(std::string text, const std::string& more) {
  return more.empty() ? text : text.append("; ").append(more);
}

FirstRow DeedRow(const Row& region, const Deed& deed, const Advice& advice, const Value& wall) {
  FirstRow row = {{}, region, deed.deed, {}, SavesText(advice.saves), {}, {}};
  row.below = Joined(Joined(deed.why, deed.means), deed.place);
  if (wall && *wall > 0) row.percent = PartOfRun(advice.saves, *wall);
  return row;
}

// What shows the code of a region.
std::string HowToLook(const ReportJob& job, size_t path) {
  if (!job.has_loops) return "`roofmark run --loops` records its code";
  constexpr size_t kLongFile = 16;
  const std::string file = job.name.size() > kLongFile ? "FILE" : ShellWord(job.name);
  const std::string leaf = LeafName(job.profile.paths[path].path);
  const std::optional<LoopName> loop = LoopName::Of(leaf);
  return fmt::format("`roofmark loops {} {}`", file,
                     ShellWord(loop ? std::string(loop->place) : leaf));
}

FirstRow QuestionRow(const ReportJob& job, const Row& region, const Deed& deed, size_t path) {
  return {
      "?", region, fmt::format("{}: {}", deed.deed, deed.why), {}, {}, {}, HowToLook(job, path)};
}

// What takes most of the time that no region covers.
struct OutsideCause {
  AdviceKind kind = AdviceKind::kUnexplained;
  double seconds = 0;  // 0: not known
};

OutsideCause CauseOf(const PathAnalysis& outside) {
  constexpr double kMostly = 0.5;
  const TimeSplit& split = outside.split;
  const double least = kMostly * *outside.time_s;
  const Waiting& waiting = outside.waiting;
  if (split.inside_mpi_s > least) return {AdviceKind::kMpiWork, split.inside_mpi_s};
  if (split.in_kernel_s > least) return {AdviceKind::kKernel, split.in_kernel_s};
  if (waiting.idle_s && *waiting.idle_s > least) {
    return {AdviceKind::kWaiting, std::min(*waiting.idle_s, *outside.time_s)};
  }
  return {};
}

// Its cause is known, so that it stands among the deeds.
FirstRow OutsideDeed(const Row& region, const PathAnalysis& outside, const OutsideCause& cause,
                     const Value& wall) {
  const bool in_mpi = cause.kind == AdviceKind::kMpiWork;
  FirstRow row = {.rank = {}, .region = region};
  row.deed = in_mpi ? "Spend less time in MPI there" : "Spend less time in the operating system";
  row.below = in_mpi ? fmt::format(
                           "{} of {}; MPI_Init and MPI_Finalize are in it: a longer run has "
                           "less of it",
                           Seconds(cause.seconds), Seconds(*outside.time_s))
                     : KernelSentence(outside);
  const TimeInterval saves = {0, cause.seconds};
  row.saves = SavesText(saves);
  if (wall && *wall > 0) row.percent = PartOfRun(saves, *wall);
  return row;
}

FirstRow OutsideQuestion(const ReportJob& job, const Row& region, const PathAnalysis& outside,
                         const OutsideCause& cause) {
  const std::string share = Percent(*outside.time_share);
  const bool found = OutermostAreFound(job.profile);
  FirstRow row = {.rank = "?", .region = region};
  row.deed = share + (found ? " of the run lies in no loop that was found"
                            : " of the run lies outside of all regions");
  if (cause.kind == AdviceKind::kWaiting) {
    row.deed += "; " + IdleText(outside.waiting);
  } else {
    row.beside = found ? "many small parts, or waiting" : "put markers around the loops there";
  }
  return row;
}

// The time that no region covers stands where its time belongs, if it is much.
void AddOutside(const ReportJob& job, const std::vector<std::pair<Advice, Deed>>& deeds,
                std::vector<FirstRow>& rows) {
  constexpr double kMuch = 0.1;
  const std::vector<Row> whole = WholeRows(job);
  if (whole.size() != kWholeRows) return;
  const PathAnalysis& outside = job.analysis.whole[static_cast<size_t>(WholeRow::kOutside)];
  if (!outside.time_share || *outside.time_share < kMuch || !outside.time_s) return;
  const OutsideCause cause = CauseOf(outside);
  auto at = rows.begin();
  if (cause.kind == AdviceKind::kMpiWork || cause.kind == AdviceKind::kKernel) {
    const Advice advice = {
        .ease = Ease::kRestructuring, .saves = {0, cause.seconds}, .expected_s = cause.seconds / 2};
    for (const auto& [other, deed] : deeds) at += ScoreOf(other) >= ScoreOf(advice) ? 1 : 0;
    rows.insert(at, OutsideDeed(whole[0], outside, cause, WallTime(job.profile)));
    return;
  }
  at += static_cast<ptrdiff_t>(deeds.size());
  while (at != rows.end() && at->region.share >= *outside.time_share) ++at;
  rows.insert(at, OutsideQuestion(job, whole[0], outside, cause));
}

// What the table shows, in its order; and of what it does not, how much.
struct FirstAdvice {
  std::vector<std::pair<Advice, Deed>> deeds, questions;
  size_t more = 0;            // deeds and questions
  std::set<size_t> left_out;  // the regions that they are about
};

FirstAdvice FirstAdviceOf(const ReportJob& job, Detail detail) {
  FirstAdvice first;
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    const Deed deed = DeedOf(advice, job);
    auto& kind = deed.is_question ? first.questions : first.deeds;
    const size_t most = deed.is_question ? kMostQuestions : kMostDeeds;
    if (detail == Detail::kAll || kind.size() < most) {
      kind.emplace_back(advice, deed);
    } else {
      ++first.more;
      first.left_out.insert(advice.path);
    }
  }
  return first;
}

std::vector<FirstRow> AllRows(const ReportJob& job, const FirstAdvice& first) {
  const std::vector<Row> regions = ReportRows(job.profile, job.analysis);
  const Value wall = WallTime(job.profile);
  std::vector<FirstRow> rows;
  for (const auto& [advice, deed] : first.deeds) {
    rows.push_back(DeedRow(regions[advice.path], deed, advice, wall));
  }
  for (const auto& [advice, deed] : first.questions) {
    rows.push_back(QuestionRow(job, regions[advice.path], deed, advice.path));
  }
  AddOutside(job, first.deeds, rows);
  size_t rank = 0;
  for (FirstRow& row : rows) {
    if (row.rank.empty()) row.rank = std::to_string(++rank);
  }
  return rows;
}

// "3 more are not shown, in regions that take 12 % of the run: --all shows them". Of regions inside
// each other the time counts once.
std::string NotShown(const ReportJob& job, const FirstAdvice& first) {
  if (first.more == 0) return {};
  const TimedTree tree(job.profile, job.analysis);
  const Value wall = WallTime(job.profile);
  double own = 0;
  for (const size_t path : first.left_out) own += tree.Own(path);
  const std::string time =
      wall && *wall > 0 ? fmt::format(", in regions with {} of the run", Percent(own / *wall)) : "";
  return fmt::format("{} more {} not shown{}: --all shows {}", first.more,
                     first.more == 1 ? "is" : "are", time, first.more == 1 ? "it" : "them");
}

// Lines of at most `width` columns.
std::vector<std::string> WrappedLines(const std::string& text, size_t width) {
  std::vector<std::string> lines;
  if (text.empty()) return lines;
  const std::string wrapped = Wrap(text, width, 0);
  for (size_t begin = 0; begin < wrapped.size();) {
    const size_t end = wrapped.find('\n', begin);
    lines.push_back(wrapped.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

class FirstLayout {
 public:
  FirstLayout(const std::vector<FirstRow>& rows, const TextStyle& style)
      : width_(static_cast<size_t>(std::clamp(style.width, kMinWidth, kWidest))),
        mark_(style.unicode ? "…" : ".."),
        color_(style.color) {
    for (const FirstRow& row : rows) {
      key_ = std::max(key_, row.region.key.size());
      name_ = std::max(name_, std::min(DisplayWidth(row.region.name), kMostFirstName));
      saves_ = std::max(saves_, row.saves.size());
      percent_ = std::max(percent_, row.percent.size());
    }
  }

  std::string Title(const std::string& title, const Value& wall) const {
    const std::string strong = Toned(color_, Tone::kStrong, title);
    if (saves_ == 0) return strong + "\n";
    const std::string right = wall ? fmt::format("may save (of {})", Seconds(*wall)) : "may save";
    return strong + PadLeft(right, width_ - title.size()) + "\n";
  }

  std::string Text(const FirstRow& row) const {
    const size_t begin = 2 + key_ + 1 + name_ + 2, room = width_ - begin;
    std::string right = row.beside;
    if (!row.saves.empty()) {
      right =
          PadLeft(row.saves, saves_) + (percent_ > 0 ? "  " + PadLeft(row.percent, percent_) : "");
    }
    std::vector<std::string> lines = WrappedLines(row.deed, Middle(row, right, room));
    const bool fits = DisplayWidth(lines[0]) + 2 + DisplayWidth(right) <= room;
    if (fits) lines[0] += PadLeft(right, room - DisplayWidth(lines[0]));
    for (const std::string& line : WrappedLines(fits ? row.below : right, room))
      lines.push_back(line);
    const std::string name = PadRight(row.region.key, key_ + 1) +
                             PadRight(ShortName(row.region, name_, mark_), name_ + 2);
    std::string out = PadRight(row.rank, 2) + Toned(color_, Tone::kStrong, name);
    for (size_t i = 0; i < lines.size(); ++i) {
      out += (i > 0 ? std::string(begin, ' ') : "") + lines[i] + "\n";
    }
    return out;
  }

 private:
  // What is left of a deed beside its gain; a question has all of the room where what helps is as
  // long.
  static size_t Middle(const FirstRow& row, const std::string& right, size_t room) {
    constexpr size_t kLeastMiddle = 20;
    const size_t taken = DisplayWidth(right) + 2;
    if (!row.saves.empty()) return room > taken + kLeastMiddle ? room - taken : kLeastMiddle;
    return DisplayWidth(row.deed) + taken <= room ? room - taken : room;
  }

  size_t width_, key_ = 1, name_ = 6, saves_ = 0, percent_ = 0;
  std::string_view mark_;
  bool color_;
};

}  // namespace

std::string SavesText(const TimeInterval& interval) {
  constexpr double kEqual = 0.95, kNothing = 0.01;  // as IntervalText()
  const std::string most = SiUnit(interval.most, "s");
  const size_t blank = most.find(' ');
  const double shown = std::strtod(most.c_str(), nullptr), scale = shown / interval.most;
  const auto digits = [](double value) {
    return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0);
  };
  if (interval.least >= kEqual * interval.most) return digits(shown) + most.substr(blank);
  const double least = interval.least * scale;
  return (least < kNothing * shown ? "0" : digits(least)) + "-" + digits(shown) +
         most.substr(blank);
}

std::string FirstTable(const ReportJob& job, const TextStyle& style) {
  const FirstAdvice first = FirstAdviceOf(job, style.detail);
  const std::vector<FirstRow> rows = AllRows(job, first);
  if (rows.empty()) return {};
  const FirstLayout layout(rows, style);
  std::string out = layout.Title(FirstTitle(job), WallTime(job.profile));
  for (const FirstRow& row : rows) out += layout.Text(row);
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  for (const std::string& line : {NotShown(job, first), FirstOrder(first.deeds.size())}) {
    if (!line.empty()) out += "  " + Wrap(line, width - 2, 2);
  }
  return out;
}

bool SaysPageFaults(const ReportJob& job) {
  const FirstAdvice first = FirstAdviceOf(job, Detail::kShort);
  return std::any_of(first.deeds.begin(), first.deeds.end(), [&job](const auto& shown) {
    const Advice& advice = shown.first;
    return advice.kind == AdviceKind::kKernel && SuppliesPages(job.analysis.paths[advice.path]);
  });
}

}  // namespace roofmark
