// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run --auto on what a distribution packs: an interpreter and its libraries, stripped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/profile/region_name.h"
#include "lib/profile/whole.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPython[] = "/usr/bin/python3";
constexpr char kIsBelow[] = "/usr/lib/";
// A product of matrices in BLAS, and a loop of NumPy itself.
constexpr char kProgram[] =
    "import numpy as n\n"
    "a = n.ones((256, 256))\n"
    "for _ in range(20): b = a @ a\n"
    "c = n.ones(100000)\n"
    "for _ in range(300): c = n.sqrt(c)\n"
    "print(b[255, 255] + c[99999])\n";
constexpr uint64_t kProductFlops = 20ull * 2 * 256 * 256 * 256, kRoots = 300ull * 100'000;
constexpr uint64_t kFlops = kProductFlops + kRoots;

class RunAutoPackaged : public ::testing::Test {
 protected:
  void SetUp() override {
    const Ended known = test::Run({kPython, "-c", "import numpy; print(numpy.__file__)"});
    if (known.status != 0 || known.out.find(kIsBelow) != 0) {
      GTEST_SKIP() << "NumPy of the distribution is not there (Debian: python3-numpy)";
    }
  }
  Ended Run(std::vector<std::string> options) {
    std::vector<std::string> command = {ROOFMARK,  "run",          "-o",      "run.json",
                                        "--force", "--no-machine", "--count", "flops"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", kPython, "-c", kProgram});
    // The same code and the same work in each execution.
    const test::Environment environment = {{"LC_ALL", "C.UTF-8"},
                                           {"OPENBLAS_NUM_THREADS", "1"},
                                           {"OPENBLAS_CORETYPE", "Haswell"},
                                           {"PYTHONHASHSEED", "0"}};
    return test::Run(command, environment, directory_.path());
  }
  static uint64_t FlopsOf(const CellTable& cells, size_t row) {
    uint64_t sum = 0;
    for (MetricId id = 0; id < kFlopClasses; ++id) sum += cells.At(row, id).max;
    return sum;
  }

  test::TempDir directory_;
};

TEST_F(RunAutoPackaged, CodeWithoutDebugInformationIsNamedByFunctionsAndOffsets) {
  const Ended ended = Run({"--auto"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("257.0")) << "the program was disturbed";
  if (ended.err.find("left no samples") != std::string::npos) {
    GTEST_SKIP() << "this machine takes no samples of time";
  }
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  const uint64_t all = FlopsOf(std::as_const(job.whole), static_cast<size_t>(WholeRow::kProgram));
  EXPECT_GE(all, kFlops);
  EXPECT_LE(all, kFlops + kFlops / 50) << "the interpreter computes little else";

  uint64_t most_in_blas = 0;
  bool has_offset = false;
  for (size_t row = 0; row < job.paths.size(); ++row) {
    const std::string name = LeafName(job.paths[row].path);
    EXPECT_EQ(job.paths[row].kind, RegionKind::kFound);
    has_offset = has_offset || name.find("+0x") != std::string::npos;
    if (name.find("gemm") == std::string::npos && name.find("blas") == std::string::npos) continue;
    most_in_blas = std::max(most_in_blas, FlopsOf(job.cells, row));
  }
  EXPECT_GT(most_in_blas, 0u) << "part of the product is in a region of BLAS\n" << ended.out;
  EXPECT_TRUE(has_offset) << ended.out;
  EXPECT_THAT(job.run.passes[0].facts.at(kFoundFact),
              AllOf(HasSubstr("are not known: no debug information was found"),
                    HasSubstr("are called by their place in the file")));
}

}  // namespace
}  // namespace roofmark
