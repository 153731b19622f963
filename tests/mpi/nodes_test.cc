// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/command_job/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "mpi/command_job/job.h"
#include "tests/mpi/thread_comm.h"
#include "tests/support/held_clock.h"

namespace roofmark::mpi {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<Member> kMembers = {{"boot1", "n1", "0,2", "kind A"},
                                      {"boot2", "n2", "0", "kind B"},
                                      {"boot1", "n1-pod", "1", "kind A"},
                                      {"boot2", "n2", "0-1", "kind B"},
                                      {"boot3", "n3", "4", "kind A"}};

void ExpectNodes(const std::vector<Node>& nodes) {
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].leader, 0u);
  EXPECT_EQ(nodes[0].ranks, 2u);
  EXPECT_EQ(nodes[0].cpus, "0-2");
  EXPECT_EQ(nodes[0].host, "n1") << "the leader's";
  EXPECT_EQ(nodes[0].kind, "kind A");
  EXPECT_EQ(nodes[1].leader, 1u);
  EXPECT_EQ(nodes[1].ranks, 2u);
  EXPECT_EQ(nodes[1].cpus, "0-1");
  EXPECT_EQ(nodes[2].leader, 4u);
  EXPECT_EQ(nodes[2].kind, "kind A");
}

TEST(Nodes, GroupByNode) {
  ExpectNodes(GroupByNode(kMembers));
  EXPECT_THAT(GroupByNode({}), IsEmpty());
}

TEST(Nodes, EveryRankLearnsThem) {
  ThreadWorld world(5);
  world.Run([&](Comm& comm) {
    const auto nodes = AgreeOnNodes(comm, kMembers[comm.Rank()], [&](const auto& all) {
      EXPECT_EQ(comm.Rank(), 0u) << "asked on rank 0 only";
      ExpectNodes(all);
      return true;
    });
    ASSERT_TRUE(nodes);
    ExpectNodes(*nodes);
  });
}

TEST(Nodes, NoneWhereRank0Refuses) {
  ThreadWorld world(3);
  world.Run([&](Comm& comm) {
    const auto nodes = AgreeOnNodes(comm, kMembers[comm.Rank()], [](const auto&) { return false; });
    ASSERT_TRUE(nodes);
    EXPECT_THAT(*nodes, IsEmpty());
  });
}

TEST(Nodes, ThisProcess) {
  const Member member = ThisMember("kind");
  EXPECT_EQ(member.cpus, AffinityCpuList());
  EXPECT_EQ(member.kind, "kind");
  EXPECT_NE(member.node, "");
  EXPECT_EQ(member.node, ThisMember("other").node);
}

TEST(Nodes, WhoWaitsSleepsUntilTheTextComes) {
  const std::string kText = "text\0with zero"s;
  ThreadWorld world(3);
  world.Run([&](Comm& comm) {
    if (comm.Rank() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
      for (uint32_t rank : {1u, 2u}) ASSERT_TRUE(SendText(comm, rank, kText));
      return;
    }
    timespec before, after;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    ASSERT_EQ(Await(comm, 0, 100), Awaited::kArrived);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    const auto seconds = after.tv_sec - before.tv_sec, ns = after.tv_nsec - before.tv_nsec;
    EXPECT_LT(seconds * 1'000'000'000 + ns, 20'000'000) << "who waits takes a core";
    std::string text;
    ASSERT_TRUE(ReceiveText(comm, 0, text));
    EXPECT_EQ(text, kText);
  });
}

// Whenever each of them began.
TEST(Nodes, AllLookAtTheSameMoments) {
  constexpr uint64_t kMs = 1'000'000, kInterval = 100;
  const test::HeldClock clock;
  const uint64_t begin = NowNs() / kMs / kInterval * kInterval;
  for (const uint64_t late : {1, 37, 99}) {
    held_clock_ns = (begin + late) * kMs;
    std::vector<uint64_t> looks;
    ThreadWorld world(2);
    world.Run([&](Comm& comm) {
      if (comm.Rank() == 1) return;
      const auto look = [&looks] {
        looks.push_back(NowNs() / kMs);
        return looks.size() == 4;
      };
      EXPECT_EQ(Await(comm, 1, kInterval, look), Awaited::kGaveUp);
    });
    EXPECT_THAT(looks, ElementsAre(begin + late, begin + 100, begin + 200, begin + 300));
  }
}

TEST(Nodes, WaitingEndsWhenItIsGivenUp) {
  ThreadWorld world(2);
  world.Run([&](Comm& comm) {
    if (comm.Rank() == 1) return;
    int asked = 0;
    EXPECT_EQ(Await(comm, 1, 10, [&] { return ++asked == 3; }), Awaited::kGaveUp);
    EXPECT_EQ(asked, 3);
  });
}

class LaunchEnvironment : public testing::Test {
 protected:
  LaunchEnvironment() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK",
                             "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_NTASKS",
                             "SLURM_STEP_ID", "MPI_LOCALNRANKS"}) {
      unsetenv(name);
    }
  }
};

TEST_F(LaunchEnvironment, OneProcessIsNoJob) {
  EXPECT_FALSE(ReadLaunch());
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  EXPECT_FALSE(ReadLaunch());
}

TEST_F(LaunchEnvironment, ABatchScriptIsOneProcess) {
  setenv("SLURM_NTASKS", "64", 1);
  setenv("SLURM_PROCID", "0", 1);
  EXPECT_FALSE(ReadLaunch());
}

TEST_F(LaunchEnvironment, KnowsTheLaunchers) {
  setenv("SLURM_STEP_ID", "0", 1);
  setenv("SLURM_STEP_NUM_TASKS", "8", 1);
  setenv("SLURM_PROCID", "5", 1);
  auto launch = ReadLaunch();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->ranks, 8u);
  EXPECT_EQ(launch->rank, 5u);
  EXPECT_THAT(launch->families, ElementsAre("openmpi", "mpich"));
  // mpirun on Slurm: its own daemons are the step's tasks.
  setenv("MPI_LOCALNRANKS", "8", 1);
  setenv("PMI_SIZE", "16", 1);
  setenv("PMI_RANK", "15", 1);
  launch = ReadLaunch();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->ranks, 16u);
  EXPECT_EQ(launch->rank, 15u);
  EXPECT_EQ(launch->families[0], "mpich");
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  launch = ReadLaunch();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->ranks, 4u);
  EXPECT_EQ(launch->rank, 3u);
  EXPECT_THAT(launch->families, ElementsAre("openmpi"));
}

}  // namespace
}  // namespace roofmark::mpi
