// SPDX-License-Identifier: BSD-3-Clause
//
// Spools of several nodes in a file system that a login node sees: those of real processes, of
// which the test says that they were on other hosts.
#include "command/recover/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "command/recover/assemble.h"
#include "lib/spool/layout.h"
#include "lib/spool/place.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CollectedSpools : public testing::Test {
 protected:
  // The directory of a spool that a rank of a job of four left.
  std::string Left(const std::string& rank, const std::string& job, const char* host) {
    const std::string directory = directory_.File("spool" + rank + job);
    test::Run({BUSY, "quick", directory_.File("record")},
              {{"ROOFMARK_COLLECTOR", "timer"},
               {"ROOFMARK_OUTPUT", directory_.File("run.json")},
               {"ROOFMARK_SPOOL", directory},
               {"OMPI_COMM_WORLD_RANK", rank},
               {"OMPI_COMM_WORLD_SIZE", "4"},
               {"PMIX_NAMESPACE", job}},
              directory_.path());
    const auto files = spool::ListSpools(directory);
    EXPECT_TRUE(files && files->size() == 1u);
    if (files) MoveTo(host, files->at(0));
    return directory;
  }
  // In place: a file with another inode is a copy.
  static void MoveTo(const char* host, const std::string& file) {
    spool::Header header = {};
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.read(reinterpret_cast<char*>(&header), sizeof header);
    std::strcpy(header.identity.host, host);
    std::strcpy(header.identity.boot, host);
    header.checksum = header.Checksum();
    stream.seekp(0);
    stream.write(reinterpret_cast<const char*>(&header), sizeof header);
    ASSERT_TRUE(stream.good());
  }
  void SetUp() override { std::ofstream(directory_.File("record")) << std::string(4096, '\0'); }

  test::TempDir directory_;
};

TEST_F(CollectedSpools, ProcessesOfOtherNodesAreTakenAndTheirSpoolsKept) {
  const CollectOptions options = {
      .directories = {Left("0", "7", "node1"), Left("1", "7", "node2")}};
  const Result<Collected> collected = CollectSpools(options);
  ASSERT_TRUE(collected) << collected.error();
  EXPECT_EQ(collected->spools.size(), 2u);
  EXPECT_THAT(collected->notes,
              ElementsAre("processes on node1, node2 cannot be seen from here: if they still run, "
                          "this is what they did so far; their spools are kept"));
  const Assembled assembled = Assemble(*collected, {});
  EXPECT_EQ(assembled.file.job.run.ranks_merged, 2u);
  EXPECT_THAT(assembled.notes, testing::Not(testing::Contains(HasSubstr("still ran"))));
  RemoveSpools(collected->spools);
  for (const std::string& directory : options.directories)
    EXPECT_EQ(spool::ListSpools(directory)->size(), 1u);
}

TEST_F(CollectedSpools, NumbersOfHydraAreThoseOfNodesOfOneJob) {
  const std::string first = Left("0", "hydra11", "node1"), second = Left("2", "hydra22", "node2");
  const Result<Collected> collected = CollectSpools({.directories = {first, second}});
  ASSERT_TRUE(collected) << collected.error();
  EXPECT_EQ(collected->spools.size(), 2u);
}

TEST_F(CollectedSpools, TwoJobsAreNotTakenForOne) {
  struct {
    const char *what, *rank, *job, *host;
  } const kOthers[] = {{"a scheduler's number", "1", "8", "node2"},
                       {"the same rank", "0", "hydra22", "node2"},
                       {"the same node", "1", "hydra22", "node1"}};
  for (const auto& other : kOthers) {
    const std::string first = Left("3", "hydra11", "node1");
    const std::string again = Left("0", "hydra11", "node1");
    const std::string second = Left(other.rank, other.job, other.host);
    const Result<Collected> collected = CollectSpools({.directories = {first, again, second}});
    ASSERT_FALSE(collected) << other.what;
    EXPECT_THAT(collected.error(), HasSubstr("several jobs")) << other.what;
    std::filesystem::remove_all(second);
    std::filesystem::remove_all(again);
    std::filesystem::remove_all(first);
  }
}

}  // namespace
}  // namespace roofmark::cli
