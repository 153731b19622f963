// SPDX-License-Identifier: BSD-3-Clause
//
// merge_time [RANKS [REGIONS]]: how long the merge at MPI_Finalize takes on RANKS ranks (default:
// 1,048,576) of a job with REGIONS regions (500) of twenty metrics: the ranks' own CPU time as
// measured here, each message after LogGP.
#include <fmt/format.h>

#include <algorithm>
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
constexpr uint32_t kFewRanks = 256;
constexpr uint32_t kLeastRanks = 4096;  // that a synthetic job is made of

// Of a job's slowest rank; negative if the ranks did not come to an end.
double Seconds(uint32_t ranks, uint32_t regions) {
  SyntheticJob job(std::max(ranks, kLeastRanks), kRanksPerNode, regions);
  Turns turns({ranks, /*timed=*/true, kNetwork});
  const bool done =
      turns.Run([&](Comm& comm) { (void)ReduceProfiles(comm, job.Part(comm.Rank())); });
  return done ? turns.seconds() : -1;
}

// What `regions` add to a job without them.
double Added(uint32_t ranks, uint32_t regions) {
  return Seconds(ranks, regions) - Seconds(ranks, 0);
}

// Of the tree, whose base is 16 (mpi/tree.h).
uint32_t Steps(uint32_t ranks) {
  return (static_cast<uint32_t>(std::bit_width(ranks - 1)) + 3) / 4;
}

int Run(uint32_t ranks, uint32_t regions) {
  const double few = Added(kFewRanks, regions);
  const double step = (Added(kLeastRanks, regions) - few) / (Steps(kLeastRanks) - Steps(kFewRanks));
  const uint32_t steps = Steps(ranks) - Steps(kFewRanks);
  const double rest = Seconds(ranks, 0);
  if (rest < 0) {
    fmt::print(stderr, "merge_time: the ranks did not finish\n");
    return 1;
  }
  fmt::print(
      "{} regions over {} ranks, ms       {:10.3f}\n"
      "a step more, ms                   {:10.3f}  ({} steps)\n"
      "paths and description, ms         {:10.3f}\n"
      "total at {} ranks, ms        {:10.3f}\n",
      regions, kFewRanks, few * 1e3, step * 1e3, steps, rest * 1e3, ranks,
      (rest + few + steps * step) * 1e3);
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
  if (!good || ranks < roofmark::mpi::kLeastRanks || !std::has_single_bit(ranks) || regions == 0) {
    fmt::print(stderr, "usage: merge_time [RANKS [REGIONS]], RANKS a power of two from 4096 on\n");
    return 2;
  }
  return roofmark::mpi::Run(ranks, regions);
}
