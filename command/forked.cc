// SPDX-License-Identifier: BSD-3-Clause
#include "command/forked.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "lib/profile/forked_facts.h"

namespace roofmark::cli {
namespace {

double Fact(const RooflineFile& file, const char* name) {
  const std::vector<PassInfo>& passes = file.job.run.passes;
  if (passes.empty()) return 0;
  const auto found = passes[0].facts.find(name);
  return found == passes[0].facts.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

double ParentOf(const RooflineFile& file) { return Fact(file, kForkedFromFact); }

// In the order in which they were forked, those of one parent together.
bool IsEarlierChild(const RooflineFile& a, const RooflineFile& b) {
  const auto key = [](const RooflineFile& file) {
    return std::tuple(ParentOf(file), Fact(file, kForkedProcessFact));
  };
  return key(a) < key(b);
}

// When it ended, where it did not say: one that was killed lived on after its last visit, most
// often as long as the others (the workers of a pool).
double EndOf(const RooflineFile& file, double begin) {
  const RunInfo& run = file.job.run;
  return run.recovered_ranks > 0 ? std::numeric_limits<double>::infinity()
                                 : begin + run.passes[0].wall_s;
}

// Processes that all ran at one time.
struct SideBySide {
  double parent, last_begin, first_end;

  explicit SideBySide(const RooflineFile& file)
      : parent(ParentOf(file)),
        last_begin(Fact(file, kForkedAtFact)),
        first_end(EndOf(file, last_begin)) {}
  // False if `other` did not run at that time.
  bool Take(const SideBySide& other) {
    const double begin = std::max(last_begin, other.last_begin);
    const double end = std::min(first_end, other.first_end);
    if (parent != other.parent || begin >= end) return false;
    last_begin = begin;
    first_end = end;
    return true;
  }
};

std::vector<size_t> SizesOf(const std::vector<RooflineFile>& children) {
  std::vector<size_t> sizes;
  for (size_t i = 0; i < children.size();) {
    SideBySide group(children[i]);
    const size_t first = i++;
    while (i < children.size() && group.Take(SideBySide(children[i]))) ++i;
    sizes.push_back(i - first);
  }
  return sizes;
}

// Each was the only rank of its own job.
void BecomeRank(uint32_t rank, uint32_t ranks, JobProfile& job) {
  job.run.first_rank = rank;
  job.run.ranks = ranks;
  const auto own = [rank](Cell& cell) { cell.min_rank = cell.max_rank = rank; };
  for (MetricId m = 0; m < kMetrics; ++m) {
    for (size_t p = 0; p < job.paths.size() && job.cells.Has(m); ++p) own(job.At(p, m));
    for (size_t row = 0; row < job.whole.rows() && job.whole.Has(m); ++row)
      own(job.whole.At(row, m));
  }
  for (Cell* cell : CellsOf(job.run.cost)) own(*cell);
  for (Cell* cell : CellsOf(job.run.kernel)) own(*cell);
  FillSpreads(job);
}

}  // namespace

bool IsForked(const RunInfo& run) {
  return !run.passes.empty() && run.passes[0].facts.contains(kForkedFromFact);
}

bool HasUnforked(const std::vector<RooflineFile>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const RooflineFile& file) { return !IsForked(file.job.run); });
}

std::vector<RooflineFile> ForkedGroups::Join(std::vector<RooflineFile> files) {
  const auto first_child = std::stable_partition(
      files.begin(), files.end(), [](const RooflineFile& file) { return !IsForked(file.job.run); });
  std::vector<RooflineFile> children(std::make_move_iterator(first_child),
                                     std::make_move_iterator(files.end()));
  files.erase(first_child, files.end());
  std::sort(children.begin(), children.end(), &IsEarlierChild);
  if (std::accumulate(sizes_.begin(), sizes_.end(), size_t{0}) != children.size())
    sizes_ = SizesOf(children);
  auto child = children.begin();
  for (const size_t size : sizes_) {
    const auto ranks = static_cast<uint32_t>(size);
    for (uint32_t rank = 0; rank < ranks; ++rank) BecomeRank(rank, ranks, child[rank].job);
    for (uint32_t rank = 1; rank < ranks; ++rank) MergeProfiles(child->job, child[rank].job);
    PruneRankHosts(child->job);
    files.push_back(std::move(*child));
    child += static_cast<ptrdiff_t>(size);
  }
  return files;
}

}  // namespace roofmark::cli
