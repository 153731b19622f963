// SPDX-License-Identifier: BSD-3-Clause
//
// Every line of the model machine's roofline: nothing of the machine file is left out.
#include "lib/model/architecture_ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "lib/report/words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::JobOf;
using test::kGiga;
using test::MakeCeiling;
using test::ModelMachine;
using ::testing::DoubleNear;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::map<std::string, double> Values(const Machine& machine, const JobProfile& job, bool memory) {
  const JobModel model = test::ModelOf(machine, job.run);
  std::map<std::string, double> values;
  for (const Ceiling& ceiling : ArchitectureCeilings(InputsOf(job, 0, model), model)) {
    if (ceiling.IsMemory() == memory) values[CeilingName(ceiling)] = *ceiling.height.least;
  }
  return values;
}

auto Is(const char* name, double value) { return Pair(name, DoubleNear(value, 1e-9)); }

TEST(ArchitectureCeilings, Compute) {
  EXPECT_THAT(
      Values(ModelMachine(), JobOf(Width::k256, FlopKind::kAdd, kGiga, kGiga), false),
      UnorderedElementsAre(
          Is("thread parallelism only", 1), Is("+ILP", 8), Is("128-bit SIMD", 32), Is("+SIMD", 32),
          Is("without FMA", 32), Is("FMA alone", 64), Is("peak", 64), Is("divisions alone", 4),
          Is("roots alone", 2), Is("1/2 of instructions FP", 64), Is("1/4 of instructions FP", 32),
          Is("1/8 of instructions FP", 16), Is("1/16 of instructions FP", 8),
          // Figures A2 and A3.
          Is("1/2 of the cores", 32), Is("1/2 of the cores, thread parallelism only", 0.5)));
}

TEST(ArchitectureCeilings, OfSinglePrecision) {
  JobProfile job = test::CountedJob();
  test::SpreadFlops(job, Width::k256, FlopKind::kAdd, kGiga, Precision::kSingle);
  const auto values = Values(ModelMachine(), job, false);
  EXPECT_DOUBLE_EQ(values.at("peak"), 128);
  EXPECT_DOUBLE_EQ(values.at("+ILP"), 8);
  EXPECT_DOUBLE_EQ(values.at("128-bit SIMD"), 64);
  // Half of the FLOPs each: twice the FLOPs in the sum of the times.
  test::SpreadFlops(job, Width::k256, FlopKind::kAdd, kGiga);
  EXPECT_DOUBLE_EQ(Values(ModelMachine(), job, false).at("peak"), 2 / (1 / 128. + 1 / 64.));
}

TEST(ArchitectureCeilings, Memory) {
  Machine machine = ModelMachine();
  // Useful bytes of one core, and traffic for each of them.
  for (const auto& [kind, factor] : {std::pair{"strided", 1.0},
                                     {"read_far", 1.0},
                                     {"copy", 1.5},
                                     {"read_prefetch", 1.0},
                                     {"triad", 4 / 3.},
                                     {"triad_prefetch", 4 / 3.},
                                     {"triad_nt", 1.0}}) {
    machine.ceilings.push_back(MakeCeiling(std::string("bandwidth.DRAM.") + kind, kind, 3, factor));
  }
  EXPECT_THAT(Values(machine, JobOf(Width::k256, FlopKind::kAdd, kGiga, kGiga), true),
              UnorderedElementsAre(
                  Is("DRAM random lines", 6), Is("DRAM strided", 6), Is("DRAM no affinity", 6),
                  Is("DRAM copy", 9), Is("DRAM read", 30), Is("DRAM read, prefetch", 6),
                  Is("DRAM triad", 8), Is("DRAM triad, prefetch", 8),
                  Is("DRAM triad, non-temporal", 6), Is("DRAM from 1/2 of the cores", 20),
                  Is("L1", 800), Is("L2", 400), Is("L3", 200), Is("DRAM", 30)));
}

}  // namespace
}  // namespace roofmark
