// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark_reduce() in real jobs: what it writes and says, and that nobody waits for who does not
// come.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "lib/core/messages/mpi.h"
#include "lib/core/messages/recording.h"
#include "tests/mpi/mpi_jobs.h"
#include "tests/support/clocks.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Says;
using testing::_;
using testing::ElementsAre;
using testing::Not;
using testing::UnorderedElementsAre;

class ExplicitReduce : public test::MpiJobs {
 protected:
  // The lines that ranks printed, in no order.
  static std::vector<std::string> Said(const Ended& ended) {
    std::vector<std::string> lines;
    std::istringstream out(ended.out);
    for (std::string line; std::getline(out, line);) lines.push_back(line);
    return lines;
  }
  static void ExpectAtEnd(const Ended& ended) { EXPECT_EQ(ended.status, 0) << ended.err; }
};

// What MPI's own doings are nothing to is on one of them.
class ExplicitReduceOnOpenMpi : public ExplicitReduce {};
class ExplicitReduceOnMpich : public ExplicitReduce {};

TEST_P(ExplicitReduce, WritesWhatWasMeasuredAndGoesOn) {
  const Ended ended = Launch({"-n", "3", Program("reduce"), "world"});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 0", "0 0", "1 0", "1 0", "2 0", "2 0"));
  EXPECT_THAT(Files(), UnorderedElementsAre("run.json", "run.reduce1.json", "run.reduce2.json"));
  for (const auto& [file, times] :
       {std::pair("run.reduce1.json", 1), {"run.reduce2.json", 2}, {"run.json", 2}}) {
    const JobProfile job = Read(file);
    const Cell visits = At(job, "common", metric::kVisits);
    EXPECT_EQ(visits.SumAsDouble(), times * (1 + 2 + 3)) << file;
    EXPECT_EQ(visits.max_rank, 2u) << file;
    EXPECT_EQ(job.run.ranks_merged, 3u) << file;
  }
}

TEST_P(ExplicitReduceOnOpenMpi, OpenRegionsCountUntilThereWithoutTheMerge) {
  if (!test::TicksAgree()) GTEST_SKIP() << test::kTicksDisagree;
  const Ended ended = Launch({"-n", "2", Program("reduce"), "open"});
  ExpectAtEnd(ended);
  const JobProfile so_far = Read("run.reduce1.json"), all = Read("run.json");
  for (const char* path : {"outer", "outer/inner"}) {
    EXPECT_EQ(At(so_far, path, metric::kVisits).SumAsDouble(), 2) << path;
    EXPECT_EQ(At(all, path, metric::kVisits).SumAsDouble(), 2) << path;
    const Cell time = At(so_far, path, metric::kTimeNs);
    EXPECT_GT(time.min, 49'000'000u) << path;
    // Nothing follows the merge in these regions, and the merge itself is not theirs. On a busy
    // machine a rank may lose its core in between.
    // The clock is calibrated anew each time.
    EXPECT_GE(At(all, path, metric::kTimeNs).min, time.min - time.min / 1000) << path;
    EXPECT_LT(At(all, path, metric::kTimeNs).min, time.min + 100'000'000u) << path;
  }
  EXPECT_THAT(so_far.run.warnings, testing::Contains(Says(message::kRegionIsOpen, "inner")));
  EXPECT_THAT(all.run.warnings, Not(testing::Contains(Says(message::kRegionIsOpen, _))));
  EXPECT_THAT(all.run.warnings, Not(testing::Contains(Says(message::kOpenRegionClosed, _))));
}

TEST_P(ExplicitReduce, PartsOfTheWorldAtTheSameTime) {
  const Ended ended = Launch({"-n", "4", Program("reduce"), "halves"});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 0", "1 0", "2 0", "3 0"));
  EXPECT_THAT(Files(),
              UnorderedElementsAre("run.json", "run.reduce1.rank0.json", "run.reduce1.rank1.json"));
  const JobProfile odd = Read("run.reduce1.rank1.json");
  EXPECT_EQ(odd.run.ranks, 4u);
  EXPECT_EQ(odd.run.ranks_merged, 2u);
  const Cell visits = At(odd, "common", metric::kVisits);
  EXPECT_EQ(visits.SumAsDouble(), 2 + 4);
  EXPECT_EQ(visits.min_rank, 1u) << "ranks are those of MPI_COMM_WORLD";
  EXPECT_EQ(visits.max_rank, 3u);
}

// The world's merge waits for nobody at the end, the carriers' is done.
TEST_P(ExplicitReduce, AmongThoseWhoCarryInAWorldWhereSomeDoNot) {
  const Ended ended =
      Launch({"-n", "2", Program("reduce"), "first", "2", ":", "-n", "1", Program("plain")});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 0", "1 0"));
  EXPECT_THAT(Files(),
              UnorderedElementsAre("run.reduce1.rank0.json", "run.part0.json", "run.part1.json"));
  EXPECT_EQ(At(Read("run.reduce1.rank0.json"), "common", metric::kVisits).SumAsDouble(), 1 + 2);
}

// Rank 2 never calls it: not a program of ours.
TEST_P(ExplicitReduceOnMpich, NobodyWaitsForAMemberThatDoesNotCarry) {
  const Ended ended =
      Launch({"-n", "2", Program("reduce"), "world", ":", "-n", "1", Program("plain")});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 2", "0 2", "1 2", "1 2"));
  EXPECT_THAT(ended.err, Says(message::kRankNotSeen, 2));
  EXPECT_THAT(Files(), UnorderedElementsAre("run.reduce1.part0.json", "run.reduce1.part1.json",
                                            "run.reduce2.part0.json", "run.reduce2.part1.json",
                                            "run.part0.json", "run.part1.json"));
}

TEST_P(ExplicitReduceOnOpenMpi, NobodyWaitsForAMemberThatIsOff) {
  const Ended ended = Launch({"-n", "2", Program("reduce"), "world", ":", "-n", "1", "env",
                              "ROOFMARK=off", Program("reduce"), "world"});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 2", "0 2", "1 2", "1 2", "2 1", "2 1"));
}

TEST_P(ExplicitReduce, CommunicatorsItCannotUse) {
  for (const char* life : {"two groups", "null"}) {
    const Ended ended = Launch({"-n", "2", Program("reduce"), life});
    ExpectAtEnd(ended);
    EXPECT_THAT(Said(ended), UnorderedElementsAre("0 2", "1 2")) << life;
    EXPECT_THAT(ended.err, Says(message::kBadCommunicator));
    RemoveFiles();
  }
}

TEST_P(ExplicitReduce, OnAThreadOfItsOwn) {
  const Ended ended = Launch({"-n", "2", Program("reduce"), "thread"});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 0", "1 0"));
  EXPECT_EQ(At(Read("run.reduce1.json"), "common", metric::kVisits).SumAsDouble(), 1 + 2);
}

TEST_P(ExplicitReduce, WithoutALauncher) {
  const Ended ended =
      test::Run({Program("reduce"), "world"},
                test::ForLaunchers({{"ROOFMARK_COLLECTOR", "timer"},
                                    {"ROOFMARK_OUTPUT", directory_.File("run.json")}}),
                directory_.path(), kSeconds);
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), ElementsAre("0 0", "0 0"));
  EXPECT_THAT(Files(), UnorderedElementsAre("run.json", "run.reduce1.json", "run.reduce2.json"));
}

TEST_P(ExplicitReduce, AfterFinalizeItSaysOff) {
  const Ended ended = Launch({"-n", "2", Program("reduce"), "after"});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 1", "1 1"));
}

// Too early where MPI has no sessions, else as late as those; the merge at the end is done anyway.
TEST_P(ExplicitReduce, BeforeInitItSpoilsNothing) {
  const Ended ended = Launch({"-n", "2", Program("reduce"), "before"});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), testing::AnyOf(ElementsAre("0 1", "0 1"), ElementsAre("0 2", "0 2")));
  EXPECT_EQ(At(Read("run.json"), "common", metric::kVisits).SumAsDouble(), 1 + 2);
}

TEST_P(ExplicitReduceOnOpenMpi, OffCostsNothingAndWritesNothing) {
  const Ended ended = Launch({"-n", "2", Program("reduce"), "world"}, {{"ROOFMARK", "off"}});
  ExpectAtEnd(ended);
  EXPECT_THAT(Said(ended), UnorderedElementsAre("0 1", "0 1", "1 1", "1 1"));
  EXPECT_THAT(Files(), testing::IsEmpty());
}

TEST_P(ExplicitReduceOnMpich, AnExistingFileIsKept) {
  for (int i = 0; i < 2; ++i) ExpectAtEnd(Launch({"-n", "1", Program("reduce"), "world"}));
  EXPECT_THAT(Files(), testing::IsSupersetOf(
                           {"run.reduce1.json", "run.reduce1.1.json", "run.json", "run.1.json"}));
}

TEST_P(ExplicitReduce, WithoutFinalizeTheMergesAreThere) {
  std::vector<std::string> command = {"-n", "2", Program("reduce"), "unfinished"};
  if (!IsOpenMpi()) command.insert(command.begin(), "-disable-auto-cleanup");
  Launch(command, {{"OMPI_MCA_orte_allowed_exit_without_sync", "1"}});
  EXPECT_THAT(Files(), UnorderedElementsAre("run.reduce1.json", "run.reduce2.json",
                                            "run.part0.json", "run.part1.json"));
}

// A program of sessions shows us no MPI_Init. (It may start MPI again, but MPICH 4.0 crashes there
// by itself.)
TEST_P(ExplicitReduce, MpiBySessions) {
  const Ended parts = Launch({"-n", "2", Program("sessions")});
  if (parts.out == "no sessions\nno sessions\n") GTEST_SKIP() << "this MPI is older than MPI 4";
  ExpectAtEnd(parts);
  EXPECT_EQ(parts.out, "2\n2\n");
  EXPECT_THAT(parts.err, Says(message::kInitNotSeenByMerge));
  RemoveFiles();
  const Ended merged = Launch({"-n", "2", Program("sessions")}, {{"ROOFMARK_MERGE", "always"}});
  ExpectAtEnd(merged);
  EXPECT_EQ(merged.out, "0\n0\n");
  EXPECT_EQ(At(Read("run.reduce1.json"), "life", metric::kVisits).SumAsDouble(), 2);
  EXPECT_EQ(At(Read("run.reduce2.json"), "life", metric::kVisits).SumAsDouble(), 4);
}

#ifdef WITH_COUNTING
TEST_P(ExplicitReduceOnMpich, CountsUntilThereWithoutTheMerge) {
  const Ended ended =
      Launch({"-n", "2", Program("reduce"), "work"}, {{"ROOFMARK_COLLECTOR", "counting"}});
  ExpectAtEnd(ended);
  constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  for (const auto& [file, adds] : {std::pair("run.reduce1.json", 1000u), {"run.json", 2000u}}) {
    const Cell counted = At(Read(file), "work", kAdds);
    EXPECT_EQ(counted.min, adds) << file;
    EXPECT_EQ(counted.max, adds) << file;
    // The merge takes hundreds of thousands.
    EXPECT_LT(At(Read(file), "work", metric::kInstructions).max, 30 * adds) << file;
  }
}
#endif

TEST_P(ExplicitReduce, FromFortran) {
  if (!Has("reduce_f08")) GTEST_SKIP() << "no Fortran side of this MPI";
  const Ended ended = Launch({"-n", "2", Program("reduce_f08")});
  ExpectAtEnd(ended);
  EXPECT_EQ(ended.out, "done\n");
  EXPECT_EQ(At(Read("run.reduce1.json"), "common", metric::kVisits).SumAsDouble(), 2);
}

INSTANTIATE_TEST_SUITE_P(Mpi, ExplicitReduce, testing::ValuesIn(test::kMpis), test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, ExplicitReduceOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, ExplicitReduceOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         test::NameOf);

}  // namespace
}  // namespace roofmark
