// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/whole_program.h"

#include "lib/profile/totals.h"
#include "lib/profile/whole.h"

namespace roofmark::fold {
namespace {

class WholeEmitter {
 public:
  WholeEmitter(const FoldInput& input, PathSums& sums, JobProfile& profile)
      : in_(input), sums_(sums), profile_(profile), paths_(sums.paths()) {}

  void Emit() {
    uint64_t inside_ns = 0;
    for (size_t p = 1; p < paths_; ++p)
      inside_ns += in_.nodes[p].parent == 0 ? sums_.rows[p][metric::kTimeNs] : 0;
    sums_.program()[metric::kTimeNs] = in_.program_ns;
    sums_.outside()[metric::kTimeNs] = in_.program_ns - std::min(in_.program_ns, inside_ns);
    if (in_.kernel) FindKernelOfWhole(*in_.kernel);
    profile_.whole = CellTable(kWholeRows);
    JobProfile whole = WholeOf(profile_);
    const auto emit = [&](WholeRow row, MetricId id, uint64_t value) {
      const Status status = profile_.sources[id].status;
      if (!HasValue(status)) return;
      whole.At(static_cast<size_t>(row), id) = Cell::Of(value, in_.rank, status);
    };
    for (const auto& [row, path] :
         {std::pair(WholeRow::kProgram, size_t{0}), std::pair(WholeRow::kOutside, paths_)}) {
      LimitWaits(sums_.rows[path]);
      emit(row, metric::kTimeNs, sums_.rows[path][metric::kTimeNs]);
      for (MetricId id = 0; id < kMetrics; ++id) {
        if (IsOfWrappers(id) || (IsOfKernel(id) && in_.kernel) ||
            (in_.outside_is_counted && IsCounted(id))) {
          emit(row, id, sums_.rows[path][id]);
        }
      }
    }
    for (const MetricId id : {metric::kVisits, metric::kTimedVisits})
      emit(WholeRow::kProgram, id, 1);
    emit(WholeRow::kProgram, metric::kMarkerNs, sums_.program()[metric::kMarkerNs]);
    for (const MetricId id : {metric::kDeclaredFlops, metric::kDeclaredBytes}) {
      if (sums_.program()[id] > 0) emit(WholeRow::kProgram, id, sums_.program()[id]);
    }
    DoubtWhole(whole);
    FillTotals(whole);
    profile_.whole = std::move(whole.cells);
  }

 private:
  // Counts of threads, which add up over all paths.
  bool IsCounted(MetricId id) const {
    if (IsUser(id)) return MetricScope(profile_, id) == Scope::kThread && !sums_.is_inclusive[id];
    return (IsFlops(id) || IsApart(id) || id == metric::kWorkers || id == metric::kWorkerFlopsMax ||
            id == metric::kWorkerBytesMax || IsDependence(id) ||
            id == metric::kWorkerDependenceCyclesMax || IsOfWindowLines(id) || IsMargin(id) ||
            (id >= metric::kInstructions && id <= metric::kLastLevelMisses)) &&
           !sums_.is_inclusive[id];
  }

  void FindKernelOfWhole(const KernelCounts& program) {
    KernelCounts inside;
    for (size_t p = 1; p < paths_; ++p) {
      if (in_.nodes[p].parent != 0) continue;
      const MetricRow& row = sums_.rows[p];
      inside.Add({row[metric::kPageFaults], row[metric::kSystemNs], row[metric::kPreemptions]});
    }
    AddKernel(sums_.program(), program);
    AddKernel(sums_.outside(), program.Since(inside));
  }

  // What is wrong in any path is wrong in the program.
  void DoubtWhole(JobProfile& whole) const {
    const auto doubt = [&](WholeRow row, MetricId id, Status status) {
      Cell& cell = whole.At(static_cast<size_t>(row), id);
      if (cell.ranks > 0 && !HasValue(status)) cell = Cell::Of(0, in_.rank, status);
      if (cell.ranks > 0) cell.status_bits |= Bit(status);
    };
    for (const auto& [where, status] : in_.doubts) {
      const auto [path, id] = where;
      for (const WholeRow row : {WholeRow::kProgram, WholeRow::kOutside}) {
        if (row == WholeRow::kOutside && path != 0) break;
        doubt(row, id, status);
        if (IsFlops(id)) doubt(row, metric::kWorkerFlopsMax, status);
        if (id == metric::kDependenceCycles) {
          doubt(row, metric::kWorkerDependenceCyclesMax, status);
        }
      }
    }
  }

  const FoldInput& in_;
  PathSums& sums_;
  JobProfile& profile_;
  const size_t paths_;
};

}  // namespace

void EmitWholeProgram(const FoldInput& input, PathSums& sums, JobProfile& profile) {
  WholeEmitter(input, sums, profile).Emit();
}

}  // namespace roofmark::fold
