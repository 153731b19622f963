// SPDX-License-Identifier: BSD-3-Clause
//
// The fixture of tests on several nodes of one machine, and what they expect of the files.
#ifndef ROOFMARK_TESTS_MPI_CLUSTER_CLUSTER_JOB_H_
#define ROOFMARK_TESTS_MPI_CLUSTER_CLUSTER_JOB_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/core/messages/mpi.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::test {

class ClusterJob : public testing::TestWithParam<Mpi> {
 protected:
  static constexpr int kSeconds = 300;  // of any job; a few where nothing else runs
  static constexpr int kNotHere = 77;

  bool IsOpenMpi() const { return GetParam().IsOpenMpi(); }
  std::string Program(const std::string& name) const {
    return std::string(PROGRAMS "/") + GetParam().name + "/" + name;
  }
  static Environment Variables(const std::string& output) {
    return {{"ROOFMARK_COLLECTOR", "timer"}, {"ROOFMARK_OUTPUT", output}};
  }
  // `script` is nodes or slurm of this folder, with the number of nodes and the command behind it.
  Ended OnNodes(const std::string& script, std::vector<std::string> command,
                const Environment& environment) {
    command.insert(command.begin(), std::string(CLUSTER "/") + script);
    return test::Run(command, ForLaunchers(environment), directory_.path(), kSeconds);
  }

  // One file of all ranks, in which rank r has r + 1 visits.
  void ExpectMerged(const Ended& ended, uint32_t ranks, size_t hosts) {
    ASSERT_EQ(ended.status, 0) << ended.out << ended.err;
    EXPECT_EQ(ended.out, "done\n");
    ASSERT_THAT(ListFiles(directory_.path()), testing::ElementsAre("run.json")) << ended.err;
    const JobProfile job = ReadRoofline(directory_.File("run.json")).job;
    EXPECT_EQ(job.run.ranks, ranks);
    EXPECT_EQ(job.run.ranks_merged, ranks);
    EXPECT_EQ(job.run.hosts.size(), hosts);
    const int path = job.FindPath("common");
    ASSERT_GE(path, 0);
    const Cell& visits = job.At(static_cast<size_t>(path), metric::kVisits);
    EXPECT_EQ(visits.ranks, ranks);
    EXPECT_EQ(visits.SumAsDouble(), ranks * (ranks + 1) / 2.0);
    EXPECT_EQ(visits.max_rank, ranks - 1);
    EXPECT_THAT(ended.err, testing::Not(Says(message::kRankDoesNotRecord, testing::_)));
    EXPECT_THAT(ended.err, testing::Not(Says(message::kRankNotSeen, testing::_)));
    EXPECT_THAT(ended.err,
                testing::Not(Says(message::kProcessDoesNotRecord, testing::_, testing::_)));
  }

  // A file for each of these ranks, which has all its visits; and the sentence that names who does
  // not record.
  static std::string DoesNotRecord(uint32_t rank) {
    return InWords(message::kRankDoesNotRecord, rank);
  }
  void ExpectParts(const Ended& ended, const std::vector<uint32_t>& ranks,
                   const std::string& reason) {
    EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
    EXPECT_EQ(ended.out, "done\n");
    std::vector<std::string> files;
    for (const uint32_t rank : ranks) files.push_back("run.part" + std::to_string(rank) + ".json");
    ASSERT_THAT(ListFiles(directory_.path()), testing::UnorderedElementsAreArray(files))
        << ended.err;
    for (const uint32_t rank : ranks) {
      const std::string file = "run.part" + std::to_string(rank) + ".json";
      EXPECT_EQ(Value(ReadRoofline(directory_.File(file)).job, "common", metric::kVisits),
                rank + 1);
    }
    EXPECT_THAT(ended.err, Says(message::kParts, reason));
  }

  TempDir directory_;
};

// Skips the test where this machine cannot have such nodes.
#define ROOFMARK_SKIP_WITHOUT_NODES(ended) \
  if ((ended).status == kNotHere) GTEST_SKIP() << (ended).err

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MPI_CLUSTER_CLUSTER_JOB_H_
