// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/same_calls.h"

#include <gtest/gtest.h>

#include <vector>

namespace roofmark {
namespace {

constexpr char kProgram[] = "/app", kMpi[] = "/libmpi.so";

// One rank, whose code has places that call MPI.
class SameCalls : public ::testing::Test {
 protected:
  SameCalls() {
    samples_.processes.resize(1);
    executed_.paths = {""};
    executed_.modules = {{kProgram, {}, {}, {}}, {kMpi, {}, {}, {}}};
    before_ = executed_;
  }
  static void Execute(Executed& executed, uint64_t begin, uint64_t times,
                      Layer layer = Layer::kWork, size_t module = 0) {
    executed.modules[module].parts.push_back({begin, 16, 0, layer, true, times});
  }
  void Timed(std::vector<CodePlace> frames, uint64_t calls) {
    samples_.processes[0].mpi_calls.push_back({std::move(frames), calls, 1});
  }
  // A place that calls in all executions.
  void Calls(uint64_t offset, uint64_t timed, uint64_t counted, uint64_t before) {
    Timed({{kProgram, offset + 8}}, timed);
    Execute(executed_, offset, counted);
    Execute(before_, offset, before);
  }
  size_t Count(size_t ranks = 1) const {
    return CountSameCalls(std::vector<RankWork>(ranks, {&samples_, &executed_}), before_);
  }

  Samples samples_;
  Executed executed_, before_;
};

TEST_F(SameCalls, OfPlacesThatCallEquallyOften) {
  Calls(16, 100, 100, 100);
  Calls(64, 1, 1, 1);
  EXPECT_EQ(Count(), 2u);
}

TEST_F(SameCalls, OneMoreIsAnotherWork) {
  Calls(16, 100, 100, 100);
  Calls(64, 21, 20, 20);
  EXPECT_EQ(Count(), 0u);
}

TEST_F(SameCalls, WhatPollsTellsNothing) {
  Calls(16, 100, 100, 100);
  Calls(64, 7, 5000, 4000);
  EXPECT_EQ(Count(), 1u);
}

// A program that begins and ends does so equally often, however much it does between.
TEST_F(SameCalls, AFewCallsTellNothing) {
  EXPECT_EQ(Count(), 0u);
  Calls(16, 1, 1, 1);
  Calls(64, 9, 9, 9);
  EXPECT_EQ(Count(), 0u);
}

TEST_F(SameCalls, AreNeededOfEachRank) {
  Calls(16, 10, 10, 20);
  EXPECT_EQ(Count(2), 1u);
  before_.modules[0].parts[0].times = 30;
  EXPECT_EQ(Count(3), 1u);
  samples_.processes[0].mpi_calls[0].calls = executed_.modules[0].parts[0].times = 9;
  before_.modules[0].parts[0].times = 27;
  EXPECT_EQ(Count(3), 0u);
}

TEST_F(SameCalls, FromSeveralWaysAreAddedUp) {
  Calls(16, 60, 100, 100);
  Timed({{kProgram, 24}, {kProgram, 400}}, 40);
  EXPECT_EQ(Count(), 1u);
}

// Fortran's calls are made by a library of MPI.
TEST_F(SameCalls, OfALibraryOfMpiAreThoseOfItsCaller) {
  Execute(executed_, 0, 300, Layer::kMpi, 1);
  Execute(before_, 0, 200, Layer::kMpi, 1);
  Timed({{kMpi, 4}, {kProgram, 20}}, 100);
  Execute(executed_, 16, 100);
  Execute(before_, 16, 100);
  EXPECT_EQ(Count(), 1u);
}

TEST_F(SameCalls, OfCodeThatWasNotCountedTellNothing) {
  Timed({{kProgram, 20}}, 100);
  Timed({}, 100);
  EXPECT_EQ(Count(), 0u);
}

}  // namespace
}  // namespace roofmark
