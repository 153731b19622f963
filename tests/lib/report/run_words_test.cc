// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/run_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Provenance, SaysWhichRegionsWereChosen) {
  JobProfile job = roofmark::test::EmptyJob(1);
  roofmark::test::AddPass(job, "timer", 2);
  roofmark::test::AddPass(job, "counting", 20);
  EXPECT_THAT(Provenance(job, {}), Not(Contains(HasSubstr("regions chosen"))));
  for (PassInfo& pass : job.run.passes) pass.settings["regions"] = "solve/*,-halo";
  EXPECT_THAT(Provenance(job, {}), Contains("regions chosen: solve/*,-halo"));
  job.run.passes[1].settings.clear();
  EXPECT_THAT(Provenance(job, {}), Contains("regions chosen: solve/*,-halo; in another pass: all"));
}

ReportJob JobOf(const std::vector<std::string>& command, uint32_t nodes, const std::string& cpu) {
  JobProfile job = roofmark::test::EmptyJob(2, 1, 2);
  roofmark::test::AddPass(job, "timer", 0.574);
  job.run.passes[0].command = command;
  job.run.mpi = "Open MPI v4.1.4, package: somewhere";
  job.run.hosts.resize(nodes, job.run.hosts[0]);
  for (HostInfo& host : job.run.hosts) host.cpu = cpu;
  return {"F", std::move(job), {}};
}

TEST(RunHeader, IsALineOfProgramPlaceAndTime) {
  const ReportJob job = JobOf({"./stencil", "--n", "160"}, 1, "AMD EPYC 7742 64-Core Processor");
  const RunHeader header = HeaderOf(job, 80, "..");
  EXPECT_EQ(header.text,
            "./stencil --n 160    2 ranks x 1 thread on node1, AMD EPYC 7742 64-Core   574 ms\n");
  EXPECT_FALSE(header.is_short);
  EXPECT_THAT(FactsBelowHeader(job, header), ElementsAre("MPI: Open MPI v4.1.4", _));
}

TEST(RunHeader, ACommandThatIsTooLongLosesItsFolderAndItsEnd) {
  const ReportJob job = JobOf({"/scratch/of/a/user/stencil", "--name", std::string(80, 'n')}, 3,
                              "Intel(R) Xeon(R) CPU @ 2.00GHz");
  const RunHeader header = HeaderOf(job, 80, "..");
  EXPECT_THAT(header.text, StartsWith("stencil --name nnnnnn"));
  EXPECT_THAT(header.text, EndsWith("n..   2 ranks x 1 thread on 3 nodes, Intel Xeon   574 ms\n"));
  EXPECT_EQ(header.text.size(), 81u);
  EXPECT_TRUE(header.is_short);
  EXPECT_THAT(FactsBelowHeader(job, header),
              AllOf(Contains(StartsWith("/scratch/of/a/user/stencil --name n")),
                    Contains("nodes: node1, node1, node1")));
}

TEST(RunHeader, WithoutAPassItSaysThatNoTimeWasMeasured) {
  const ReportJob job = {"F", roofmark::test::EmptyJob(1), {}};
  EXPECT_THAT(HeaderOf(job, 80, "..").text, EndsWith(" time not measured\n"));
}

}  // namespace
}  // namespace roofmark
