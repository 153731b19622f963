// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/match_visits.h"

#include <algorithm>
#include <vector>

#include "lib/profile/region_name.h"
#include "lib/profile/scale_cells.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

class Matcher {
 public:
  Matcher(const JobProfile& work, JobProfile& joined, const FoundRatios& found)
      : work_(work),
        joined_(joined),
        found_(found),
        ratios_(joined.paths.size(), 1),
        above_(joined.paths.size(), -1),
        changes_(joined.paths.size()) {}

  void Run() {
    for (size_t p = 0; p < ratios_.size(); ++p) FindRatio(p);
    for (size_t p = ratios_.size(); p-- > 0;) {
      if (changes_[p] && above_[p] >= 0) changes_[static_cast<size_t>(above_[p])] = true;
    }
    if (std::find(changes_.begin(), changes_.end(), true) == changes_.end()) return;
    for (MetricId id = 0; id < kMetrics; ++id) {
      if (GrowsWithVisits(id) && !IsMaximum(id)) ScaleSum(id);
    }
  }

 private:
  void FindRatio(size_t path) {
    above_[path] = joined_.FindPath(ParentPath(joined_.paths[path].path));
    const double around = above_[path] < 0 ? 1 : ratios_[static_cast<size_t>(above_[path])];
    const int in_work = work_.FindPath(joined_.paths[path].path);
    if (in_work < 0) return;
    const Cell& wanted = joined_.At(path, metric::kVisits);
    const Cell& counted = work_.At(static_cast<size_t>(in_work), metric::kVisits);
    if (joined_.paths[path].kind == RegionKind::kFound) {
      FindRatioOfFound(path, static_cast<size_t>(in_work), around);
    } else if (wanted.ranks == 0) {
      ratios_[path] = around;
    } else if (wanted.ranks == counted.ranks && wanted.Sum() > 0 && counted.Sum() > 0) {
      ratios_[path] = wanted.SumAsDouble() / counted.SumAsDouble();
    }
    changes_[path] = ratios_[path] != 1;
  }

  // A time pass does not know how often it was entered.
  void FindRatioOfFound(size_t path, size_t in_work, double around) {
    const auto found = found_.find(joined_.paths[path].path);
    const bool known = found != found_.end();
    ratios_[path] = known ? found->second.ratio : around;
    const double entries = work_.At(in_work, metric::kVisits).SumAsDouble();
    const double ratio = known && found->second.counted == entries ? ratios_[path] : around;
    for (const MetricId id : {metric::kVisits, metric::kTimedVisits}) {
      Cell visits = work_.At(in_work, id);
      if (ratio != 1) Scale(visits, ratio);
      joined_.cells.Set(path, id, visits);
    }
  }

  // Paths stand behind those around them.
  void ScaleSum(MetricId id) {
    std::vector<double> below(ratios_.size()), scaled_below(ratios_.size());
    double more = 0;  // of all regions
    for (size_t p = ratios_.size(); p-- > 0;) {
      const double all = joined_.At(p, id).SumAsDouble();
      const double own = std::max(0.0, all - below[p]);
      const double scaled = own * ratios_[p] + scaled_below[p];
      if (above_[p] >= 0) {
        below[static_cast<size_t>(above_[p])] += all;
        scaled_below[static_cast<size_t>(above_[p])] += changes_[p] ? scaled : all;
      }
      if (changes_[p]) ScaleRow(joined_, p, id, all > 0 ? scaled / all : 1);
      if (above_[p] < 0 && changes_[p]) more += scaled - all;
    }
    if (!joined_.whole.empty()) ScaleProgram(id, more);
  }

  // What lies outside of all regions stays as it was counted.
  void ScaleProgram(MetricId id, double more) {
    const CellRow program{joined_.whole, static_cast<size_t>(WholeRow::kProgram)};
    const double all = program[id].SumAsDouble();
    const double factor = all > 0 ? std::max(0.0, all + more) / all : 1;
    ScaleCells(program, id, factor);
  }

  const JobProfile& work_;
  JobProfile& joined_;
  const FoundRatios& found_;
  std::vector<double> ratios_;  // of visits: as many as there are to those that were counted
  std::vector<int> above_;      // the path around it; -1: none
  std::vector<bool> changes_;   // it or a path below has a ratio that is not 1
};

}  // namespace

bool IsOfTimePass(MetricId id) {
  return id == metric::kVisits || id == metric::kTimedVisits || id == metric::kPauses ||
         id == metric::kLongestVisitNs || id == metric::kTimeNs || id == metric::kMarkerNs ||
         id == metric::kTimeMarginNs || IsOfWrappers(id) || IsOfKernel(id) ||
         id == metric::kDeclaredFlops || id == metric::kDeclaredBytes ||
         id == metric::kDeclaredOperations;
}

bool GrowsWithVisits(MetricId id) { return !IsOfTimePass(id) && !IsNumberOfUnits(id); }

void MatchVisits(const JobProfile& work, JobProfile& joined, const FoundRatios& found) {
  Matcher(work, joined, found).Run();
}

}  // namespace roofmark
