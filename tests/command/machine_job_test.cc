// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs over several nodes whose ranks are threads: who measures, what rank 0 makes of it, and that
// all ranks end alike.
#include "command/machine_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_identity.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/mpi/thread_comm.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

struct Place {
  std::string host, cpus, cpu_model;
};

Machine MachineAt(const Place& place) {
  Machine machine = roofmark::test::SampleMachine();
  machine.cpu_model = place.cpu_model;
  return machine;
}

// A job whose rank r runs at `places[r]`.
class MachineJob : public ::testing::Test {
 protected:
  // Returns the status of each rank.
  std::vector<int> Run(const std::vector<Place>& places) {
    std::vector<int> statuses(places.size(), -1);
    mpi::ThreadWorld world(static_cast<uint32_t>(places.size()));
    world.Run([&](mpi::Comm& comm) {
      const Place& place = places[comm.Rank()];
      JobSteps steps;
      steps.may_begin = [this](const auto& kinds) {
        kinds_ = kinds;
        return may_begin_;
      };
      steps.measure = [&](const std::string& cpus) { return Measure(comm.Rank(), place, cpus); };
      steps.finish = [&](const std::vector<Machine>& machines) {
        EXPECT_EQ(comm.Rank(), 0u);
        finished_ns_ = NowNs();
        machines_ = machines;
        return finish_status_;
      };
      steps.interrupted = [this] { return interrupted_.load(); };
      const std::string kind = KindOf(MachineAt(place));
      statuses[comm.Rank()] = MeasureInJob(comm, {place.host, place.host, place.cpus, kind}, steps);
    });
    return statuses;
  }

  Result<Machine> Measure(uint32_t rank, const Place& place, const std::string& cpus) {
    {
      std::lock_guard lock(mutex_);
      measured_.insert(place.host + " by rank " + std::to_string(rank) + " on " + cpus);
    }
    if (place.host == late_) {
      // Later than the others are kept; at last in any case, so that a fault cannot hang the test.
      for (int i = 0; i < 3000 && finished_ns_ == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      late_ns_ = NowNs();
    }
    if (fails_.count(place.host) != 0) return Error{"there is not enough memory to measure"};
    Machine machine = MachineAt(place);
    machine.cpuset = cpus;
    return machine;
  }

  bool may_begin_ = true;
  int finish_status_ = 0;
  std::set<std::string> fails_;
  std::string late_;
  std::atomic<bool> interrupted_{false};

  std::mutex mutex_;
  std::set<std::string> measured_;
  std::vector<std::string> kinds_;
  std::vector<Machine> machines_;
  std::atomic<uint64_t> finished_ns_{0}, late_ns_{0};
};

const std::vector<Place> kPlaces = {{"n1", "0", "A"}, {"n2", "0-1", "B"}, {"n1", "1", "A"},
                                    {"n3", "1", "A"}, {"n3", "0", "A"},   {"n1", "0", "A"}};

TEST_F(MachineJob, EachNodeOnceEachKindMerged) {
  finish_status_ = 7;
  EXPECT_THAT(Run(kPlaces), Each(7)) << "rank 0's status is everybody's";
  EXPECT_THAT(measured_,
              ElementsAre("n1 by rank 0 on 0-1", "n2 by rank 1 on 0-1", "n3 by rank 3 on 0-1"));
  ASSERT_EQ(machines_.size(), 2u);
  EXPECT_THAT(machines_[0].nodes, ElementsAre("n1", "n3"));
  EXPECT_EQ(machines_[0].ceilings[0].curve[0].nodes, 2u);
  EXPECT_FALSE(machines_[0].partial);
  EXPECT_THAT(machines_[1].nodes, ElementsAre("n2"));
  EXPECT_EQ(machines_[1].cpu_model, "B");
  EXPECT_THAT(kinds_, ElementsAre(KindOf(machines_[0]), KindOf(machines_[1])));
}

TEST_F(MachineJob, NothingIsMeasuredWhereRank0Refuses) {
  may_begin_ = false;
  EXPECT_THAT(Run(kPlaces), Each(1));
  EXPECT_TRUE(measured_.empty());
  EXPECT_TRUE(machines_.empty());
}

TEST_F(MachineJob, ANodeThatFailsIsSaidAndTheOthersCount) {
  fails_ = {"n3"};
  CaptureStderr();
  EXPECT_THAT(Run(kPlaces), Each(0));
  EXPECT_EQ(GetCapturedStderr(),
            test::LineOf(message::kNodeNotMeasured, "n3", "there is not enough memory to measure"));
  ASSERT_EQ(machines_.size(), 2u);
  EXPECT_THAT(machines_[0].nodes, ElementsAre("n1"));
  EXPECT_THAT(machines_[0].warnings,
              ElementsAre(test::Says(message::kNodeNotMeasured, "n3",
                                     "there is not enough memory to measure")));
}

TEST_F(MachineJob, AKindWithoutAnyMeasurementIsAFailure) {
  fails_ = {"n2"};
  CaptureStderr();
  EXPECT_THAT(Run(kPlaces), Each(1));
  EXPECT_EQ(machines_.size(), 1u) << "the other kind is kept";
  fails_ = {"n1", "n2", "n3"};
  machines_.clear();
  EXPECT_THAT(Run(kPlaces), Each(1));
  EXPECT_TRUE(machines_.empty());
  EXPECT_THAT(GetCapturedStderr(), AllOf(test::Says(message::kNodeNotMeasured, "n1", testing::_),
                                         test::Says(message::kNodeNotMeasured, "n2", testing::_)));
}

TEST_F(MachineJob, AnInterruptedJobKeepsWhatIsThereBeforeTheLauncherKillsIt) {
  late_ = "n3";
  interrupted_ = true;
  CaptureStderr();
  EXPECT_THAT(Run(kPlaces), Each(0));
  EXPECT_THAT(GetCapturedStderr(), test::Says(message::kNodeNotMeasured, "n3",
                                              "it had not answered when the job was interrupted"));
  EXPECT_LT(finished_ns_, late_ns_) << "kept only when the last node had answered";
  ASSERT_EQ(machines_.size(), 2u);
  EXPECT_TRUE(machines_[0].partial);
  EXPECT_THAT(machines_[0].nodes, ElementsAre("n1"));
}

TEST(MeasureOnCpus, WidensToTheNodesCpus) {
  const std::string all = AffinityCpuList();
  if (CountCpus(all) < 2) GTEST_SKIP() << "one CPU only";
  const auto here = []() -> Result<Machine> {
    Machine machine;
    machine.cpuset = AffinityCpuList();
    return machine;
  };
  const std::string first = FormatCpuList({*ParseCpuList(all).begin()});
  const auto narrow = MeasureOnCpus(first, here);
  EXPECT_EQ(narrow->cpuset, first);
  const auto wide = MeasureOnCpus(all, here);
  EXPECT_EQ(wide->cpuset, all);
  EXPECT_TRUE(wide->warnings.empty());
  const auto refused = MeasureOnCpus(UniteCpuLists(all, "8191"), here);
  EXPECT_EQ(refused->cpuset, all);
  EXPECT_THAT(refused->warnings,
              ElementsAre(AllOf(HasSubstr("together"), HasSubstr("may use only " + all))));
}

}  // namespace
}  // namespace roofmark::cli
