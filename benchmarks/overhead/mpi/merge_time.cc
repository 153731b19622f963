// SPDX-License-Identifier: BSD-3-Clause
//
// merge_time [RANKS [REGIONS]]: how long the merge at MPI_Finalize takes on RANKS ranks (default:
// 1,048,576) of a job with REGIONS regions (500) of twenty metrics: the ranks' own CPU time as
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

// Of a job's slowest rank; negative if the ranks did not come to an end.
double Seconds(uint32_t ranks, uint32_t regions, Placement placement) {
  SyntheticJob job(ranks, kRanksPerNode, regions);
  Turns turns({ranks, placement, kRanksPerNode, /*timed=*/true, kNetwork});
  const ReduceOptions options{placement == Placement::kOneNode};
  const bool done = turns.Run([&](Comm& comm) {
    const JobProfile& part = job.Part(comm.Rank());
    (void)ReduceProfiles(comm, part, options);
  });
  return done ? turns.seconds() : -1;
}

int Run(uint32_t ranks, uint32_t regions) {
  // A step of the tree with all regions on a job of this size; what the tree does besides on the
  // whole job, with four regions.
  constexpr uint32_t kSmall = 4096;
  const double steps = std::bit_width(ranks - 1), small_steps = std::bit_width(kSmall - 1);
  fmt::print("{:34} {:>14} {:>14}\n", "", "node first", "one level");
  double step[2], rest[2];
  for (int i = 0; i < 2; ++i) {
    const Placement placement = i == 0 ? Placement::kBlocks : Placement::kOneNode;
    const double wide = Seconds(kSmall, regions, placement);
    const double narrow = Seconds(kSmall, 0, placement);
    rest[i] = Seconds(ranks, 0, placement);
    step[i] = (wide - narrow) / small_steps;
    if (wide < 0 || narrow < 0 || rest[i] < 0) {
      fmt::print(stderr, "merge_time: the ranks did not come to an end\n");
      return 1;
    }
  }
  const auto line = [](std::string_view what, const double* s, double factor) {
    fmt::print("{:34} {:14.3f} {:14.3f}\n", what, s[0] * factor, s[1] * factor);
  };
  const double all[] = {rest[0] + steps * step[0], rest[1] + steps * step[1]};
  line(fmt::format("one step with {} regions, ms", regions), step, 1e3);
  line(fmt::format("{} such steps, ms", steps), step, steps * 1e3);
  line("agreement and description, ms", rest, 1e3);
  line(fmt::format("all at {} ranks, ms", ranks), all, 1e3);
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
