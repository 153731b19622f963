// SPDX-License-Identifier: BSD-3-Clause
//
// merge_time [RANKS [REGIONS]]: how long the merge at MPI_Finalize takes on RANKS ranks (default:
// 1,048,576) of a job with REGIONS regions (500) of six metrics: the ranks' own CPU time as
// measured here, each message after LogGP.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "benchmarks/overhead/mpi/synthetic.h"
#include "benchmarks/overhead/mpi/turns.h"
#include "mpi/reduce.h"

namespace roofmark::mpi {
namespace {

// Slower than any network that a million ranks are built on: 5 us, 1 us, 5 GB/s.
constexpr LogGp kNetwork = {5e-6, 1e-6, 0.2e-9};
constexpr uint32_t kRanksPerNode = 64;

int Run(uint32_t ranks, uint32_t regions) {
  // The operator on a table of all regions, and the tree on few of them: what the tree does
  // besides combining cells does not depend on their number.
  SyntheticJob wide(4096, kRanksPerNode, regions);
  CellTree table(TreeShape::kBinomial, kRanksPerNode);
  size_t cells = 0;
  for (uint32_t rank = 1; rank < 257; ++rank) {
    const JobProfile& part = wide.Part(rank * 3);
    std::vector<Cell> row;
    for (size_t path = 1; path < part.paths.size(); ++path) {
      for (const Column& column : Columns()) row.push_back(part.At(path, column.metric));
    }
    cells = row.size();
    table.Add(rank, row);
  }
  table.Finish();
  const double per_cell = table.seconds() / static_cast<double>(table.combined());

  SyntheticJob job(ranks, kRanksPerNode);
  Turns turns({ranks, TreeShape::kBinomial, kRanksPerNode, /*timed=*/true, kNetwork});
  if (!turns.Run([&](Comm& comm) { (void)ReduceProfiles(comm, job.Part(comm.Rank())); })) {
    fmt::print(stderr, "merge_time: the ranks did not come to an end\n");
    return 1;
  }
  const double steps = std::bit_width(ranks - 1);
  const double bytes = static_cast<double>(cells * sizeof(Cell));
  const double step = kNetwork.Message(bytes) + static_cast<double>(cells) * per_cell;
  fmt::print(
      "ns per combined cell            {:10.2f}\n"
      "cells of a rank                 {:10}\n"
      "one step of the reduction, ms   {:10.3f}\n"
      "reduction of cells, ms          {:10.3f}  ({} steps)\n"
      "agreement and description, ms   {:10.3f}\n"
      "all at {} ranks, ms        {:10.3f}\n",
      per_cell * 1e9, cells, step * 1e3, steps * step * 1e3, steps, turns.seconds() * 1e3, ranks,
      (turns.seconds() + steps * step) * 1e3);
  return 0;
}

bool Parse(std::string_view text, uint32_t& value) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

}  // namespace
}  // namespace roofmark::mpi

int main(int argc, char** argv) {
  uint32_t ranks = 1u << 20, regions = 500;
  const bool good = argc <= 3 && (argc < 2 || roofmark::mpi::Parse(argv[1], ranks)) &&
                    (argc < 3 || roofmark::mpi::Parse(argv[2], regions));
  if (!good || ranks < 4096 || !std::has_single_bit(ranks) || regions == 0) {
    fmt::print(stderr, "usage: merge_time [RANKS [REGIONS]], RANKS a power of two from 4096 on\n");
    return 2;
  }
  return roofmark::mpi::Run(ranks, regions);
}
