// SPDX-License-Identifier: BSD-3-Clause
//
// The merge over a real MPI, without a library that is recorded in: every rank makes up its
// profile, and rank 0 holds what the merge gave against a merge rank by rank.
//
//   merge_job exact REGIONS METRICS   prints the size, and the most that a rank allocated
//   merge_job trees COUNT             random trees of regions
//   merge_job time ROUNDS REGIONS METRICS
//                                     the merge, one MPI_Reduce of its cells, writing the file,
//                                     making the communicator: ms
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "lib/core/file.h"
#include "lib/profile/roofline_json.h"
#include "mpi/plugin.h"
#include "mpi/plugin/mpi_comm.h"
#include "mpi/reduce.h"
#include "tests/mpi/random_job.h"
#include "tests/support/allocations.h"

extern "C" const roofmark::mpi::Plugin* roofmark_mpi_plugin();

namespace roofmark::mpi {
namespace {

using random_job::Below;
using random_job::Random;

struct Opened {
  Opened() : comm(roofmark_mpi_plugin()->open()) {}
  ~Opened() { roofmark_mpi_plugin()->close(comm); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  Comm* comm;
};

JobProfile WidePart(uint32_t rank, uint32_t ranks, int regions, int metrics) {
  Random random(rank);
  std::set<std::string> paths;
  for (int i = 0; i < regions; ++i) paths.insert(fmt::format("region {:04}", i));
  return random_job::Part(rank, ranks, paths, static_cast<size_t>(metrics), random);
}

// As measured: all ranks have the same regions, and what a region does differs by a tenth. Each has
// its totals, too.
JobProfile UsualPart(uint32_t rank, uint32_t ranks, int regions, int metrics) {
  JobProfile part = WidePart(rank, ranks, regions, metrics);
  for (MetricId total = metric::kFirstTotal; total <= metric::kLastTotal; ++total) {
    part.sources[total] = {"counting", Status::kMeasured, ""};
    for (size_t path = 0; path < part.paths.size(); ++path) {
      part.At(path, total) = Cell::Of(1, rank, Status::kMeasured);
    }
  }
  Random common(1), random(rank);
  for (PathInfo& info : part.paths) {
    info.file = "solver.c";
    info.operation.clear();
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (!part.cells.Has(m)) continue;
    for (Cell& cell : part.cells.Column(m)) {
      const uint64_t base = common() >> (20 + Below(common, 20));
      cell = Cell::Of(base + Below(random, base / 10 + 1), rank, Status::kMeasured);
    }
  }
  FillSpreads(part);
  return part;
}

// Of the whole job; every rank can make up every rank's part.
bool Check(const std::optional<JobProfile>& merged, const std::function<JobProfile(uint32_t)>& part,
           uint32_t ranks) {
  if (!merged) return false;
  JobProfile want = part(0);
  for (uint32_t rank = 1; rank < ranks; ++rank) MergeProfiles(want, part(rank));
  PruneRankHosts(want);
  const std::string difference = random_job::Difference(*merged, want);
  if (!difference.empty()) std::fprintf(stderr, "merge_job: %s\n", difference.c_str());
  return difference.empty();
}

int Exact(int regions, int metrics) {
  const Opened opened;
  const uint32_t rank = opened.comm->Rank(), ranks = opened.comm->Size();
  const auto part = [&](uint32_t of) { return WidePart(of, ranks, regions, metrics); };
  roofmark::test::WatchPeak();
  const size_t before = roofmark::test::LiveBytes();
  const JobProfile local = part(rank);
  auto merged = ReduceProfiles(*opened.comm, local);
  uint64_t used = roofmark::test::PeakBytes() - before, most = 0;
  MPI_Reduce(&used, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank != 0) return merged ? 0 : 1;
  if (!merged || !Check(*merged, part, ranks)) return 1;
  std::printf("exact: %u ranks, %zu regions, %zu bytes at most on a rank\n", ranks,
              (*merged)->paths.size(), static_cast<size_t>(most));
  return 0;
}

JobProfile TreePart(uint32_t rank, uint32_t ranks, uint32_t round) {
  Random common(round), random(round * 1000 + rank + 1);
  std::set<std::string> paths = random_job::RandomTree(common, Below(common, 25));
  std::erase_if(paths, [&](const std::string&) { return Below(random, 5) == 0; });
  if (Below(random, 2)) paths.merge(random_job::RandomTree(random, Below(random, 12)));
  if (Below(random, 8) == 0) paths.clear();
  return random_job::Part(rank, ranks, paths, 1 + Below(random, 4), random);
}

int Trees(uint32_t count) {
  const Opened opened;
  const uint32_t rank = opened.comm->Rank(), ranks = opened.comm->Size();
  for (uint32_t round = 0; round < count; ++round) {
    const auto part = [&](uint32_t of) { return TreePart(of, ranks, round); };
    auto merged = ReduceProfiles(*opened.comm, part(rank));
    if (!merged) return 1;
    if (rank == 0 && !Check(*merged, part, ranks)) return 1;
  }
  if (rank == 0) std::printf("trees: %u of %u ranks\n", count, ranks);
  return 0;
}

// The slowest rank's, in ms, on rank 0.
double Slowest(double begin) {
  double mine = (MPI_Wtime() - begin) * 1e3, most = 0;
  MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return most;
}

int Time(int rounds, int regions, int metrics) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const JobProfile local =
      UsualPart(static_cast<uint32_t>(rank), static_cast<uint32_t>(ranks), regions, metrics);
  size_t words = 0;
  for (MetricId m = 0; m < kMetrics; ++m) words += local.cells.Column(m).size() * sizeof(Cell) / 8;
  std::vector<uint64_t> from(words, 1), to(words);
  for (int round = 0; round <= rounds; ++round) {  // the first warms up
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Reduce(from.data(), to.data(), static_cast<int>(words), MPI_UINT64_T, MPI_SUM, 0,
               MPI_COMM_WORLD);
    const double reduce = Slowest(begin);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    const Opened opened;
    const double open = Slowest(begin);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    auto merged = ReduceProfiles(*opened.comm, local);
    const double finalize = Slowest(begin);
    if (!merged) return 1;
    begin = MPI_Wtime();
    if (*merged)
      (void)WriteFile("merge_job.json", RooflineToJson({**merged, {}}), IfExists::kReplace);
    const double write = (MPI_Wtime() - begin) * 1e3;
    if (rank == 0 && round > 0) {
      std::printf("%.3f %.3f %.3f %.3f\n", finalize, reduce, write, open);
    }
  }
  return 0;
}

int Run(int argc, char** argv) {
  const auto is = [&](const char* mode, int arguments) {
    return argc == 2 + arguments && std::strcmp(argv[1], mode) == 0;
  };
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  if (is("exact", 2)) return Exact(number(2), number(3));
  if (is("trees", 1)) return Trees(static_cast<uint32_t>(number(2)));
  if (is("time", 3)) return Time(number(2), number(3), number(4));
  std::fprintf(stderr,
               "usage: merge_job exact REGIONS METRICS | trees COUNT | "
               "time ROUNDS REGIONS METRICS\n");
  return 2;
}

}  // namespace
}  // namespace roofmark::mpi

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = roofmark::mpi::Run(argc, argv);
  MPI_Finalize();
  return status;
}
