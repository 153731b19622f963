// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/fold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/profile/totals.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

using Row = std::array<uint64_t, kMetrics>;

// value * numerator / denominator without overflow, rounded to nearest.
uint64_t ScaleBy(uint64_t value, uint64_t numerator, uint64_t denominator) {
  if (numerator == denominator || denominator == 0) return value;
  return static_cast<uint64_t>((static_cast<Sum128>(value) * numerator + denominator / 2) /
                               denominator);
}

struct Visits {
  uint64_t all = 0, measured = 0;
};

// As in ThreadPathTotals.
struct TeamTicks {
  uint64_t parallel_ticks = 0, team_ticks = 0, busy_ticks = 0, busiest_ticks = 0;

  void Add(const TeamTicks& other) {
    parallel_ticks += other.parallel_ticks;
    team_ticks += other.team_ticks;
    busy_ticks += other.busy_ticks;
    busiest_ticks += other.busiest_ticks;
  }
};

uint64_t OfAllVisits(const ThreadPathTotals& own, uint64_t value) {
  return own.of_all_visits ? value : ScaleBy(value, own.visits, own.measured);
}

TeamTicks TeamTicksOf(const ThreadPathTotals& own) {
  const auto all = [&own](uint64_t value) { return OfAllVisits(own, value); };
  return {all(own.parallel_ticks), all(own.team_ticks), all(own.busy_ticks),
          all(own.busiest_ticks)};
}

KernelCounts KernelOf(const ThreadPathTotals& own) {
  const auto all = [&own](uint64_t value) { return OfAllVisits(own, value); };
  return {all(own.kernel.page_faults), all(own.kernel.system_ns), all(own.kernel.preemptions)};
}

class Folder {
 public:
  Folder(const FoldInput& input, JobProfile& profile)
      : in_(input), profile_(profile), paths_(input.nodes.size()), rows_(paths_ + 1, Row{}) {}

  void Run() {
    SumThreads();
    SumWorkers();
    TakeInclusive();
    SpreadDoubts();
    Emit();
    for (const SharedPart& part : in_.shared) EmitShared(part);
    FillTotals(profile_);
    if (in_.program_ns > 0) EmitWhole();
  }

 private:
  void SumThreads() {
    visits_.resize(paths_);
    FindOperations();
    for (const auto& thread : in_.threads) {
      std::vector<ThreadPathTotals> inclusive = thread;
      inclusive.resize(paths_);
      std::vector<uint64_t> mpi_ticks(paths_);
      std::vector<TeamTicks> team_ticks(paths_);
      std::vector<KernelCounts> kernel(paths_);
      for (size_t p = paths_; p-- > 1;) {
        const ThreadPathTotals& totals = inclusive[p];
        visits_[p].all += totals.visits;
        visits_[p].measured += totals.measured;
        rows_[p][metric::kDeclaredFlops] += totals.declared_flops;
        rows_[p][metric::kDeclaredBytes] += totals.declared_bytes;
        rows_[p][metric::kPauses] += totals.pauses;
        uint64_t& time = rows_[p][metric::kTimeNs];
        time = std::max(time, OfAllVisits(totals, Ns(totals.ticks)));
        uint64_t& margin = rows_[p][metric::kTimeMarginNs];
        margin = std::max(margin, Ns(totals.margin_ticks));
        mpi_ticks[p] += OfAllVisits(totals, totals.mpi_ticks);
        mpi_ticks[in_.nodes[p].parent] += mpi_ticks[p];
        team_ticks[p].Add(TeamTicksOf(totals));
        team_ticks[in_.nodes[p].parent].Add(team_ticks[p]);
        TakeWaits(rows_[p], mpi_ticks[p], team_ticks[p]);
        kernel[p].Add(KernelOf(totals));
        kernel[in_.nodes[p].parent].Add(kernel[p]);
        TakeKernel(rows_[p], kernel[p]);
        uint64_t& longest = rows_[p][metric::kLongestVisitNs];
        longest = std::max(longest, Ns(totals.longest_ticks));
        SumPairs(p, inclusive);
        // Declared work is inclusive as measured work is.
        ThreadPathTotals& parent = inclusive[in_.nodes[p].parent];
        parent.declared_flops += totals.declared_flops;
        parent.declared_bytes += totals.declared_bytes;
        if (totals.operation != operation_[p]) continue;
        rows_[p][metric::kDeclaredOperations] += totals.operations;
        if (operation_[in_.nodes[p].parent] != totals.operation) continue;
        if (parent.operation == 0) parent.operation = totals.operation;
        if (parent.operation == totals.operation) parent.operations += totals.operations;
      }
      if (inclusive.empty()) continue;
      const TeamTicks outside = TeamTicksOf(inclusive[0]);
      TakeWaits(rows_[paths_], inclusive[0].mpi_ticks, outside);
      team_ticks[0].Add(outside);
      TakeWaits(rows_[0], mpi_ticks[0] + inclusive[0].mpi_ticks, team_ticks[0]);
      rows_[0][metric::kDeclaredFlops] += inclusive[0].declared_flops;
      rows_[0][metric::kDeclaredBytes] += inclusive[0].declared_bytes;
      uint64_t& marker_ns = rows_[0][metric::kMarkerNs];
      marker_ns = std::max(marker_ns, ScaleBy(inclusive[0].pairs, in_.marker_pair_ps, 1000));
    }
    AddFoundVisits();
    for (size_t p = 1; p < paths_; ++p) {
      rows_[p][metric::kVisits] = visits_[p].all;
      rows_[p][metric::kTimedVisits] = visits_[p].measured;
      LimitWaits(rows_[p]);
    }
  }

  void AddFoundVisits() {
    for (const auto& [path, by_worker] : in_.found_visits) {
      uint64_t most = 0;
      for (const auto& [worker, visits] : by_worker) most = std::max(most, visits);
      visits_[path].all += most;
      visits_[path].measured += most;
    }
  }

  uint64_t Ns(uint64_t ticks) const {
    return static_cast<uint64_t>(std::llround(static_cast<double>(ticks) * in_.ns_per_tick));
  }

  // Time inside MPI and in the parallel regions that one thread began, children included.
  void TakeWaits(Row& row, uint64_t mpi_ticks, const TeamTicks& teams) const {
    row[metric::kMpiNs] = std::max(row[metric::kMpiNs], Ns(mpi_ticks));
    row[metric::kParallelNs] = std::max(row[metric::kParallelNs], Ns(teams.parallel_ticks));
    row[metric::kOpenMpBusyNs] += Ns(teams.busy_ticks);
    row[metric::kOpenMpBusiestNs] += Ns(teams.busiest_ticks);
    row[metric::kOpenMpWaitNs] +=
        Ns(teams.team_ticks - std::min(teams.team_ticks, teams.busy_ticks));
  }

  static void TakeKernel(Row& row, const KernelCounts& counts) {
    row[metric::kPageFaults] += counts.page_faults;
    row[metric::kSystemNs] += counts.system_ns;
    row[metric::kPreemptions] += counts.preemptions;
  }

  // They are parts of the time.
  static void LimitWaits(Row& row) {
    uint64_t& mpi = row[metric::kMpiNs];
    mpi = std::min(mpi, row[metric::kTimeNs]);
    row[metric::kOutsideMpiNs] = row[metric::kTimeNs] - mpi;
    uint64_t& parallel = row[metric::kParallelNs];
    parallel = std::min(parallel, row[metric::kTimeNs]);
  }

  // The threads' markers run side by side: those of the busiest thread count.
  void SumPairs(size_t path, std::vector<ThreadPathTotals>& inclusive) {
    const uint64_t pairs = inclusive[path].visits + inclusive[path].pairs;
    inclusive[in_.nodes[path].parent].pairs += pairs;
    uint64_t& marker_ns = rows_[path][metric::kMarkerNs];
    marker_ns = std::max(marker_ns, ScaleBy(pairs, in_.marker_pair_ps, 1000));
  }

  // Children have higher numbers than their parents.
  void FindOperations() {
    constexpr uint32_t kSeveral = ~uint32_t{0};
    std::vector<uint32_t> below(paths_, 0);
    operation_.assign(paths_, 0);
    for (const auto& thread : in_.threads) {
      for (size_t p = 1; p < std::min(paths_, thread.size()); ++p) {
        if (operation_[p] == 0) operation_[p] = thread[p].operation;
      }
    }
    for (size_t p = paths_; p-- > 1;) {
      if (operation_[p] == 0 && below[p] != kSeveral) operation_[p] = below[p];
      if (operation_[p] == 0 && below[p] == 0) continue;
      uint32_t& above = below[in_.nodes[p].parent];
      const uint32_t own = operation_[p] == 0 ? kSeveral : operation_[p];
      above = above == 0 || above == own ? own : kSeveral;
    }
  }

  std::string OperationOf(size_t path) const {
    const auto name = in_.operations.find(operation_[path]);
    return name == in_.operations.end() ? std::string() : name->second;
  }

  void SumWorkers() {
    // Behind the paths: what lies outside of all of them.
    std::vector<std::vector<uint64_t>> flops(paths_ + 1), instructions(paths_ + 1);
    for (const auto& [worker, exclusive] : in_.workers) {
      std::vector<Row> inclusive(paths_, Row{});
      std::copy_n(exclusive.begin(), std::min(exclusive.size(), paths_), inclusive.begin());
      for (size_t p = paths_; p-- > 1;) {
        Row& row = inclusive[p];
        Row& parent = inclusive[in_.nodes[p].parent];
        AddScaled(p, p < exclusive.size() ? exclusive[p] : Row{}, row);
        for (size_t m = 0; !in_.workers_are_inclusive && m < kMetrics; ++m) parent[m] += row[m];
      }
      inclusive.push_back(exclusive.empty() ? Row{} : exclusive[0]);
      for (size_t p = 0; p <= paths_; ++p) {
        const Row& row = inclusive[p];
        for (size_t m = 0; m < kMetrics; ++m) rows_[p][m] += row[m];
        const uint64_t worker_flops =
            std::accumulate(row.begin(), row.begin() + metric::kVisits, uint64_t{0});
        flops[p].push_back(worker_flops);
        instructions[p].push_back(row[metric::kInstructions]);
        uint64_t& most_flops = rows_[p][metric::kWorkerFlopsMax];
        most_flops = std::max(most_flops, worker_flops);
        uint64_t& most_bytes = rows_[p][metric::kWorkerBytesMax];
        most_bytes = std::max(most_bytes, row[metric::kLoadBytes] + row[metric::kStoreBytes]);
        uint64_t& most_cycles = rows_[p][metric::kWorkerDependenceCyclesMax];
        most_cycles = std::max(most_cycles, row[metric::kDependenceCycles]);
      }
    }
    for (size_t p = 0; p <= paths_; ++p) {
      rows_[p][metric::kWorkers] = CountWorkers(p % paths_, flops[p], instructions[p]);
    }
  }

  void TakeInclusive() {
    for (const auto& [where, value] : in_.inclusive) {
      const auto [path, id] = where;
      if (path >= paths_) continue;
      is_inclusive_[id] = true;
      rows_[path][id] = ScaleBy(value, visits_[path].all, visits_[path].measured);
    }
    for (MetricId id = 0; id < kMetrics; ++id) {
      if (MetricScope(profile_, id) == Scope::kPackage) is_inclusive_[id] = true;
    }
  }

  // `row` holds own + children's with the own part unscaled; replaces it by the scaled one.
  void AddScaled(size_t path, const Row& own, Row& row) const {
    const Visits& visits = visits_[path];
    if (in_.workers_have_every_visit) return;
    if (visits.measured == 0 || visits.measured == visits.all) return;
    for (size_t m = 0; m < kMetrics; ++m) {
      row[m] += ScaleBy(own[m], visits.all, visits.measured) - own[m];
    }
  }

  // Sums are inclusive, so what is wrong in a path is wrong in all around it; and in what is
  // derived from its FLOPs and bytes.
  void SpreadDoubts() {
    for (const auto& [where, status] : in_.doubts) {
      const auto [path, id] = where;
      // That of the path's own visits alone.
      if (id == metric::kTimeMarginNs) {
        Doubt(path, id, status);
        continue;
      }
      for (uint32_t p = path; p != 0 && p < paths_; p = in_.nodes[p].parent) {
        Doubt(p, id, status);
        if (IsFlops(id)) Doubt(p, metric::kWorkerFlopsMax, status);
        if (id == metric::kDependenceCycles) Doubt(p, metric::kWorkerDependenceCyclesMax, status);
      }
    }
  }
  void Doubt(uint32_t path, MetricId id, Status status) {
    Status& known = doubts_[{path, id}];
    known = std::max(known, status);
  }

  uint64_t CountWorkers(size_t path, const std::vector<uint64_t>& flops,
                        const std::vector<uint64_t>& instructions) const {
    const auto busy = [](const std::vector<uint64_t>& work) {
      const uint64_t most = work.empty() ? 0 : *std::max_element(work.begin(), work.end());
      if (most == 0) return uint64_t{0};
      return static_cast<uint64_t>(std::count_if(work.begin(), work.end(), [most](uint64_t own) {
        return static_cast<double>(own) >= static_cast<double>(most) / 100;
      }));
    };
    uint64_t active = busy(flops);
    if (active == 0) active = busy(instructions);
    uint64_t entered = 0;
    for (const auto& thread : in_.threads)
      entered += path < thread.size() && thread[path].visits > 0;
    if (in_.workers.empty()) active = entered;
    return std::max<uint64_t>({active, TeamSize(path), 1});
  }

  // Of the innermost team region around a path.
  uint32_t TeamSize(size_t path) const {
    while (path != 0 && in_.nodes[path].kind != RegionKind::kTeam) path = in_.nodes[path].parent;
    return in_.nodes[path].openmp_threads;
  }

  void Emit() {
    std::vector<std::pair<std::string, size_t>> order;
    const std::vector<std::string> full = FullPaths(in_.nodes, in_.names);
    for (size_t p = 1; p < paths_; ++p) order.emplace_back(full[p], p);
    std::sort(order.begin(), order.end());
    profile_.paths.clear();
    profile_.cells = CellTable(order.size());
    local_.clear();
    const std::vector<CriticalPlace> critical = CriticalPlaces();
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t p = order[i].second;
      const PathNode& node = in_.nodes[p];
      profile_.paths.push_back({order[i].first, node.file, node.line, node.kind, OperationOf(p)});
      profile_.paths.back().critical = critical[p];
      local_.push_back(static_cast<uint32_t>(p));
      for (MetricId m = 0; m < kMetrics; ++m) EmitCell(i, p, m);
    }
  }

  // Children have higher numbers than their parents.
  std::vector<CriticalPlace> CriticalPlaces() const {
    std::vector<CriticalPlace> places(paths_);
    for (size_t p = paths_; p-- > 1;) {
      const auto own = in_.critical.find(static_cast<uint32_t>(p));
      if (own != in_.critical.end() && own->second.cycles > places[p].cycles) {
        places[p] = own->second;
      }
      CriticalPlace& parent = places[in_.nodes[p].parent];
      if (places[p].cycles > parent.cycles) parent = places[p];
    }
    return places;
  }

  void EmitCell(size_t index, size_t path, MetricId id) {
    if (!HasValue(profile_.sources[id].status)) return;
    const bool declared = id == metric::kDeclaredFlops || id == metric::kDeclaredBytes ||
                          id == metric::kDeclaredOperations;
    if (declared && rows_[path][id] == 0) return;  // no declared work in this path
    const bool seldom = id == metric::kPauses || id == metric::kLongestVisitNs;
    if (seldom && rows_[path][id] == 0) return;
    const bool handed_over = in_.inclusive.contains({static_cast<uint32_t>(path), id});
    if (is_inclusive_[id] && !handed_over) return;
    Cell& cell = profile_.At(index, id);
    cell = Cell::Of(rows_[path][id], in_.rank, profile_.sources[id].status);
    const auto doubt = doubts_.find({static_cast<uint32_t>(path), id});
    if (doubt == doubts_.end()) return;
    if (!HasValue(doubt->second)) cell = Cell::Of(0, in_.rank, doubt->second);
    cell.status_bits |= Bit(doubt->second);
  }

  void EmitShared(const SharedPart& part) {
    if (!HasValue(profile_.sources[part.metric].status)) return;
    const size_t row = RowOf(part.path);
    const auto path = static_cast<size_t>(local_[row]);
    const bool scaled = path != 0 && visits_[path].measured != visits_[path].all;
    const auto scale = [&](uint64_t value) {
      return path == 0 ? value : ScaleBy(value, visits_[path].all, visits_[path].measured);
    };
    Cell cell = Cell::Of(0, part.value.min_rank, part.status);
    if (scaled && HasValue(part.status)) cell.status_bits |= Bit(Status::kScaled);
    cell.ranks = part.value.count;
    cell.SetSum(scale(part.value.sum));
    cell.min = scale(part.value.min);
    cell.max = scale(part.value.max);
    cell.max_rank = part.value.max_rank;
    cell.mean = static_cast<double>(cell.Sum()) / cell.ranks;
    const double ratio =
        part.value.sum == 0 ? 1 : cell.SumAsDouble() / static_cast<double>(part.value.sum);
    cell.m2 = std::max(
        0.0, part.value.sum_of_squares * ratio * ratio - cell.mean * cell.mean * cell.ranks);
    Cell& known = profile_.At(row, part.metric);
    known = Combine(known, cell);
  }

  // Counts of threads, which add up over all paths.
  bool IsCounted(MetricId id) const {
    if (IsUser(id)) return MetricScope(profile_, id) == Scope::kThread && !is_inclusive_[id];
    return (IsFlops(id) || IsApart(id) || id == metric::kWorkers || id == metric::kWorkerFlopsMax ||
            id == metric::kWorkerBytesMax || IsDependence(id) ||
            id == metric::kWorkerDependenceCyclesMax || IsOfWindowLines(id) || IsMargin(id) ||
            (id >= metric::kInstructions && id <= metric::kLastLevelMisses)) &&
           !is_inclusive_[id];
  }

  void EmitWhole() {
    uint64_t inside_ns = 0;
    for (size_t p = 1; p < paths_; ++p)
      inside_ns += in_.nodes[p].parent == 0 ? rows_[p][metric::kTimeNs] : 0;
    rows_[0][metric::kTimeNs] = in_.program_ns;
    rows_[paths_][metric::kTimeNs] = in_.program_ns - std::min(in_.program_ns, inside_ns);
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
      LimitWaits(rows_[path]);
      emit(row, metric::kTimeNs, rows_[path][metric::kTimeNs]);
      for (MetricId id = 0; id < kMetrics; ++id) {
        if (IsOfWrappers(id) || (IsOfKernel(id) && in_.kernel) ||
            (in_.outside_is_counted && IsCounted(id))) {
          emit(row, id, rows_[path][id]);
        }
      }
    }
    for (const MetricId id : {metric::kVisits, metric::kTimedVisits})
      emit(WholeRow::kProgram, id, 1);
    emit(WholeRow::kProgram, metric::kMarkerNs, rows_[0][metric::kMarkerNs]);
    for (const MetricId id : {metric::kDeclaredFlops, metric::kDeclaredBytes}) {
      if (rows_[0][id] > 0) emit(WholeRow::kProgram, id, rows_[0][id]);
    }
    DoubtWhole(whole);
    FillTotals(whole);
    profile_.whole = std::move(whole.cells);
  }

  void FindKernelOfWhole(const KernelCounts& program) {
    KernelCounts inside;
    for (size_t p = 1; p < paths_; ++p) {
      if (in_.nodes[p].parent != 0) continue;
      const Row& row = rows_[p];
      inside.Add({row[metric::kPageFaults], row[metric::kSystemNs], row[metric::kPreemptions]});
    }
    TakeKernel(rows_[0], program);
    TakeKernel(rows_[paths_], program.Since(inside));
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

  // Of the path with this full name, made if this process was never in it.
  size_t RowOf(const std::string& path) {
    const auto at = std::lower_bound(
        profile_.paths.begin(), profile_.paths.end(), path,
        [](const PathInfo& info, const std::string& name) { return info.path < name; });
    const auto row = at - profile_.paths.begin();
    if (at != profile_.paths.end() && at->path == path) return static_cast<size_t>(row);
    profile_.paths.insert(at, {path, "", 0, RegionKind::kTeam});
    profile_.cells.InsertRow(static_cast<size_t>(row));
    local_.insert(local_.begin() + row, 0);
    return static_cast<size_t>(row);
  }

  const FoldInput& in_;
  JobProfile& profile_;
  const size_t paths_;
  std::vector<Row>
      rows_;  // by path; that of path 0 is the program's, one behind them the outside's
  std::vector<Visits> visits_;
  std::vector<uint32_t> operation_;  // kind of each path's
  std::array<bool, kMetrics> is_inclusive_{};
  std::vector<uint32_t> local_;  // this process's path by row of the profile; 0: none
  std::map<std::pair<uint32_t, MetricId>, Status> doubts_;
};

}  // namespace

void Fold(const FoldInput& input, JobProfile& profile) { Folder(input, profile).Run(); }

}  // namespace roofmark
