// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_DETAIL in real jobs: the file is read back by Python alone, and says what the roofline
// file says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/mpi.h"
#include "tests/mpi/mpi_jobs.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class DetailFiles : public test::MpiJobs {
 protected:
  void SetUp() override {
    if (test::Run({"/usr/bin/python3", "-c", "import h5py"}).status != 0) {
      GTEST_SKIP() << "h5py is not installed";
    }
    if (access((std::string(PLUGINS "/libroofmark_detail_") + GetParam().name + ".so").c_str(),
               R_OK) != 0) {
      GTEST_SKIP() << "built without HDF5 for this MPI";
    }
  }
  // Both files, held against each other by detail_check.py.
  void ExpectTheyAgree(const std::string& detail) {
    const Ended checked = test::Run({"/usr/bin/python3", SOURCES "/detail_check.py",
                                     directory_.File("run.json"), directory_.File(detail)});
    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("cells agree"));
  }
};

// What MPI's own doings are nothing to is on one of them.
class DetailFilesOnOpenMpi : public DetailFiles {};
class DetailFilesOnMpich : public DetailFiles {};

TEST_P(DetailFiles, EveryRankAsInTheRooflineFile) {
  // Each life is on one MPI: what ranks hand over is the same on all.
  const std::vector lives = {"common", "different", "tree", "one"};
  for (const char* life : test::TurnsOf(GetParam(), lives)) {
    SCOPED_TRACE(life);
    const Ended ended = Launch({"-n", "4", Program("job"), life}, {{"ROOFMARK_DETAIL", "ranks"}});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(Files(), UnorderedElementsAre("run.json", "run.ranks.h5")) << ended.err;
    EXPECT_EQ(Read("run.json").run.passes[0].facts.at("detail"), directory_.File("run.ranks.h5"));
    ExpectTheyAgree("run.ranks.h5");
    RemoveFiles();
  }
}

TEST_P(DetailFilesOnOpenMpi, EveryThread) {
  const Ended ended = Launch({"-n", "5", Program("job_threads")}, {{"ROOFMARK_DETAIL", "threads"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  ExpectTheyAgree("run.threads.h5");
  const Ended rows = test::Run({"/usr/bin/python3", "-c",
                                "import h5py, sys\n"
                                "f = h5py.File(sys.argv[1])\n"
                                "p = [x.decode() for x in f['paths']].index('work')\n"
                                "m = [x.decode() for x in f['metrics']].index('visits')\n"
                                "rows = zip(f['thread_rank'], f['thread_values'][:, p, m])\n"
                                "print(sorted((int(rank), int(visits)) for rank, visits in rows))",
                                directory_.File("run.threads.h5")});
  // Rank r has r + 1 threads; thread t of it visits "work" t + 1 times. One more is main's.
  std::string expected;
  for (int rank = 0; rank < 5; ++rank) {
    for (int visits = 0; visits <= rank + 1; ++visits) {
      expected += (expected.empty() ? "[(" : ", (") + std::to_string(rank) + ", " +
                  std::to_string(visits) + ")";
    }
  }
  EXPECT_EQ(rows.out, expected + "]\n") << rows.err;
}

TEST_P(DetailFilesOnMpich, OneRankToo) {
  EXPECT_EQ(Launch({"-n", "1", Program("job")}, {{"ROOFMARK_DETAIL", "ranks"}}).status, 0);
  ExpectTheyAgree("run.ranks.h5");
}

TEST_P(DetailFiles, WithoutALauncher) {
  const Ended ended =
      test::Run({Program("job")},
                test::ForLaunchers({{"ROOFMARK_COLLECTOR", "timer"},
                                    {"ROOFMARK_DETAIL", "ranks"},
                                    {"ROOFMARK_OUTPUT", directory_.File("run.json")}}),
                directory_.path(), kSeconds);
  EXPECT_EQ(ended.status, 0) << ended.err;
  ExpectTheyAgree("run.ranks.h5");
}

TEST_P(DetailFiles, PartsHaveNone) {
  const Ended ended = Launch({"-n", "1", Program("job"), ":", "-n", "1", Program("plain")},
                             {{"ROOFMARK_DETAIL", "ranks"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, test::Says(message::kNoDetailWithoutMerge));
  EXPECT_THAT(Files(), UnorderedElementsAre("run.part0.json"));
}

TEST_P(DetailFiles, Fortran) {
  if (!Has("job_f08")) GTEST_SKIP() << "no Fortran side of this MPI";
  const Ended ended = Launch({"-n", "2", Program("job_f08")}, {{"ROOFMARK_DETAIL", "ranks"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  ExpectTheyAgree("run.ranks.h5");
}

TEST_P(DetailFilesOnOpenMpi, AnExistingFileIsKept) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Launch({"-n", "2", Program("job")}, {{"ROOFMARK_DETAIL", "ranks"}}).status, 0);
  }
  EXPECT_THAT(Files(),
              UnorderedElementsAre("run.json", "run.1.json", "run.ranks.h5", "run.ranks.1.h5"));
}

// A setting that only some programs of the job have must not let them wait for the others.
TEST_P(DetailFilesOnMpich, SetOnSomeRanksOnly) {
  const Ended ended = Launch(
      {"-n", "1", "env", "ROOFMARK_DETAIL=ranks", Program("job"), ":", "-n", "1", Program("job")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("not all processes of the job have it set"));
  EXPECT_THAT(Files(), UnorderedElementsAre("run.json"));
}

TEST_P(DetailFilesOnMpich, APlaceThatCannotBeWritten) {
  const Ended ended =
      Launch({"-n", "2", Program("job")}, {{"ROOFMARK_DETAIL", "ranks"},
                                           {"ROOFMARK_OUTPUT", "/no/such/place/run.json"},
                                           {"TMPDIR", directory_.path()}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err,
              test::Says(message::kDetailNotWritten,
                         InWords(message::kHdf5CannotCreate, "/no/such/place/run.ranks.h5")));
  EXPECT_THAT(Files(), testing::Contains("run.json")) << "the roofline file goes there instead";
}

TEST_P(DetailFilesOnOpenMpi, NothingIsLoadedUnlessAsked) {
  const Ended off = Launch({"-n", "1", "env", "LD_DEBUG=files", Program("job")});
  EXPECT_THAT(off.err, testing::Not(HasSubstr("libhdf5")));
}

INSTANTIATE_TEST_SUITE_P(Mpi, DetailFiles, testing::ValuesIn(test::kMpis), test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, DetailFilesOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, DetailFilesOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         test::NameOf);

}  // namespace
}  // namespace roofmark
