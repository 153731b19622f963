// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/moved_visits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "lib/profile/match_visits.h"
#include "lib/profile/region_name.h"
#include "lib/profile/scale_cells.h"

namespace roofmark {
namespace {

struct Row {
  const PathInfo* info;
  int in_time = -1, in_work = -1;
  int above = -1;                // the row of the path around it
  int to = -1;                   // the row of the result; -1: it has no visit left
  double time = 0, counted = 0;  // visits of all ranks
  bool moves = false;            // its region's visits are spread otherwise
};

using Group = std::vector<size_t>;  // the rows of one region

double VisitsOf(const JobProfile& job, int path) {
  return path < 0 ? 0 : job.At(static_cast<size_t>(path), metric::kVisits).SumAsDouble();
}

class Mover {
 public:
  Mover(const JobProfile& time, const JobProfile& work) : time_(time), before_(work) {
    AddRows();
    FindGroups();
  }

  std::optional<MovedWork> Run() {
    if (groups_.empty()) return std::nullopt;
    std::set<std::string> names;
    for (const Group& group : groups_) names.insert(LeafName(rows_[group[0]].info->path));
    Place();
    TakeRows();
    for (MetricId id = 0; id < kMetrics; ++id) {
      if (before_.cells.Has(id) && GrowsWithVisits(id) && !IsMaximum(id)) MoveCounts(id);
    }
    return MovedWork{std::move(work_), {names.begin(), names.end()}};
  }

 private:
  void AddRows() {
    std::map<std::string_view, const PathInfo*> all;
    for (const JobProfile* job : {&before_, &time_}) {
      for (const PathInfo& info : job->paths) all.emplace(info.path, &info);
    }
    std::map<std::string_view, int> place;
    for (const auto& [path, info] : all) {
      Row row = {.info = info, .in_time = time_.FindPath(path), .in_work = before_.FindPath(path)};
      row.time = VisitsOf(time_, row.in_time);
      row.counted = VisitsOf(before_, row.in_work);
      place[path] = static_cast<int>(rows_.size());
      const auto above = place.find(ParentPath(path));
      if (above != place.end()) row.above = above->second;
      rows_.push_back(row);
    }
  }

  void FindGroups() {
    using Region = std::tuple<std::string, std::string, uint32_t, RegionKind>;
    std::map<Region, Group> regions;
    for (size_t r = 0; r < rows_.size(); ++r) {
      const PathInfo& info = *rows_[r].info;
      if (info.kind == RegionKind::kFound) continue;  // a time pass knows none of its visits
      regions[{LeafName(info.path), info.file, info.line, info.kind}].push_back(r);
    }
    for (const auto& [region, group] : regions) {
      if (IsSpreadOtherwise(group)) groups_.push_back(group);
    }
    for (const Group& group : groups_) Mark(group, true);
    // Where one does not move, a region below may have nowhere to go.
    while (DropHomeless() > 0) continue;
  }

  bool IsSpreadOtherwise(const Group& group) const {
    double time = 0, counted = 0;
    bool differs = false;
    for (const size_t r : group) {
      time += rows_[r].time;
      counted += rows_[r].counted;
      differs |= rows_[r].time != rows_[r].counted;
    }
    return differs && time == counted;
  }

  size_t DropHomeless() {
    return std::erase_if(groups_, [this](const Group& group) {
      const bool home = std::all_of(group.begin(), group.end(), [this](size_t r) {
        const Row& row = rows_[r];
        if (row.above < 0 || (row.time > 0 && row.counted > 0)) return true;
        const Row& around = rows_[static_cast<size_t>(row.above)];
        return around.moves || (around.time > 0 && around.counted > 0);
      });
      if (!home) Mark(group, false);
      return !home;
    });
  }

  void Mark(const Group& group, bool moves) {
    for (const size_t r : group) rows_[r].moves = moves;
  }

  void Place() {
    std::vector<bool> kept(rows_.size());
    for (size_t r = rows_.size(); r-- > 0;) {
      kept[r] = kept[r] || !rows_[r].moves || rows_[r].time > 0;
      if (kept[r] && rows_[r].above >= 0) kept[static_cast<size_t>(rows_[r].above)] = true;
    }
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (!kept[r]) continue;
      rows_[r].to = static_cast<int>(work_.paths.size());
      work_.paths.push_back(*rows_[r].info);
    }
  }

  void TakeRows() {
    work_.run = before_.run;
    work_.sources = before_.sources;
    work_.whole = before_.whole;
    work_.rank_hosts = before_.rank_hosts;
    work_.cells = CellTable(work_.paths.size());
    work_.spreads.resize(before_.spreads.empty() ? 0 : work_.paths.size() * kSpreads);
    for (const Row& row : rows_) {
      if (row.to < 0) continue;
      const auto to = static_cast<size_t>(row.to);
      if (row.in_work >= 0) TakeRow(static_cast<size_t>(row.in_work), to);
      if (!row.moves) continue;
      work_.cells.At(to, metric::kVisits) =
          row.in_time < 0 ? Cell() : time_.At(static_cast<size_t>(row.in_time), metric::kVisits);
    }
  }

  void TakeRow(size_t from, size_t to) {
    for (MetricId id = 0; id < kMetrics; ++id) work_.cells.Set(to, id, before_.At(from, id));
    for (size_t m = 0; m < kSpreads && !before_.spreads.empty(); ++m) {
      work_.spreads[to * kSpreads + m] = before_.spreads[from * kSpreads + m];
    }
  }

  // Paths stand behind those around them.
  void MoveCounts(MetricId id) {
    std::vector<double> all(rows_.size()), own(rows_.size());
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].in_work >= 0) {
        all[r] = before_.At(static_cast<size_t>(rows_[r].in_work), id).SumAsDouble();
      }
      own[r] = all[r];
    }
    for (size_t r = rows_.size(); r-- > 0;) {
      if (rows_[r].above >= 0) own[static_cast<size_t>(rows_[r].above)] -= all[r];
    }
    const std::vector<double> was = own;
    for (const Group& group : groups_) Give(group, own);
    std::vector<double> more(rows_.size());
    for (size_t r = rows_.size(); r-- > 0;) {
      more[r] += own[r] - was[r];
      if (rows_[r].above >= 0) more[static_cast<size_t>(rows_[r].above)] += more[r];
    }
    for (size_t r = 0; r < rows_.size(); ++r) SetSum(rows_[r].to, id, all[r], all[r] + more[r]);
    for (const Group& group : groups_) Seed(group, id, all, more);
  }

  // What the mean visits that some paths have too many of did is shared by those that lack some.
  void Give(const Group& group, std::vector<double>& own) const {
    double given = 0, lacking = 0;
    for (const size_t r : group) {
      const Row& row = rows_[r];
      lacking += std::max(0.0, row.time - row.counted);
      if (row.counted <= row.time) continue;
      const double part = std::max(0.0, own[r]) * (1 - row.time / row.counted);
      given += part;
      own[r] -= part;
    }
    for (const size_t r : group) {
      own[r] += given * std::max(0.0, rows_[r].time - rows_[r].counted) / lacking;
    }
  }

  void SetSum(int row, MetricId id, double was, double now) {
    if (row < 0 || was <= 0 || std::abs(now - was) < 0.5) return;
    ScaleRow(work_, static_cast<size_t>(row), id, std::max(0.0, now) / was);
  }

  // Paths that were not entered have counts like the one of their region that counted most.
  void Seed(const Group& group, MetricId id, const std::vector<double>& all,
            const std::vector<double>& more) {
    const size_t like = *std::max_element(group.begin(), group.end(),
                                          [&](size_t a, size_t b) { return all[a] < all[b]; });
    if (rows_[like].in_work < 0) return;
    const auto from = static_cast<size_t>(rows_[like].in_work);
    for (const size_t r : group) {
      if (rows_[r].in_work >= 0) continue;
      const auto to = static_cast<size_t>(rows_[r].to);
      for (MetricId other = 0; other < kMetrics; ++other) {
        const bool goes_along = other == id || IsMaximum(other) || IsNumberOfUnits(other);
        if (!goes_along || std::as_const(work_).At(to, other).ranks > 0) continue;
        work_.cells.Set(to, other, before_.At(from, other));
      }
      ScaleCells({work_.cells, to}, id, all[like] > 0 ? std::max(0.0, more[r]) / all[like] : 1);
    }
  }

  const JobProfile& time_;
  const JobProfile& before_;
  JobProfile work_;
  std::vector<Row> rows_;
  std::vector<Group> groups_;
};

}  // namespace

std::optional<MovedWork> MoveVisits(const JobProfile& time, const JobProfile& work) {
  return Mover(time, work).Run();
}

}  // namespace roofmark
