// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/health_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/advice_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::JobOf;
using test::kGiga;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Two ranks on the model machine.
std::string Shared(const std::string& launcher, uint32_t cpus, uint32_t threads) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 64);
  profile.run.hosts.front().cpus = cpus;
  profile.run.threads_max = threads;
  if (!launcher.empty()) profile.run.passes[0].facts["launcher"] = launcher;
  JobAnalysis analysis = test::AnalyzedJob(profile);
  const ReportJob job = {"F", std::move(profile), std::move(analysis)};
  const std::vector<std::string> lines = HealthThings(job);
  return lines.empty() ? "" : lines[0];
}

TEST(HealthWords, SayWhoSharesWhatAndWhatItCosts) {
  EXPECT_THAT(Shared("", 1, 1),
              StartsWith("2 threads share 1 CPU on node1 (2 ranks x 1 thread): they wait for each "
                         "other's turns, so times, and all verdicts that rest on times, do not "
                         "hold; this costs up to 750 ms"));
}

TEST(HealthWords, SayThatAQuotaStopsThreads) {
  const auto stopped = [](uint64_t mcpus, uint32_t threads) {
    JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
    HostInfo& host = profile.run.hosts.front();
    host.cpus = 64;
    host.quota_mcpus = OverHost::Of(mcpus);
    profile.run.threads_max = threads;
    JobAnalysis analysis = test::AnalyzedJob(profile);
    return HealthThings({"F", std::move(profile), std::move(analysis)})[0];
  };
  EXPECT_THAT(
      stopped(4000, 32),
      testing::AllOf(
          StartsWith("64 threads have the time of 4 CPUs on node1 (2 ranks x 32 threads): a "
                     "quota of their cgroup (of a container or a batch system) stops them "
                     "again and again, so times, and all verdicts that rest on times, do "
                     "not hold"),
          EndsWith("; set OMP_NUM_THREADS=2, or ask for more CPUs (docker run --cpus, "
                   "limits.cpu of Kubernetes)")));
  EXPECT_THAT(stopped(1500, 1), testing::HasSubstr("; start fewer ranks, or ask for more CPUs"));
}

TEST(HealthWords, NameTheCureOfTheLauncherThatWasUsed) {
  EXPECT_THAT(Shared("openmpi", 1, 2),
              EndsWith("mpirun --map-by slot:PE=2, or mpirun --bind-to none"));
  EXPECT_THAT(Shared("hydra", 1, 2), EndsWith("mpiexec -bind-to core:2"));
  EXPECT_THAT(Shared("slurm", 1, 2), EndsWith("srun -c 2 --cpu-bind=cores"));
  EXPECT_THAT(Shared("", 1, 2), EndsWith("start the program without taskset and numactl"));
}

TEST(HealthWords, NameTheRegionsWhoseTimesSpreadBetweenExecutions) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  profile.run.repeats_s = {1, 1.5};
  profile.paths[0].repeats_ns = {kGiga, 3 * kGiga / 2};
  JobAnalysis analysis = test::AnalyzedJob(profile);
  const ReportJob job = {"F", std::move(profile), std::move(analysis)};
  ASSERT_EQ(HealthThings(job).size(), 1u);
  EXPECT_THAT(
      HealthThings(job)[0],
      StartsWith("2 executions took 1.00 s to 1.50 s; more than 10 % apart: A r (the first of "
                 "them: 1.00 s to 1.50 s); gains that are smaller"));
  EXPECT_THAT(RenderTable({job}, {}),
              HasSubstr("2 executions for time: 1.00 s to 1.50 s; shown is"));
  EXPECT_THAT(RenderCsv(job), HasSubstr("time_s_repeats_most,s,timer,measured,job,,1.5,"));
  EXPECT_THAT(RenderJson({job}), HasSubstr("\"id\": \"repeats_differ\""));
}

TEST(HealthWords, AdviceFollowsWhereTimesDoNotHold) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 4 * kGiga, 64);
  JobAnalysis analysis = test::AnalyzedJob(profile);
  ReportJob job = {"F", std::move(profile), std::move(analysis)};
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr("What to do first "));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("<h3>What to do first</h3>"));
  job.profile.run.hosts.front().cpus = 1;
  EXPECT_THAT(RenderTable({job}, {}),
              HasSubstr("What to do next (rests on times that do not hold)"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("<h3>What to do next (rests on times that"));
}

std::string First(JobProfile profile) {
  JobAnalysis analysis = test::AnalyzedJob(profile);
  const ReportJob job = {"F", std::move(profile), std::move(analysis)};
  const std::vector<std::string> lines = HealthThings(job);
  return lines.empty() ? "" : lines[0];
}

TEST(HealthWords, SayHowLongThreadsWaitedForACpu) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  profile.run.kernel.run_queue_ns = Cell::Of(kGiga / 4, 1, Status::kMeasured);
  EXPECT_THAT(First(profile),
              StartsWith("a thread of rank 1 was ready to run, and waited for a CPU, for up "
                         "to 250 ms (25 % of the run): other programs used the CPUs, so times, "));
  profile.run.hosts.front().cpus = 1;
  EXPECT_THAT(First(profile), HasSubstr("; a thread waited up to 250 ms for its turn"));
}

TEST(HealthWords, SayWhoseRoofsTheseAre) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  profile.run.hosts.front().cpu = "Model CPU";
  EXPECT_EQ(First(profile), "");
  profile.run.hosts.front().cpu = "Other CPU";
  EXPECT_THAT(First(profile), StartsWith("the roofs are those of another machine (Model CPU; node1 "
                                         "has Other CPU): no comparison with them holds"));
}

// Two nodes of the model machine, one of another kind.
std::string Unmeasured(const std::string& launcher, const std::string& mpi = "") {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  const Machine model = test::ModelMachine();
  HostInfo known = {"n1", 1, "0-1", 2, model.cpu_model, KindOf(model)};
  HostInfo other = {"n3", 2, "0-31", 32, "Other CPU", "0123456789abcdef"};
  profile.run.hosts = {known, known, other};
  profile.run.hosts[1].name = "n2";
  profile.run.mpi = mpi;
  if (!launcher.empty()) profile.run.passes[0].facts["launcher"] = launcher;
  const ReportJob job = {"F", profile, test::AnalyzedJob(profile)};
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr("n3: no machine file (Other CPU)"));
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr("n1, n2: Model CPU, default measurement of"));
  return HealthThings(job).at(0);
}

TEST(HealthWords, NameTheNodesWithoutMachineFileAndTheCommandThatMakesIt) {
  EXPECT_THAT(Unmeasured("slurm"),
              StartsWith("1 of 3 nodes have no machine file (n3): the roof of a job is the sum of "
                         "those of all its nodes, so this job has none. Measure one node of each "
                         "kind, `srun -w n3 -N1 -n1 --cpus-per-task=32 roofmark machine -o "
                         "machine-0123456789abcdef.json`; the file is found beside"));
  EXPECT_THAT(Unmeasured("hydra"), HasSubstr("`mpiexec -hosts n3 -n 1 roofmark machine -o "));
  EXPECT_THAT(Unmeasured("", "Open MPI v4"),
              HasSubstr("`mpirun --host n3 -n 1 --bind-to none roofmark machine -o "));
  EXPECT_THAT(Unmeasured(""),
              HasSubstr("`roofmark machine -o machine-0123456789abcdef.json` on n3"));
}

TEST(HealthWords, SayWhoseClockIsLow) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  profile.run.kernel.clock_khz = Cell::Of(2'000'000, 1, Status::kMeasured);
  Machine machine = test::ModelMachine();
  machine.ceilings.push_back(test::MakeCeiling("clock.scalar", "clock", 2.5));
  const ReportJob job = {"F", profile, test::AnalyzedJob(profile, machine)};
  EXPECT_THAT(HealthThings(job).at(0),
              StartsWith("at the end, rank 1 had a clock of 2.00 GHz, and the machine's figures "
                         "rest on 2.50 GHz: "));
}

TEST(HealthWords, SayWhatTheLongestVisitTook) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  test::Set(profile, 0, metric::kVisits, {101, 101}, "timer");
  test::Set(profile, 0, metric::kLongestVisitNs, {kGiga / 2, kGiga / 4}, "timer");
  EXPECT_THAT(First(profile), StartsWith("one visit took much longer than the others: A r (500 ms "
                                         "of 1.00 s, the others 5.00 ms each); if all "
                                         "do"));
}

TEST(HealthWords, SayWhereScaledFlopsContradictDeclaredOnes) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  test::Set(profile, 0, metric::kDeclaredFlops, {2 * kGiga, 2 * kGiga}, "declared");
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    profile.sources[m].status = Status::kScaled;
    profile.At(0, m).status_bits = Bit(Status::kScaled);
  }
  EXPECT_THAT(First(profile), HasSubstr("A r: 8.00 GFLOP scaled from some visits, 4.00 GFLOP "
                                        "declared (x2.00). Probable causes: visits that were not "
                                        "measured did other work"));
}

TEST(HealthWords, SayThatAProgramWasNotOptimised) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  profile.run.passes[0].facts[kCompiledFact] = kWithoutOptimisation;
  EXPECT_THAT(First(profile), HasSubstr("compiled without optimisation"));
  EXPECT_THAT(First(profile), HasSubstr("compile it with -O2"));
}

TEST(HealthWords, AFullMachineTakesFewerThreads) {
  EXPECT_THAT(Shared("openmpi", 2, 4), EndsWith("set OMP_NUM_THREADS=1, or start fewer ranks"));
  EXPECT_EQ(Shared("openmpi", 2, 1), "");
}

TEST(HealthWords, PageFaultsAreOfTheFirstTouchOrOfNewArrays) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 64);
  profile.run.kernel.system_ns = Cell::Of(kGiga / 4, 1, Status::kMeasured);
  profile.run.kernel.page_faults = Cell::Of(100'000, 0, Status::kMeasured);
  const auto said = [&profile] {
    const ReportJob job = {"F", profile, test::AnalyzedJob(profile)};
    return HealthThings(job).at(0);
  };
  EXPECT_THAT(said(), HasSubstr("arrays that are allocated anew again and again"));
  profile.run.kernel.resident_bytes = Cell::Of(400'000'000, 0, Status::kMeasured);
  EXPECT_THAT(said(),
              HasSubstr("(25 % of the run): no more than what it takes to touch its 400 MB"));
  EXPECT_THAT(said(), Not(HasSubstr("allocated anew")));
}

TEST(HealthWords, PageFaultsNameTheRegionsThatHaveThem) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 64);
  profile.run.kernel.system_ns = Cell::Of(kGiga / 4, 1, Status::kMeasured);
  profile.run.kernel.page_faults = Cell::Of(100'000, 0, Status::kMeasured);
  test::Set(profile, 0, metric::kPageFaults, {80'000, 1'000}, "kernel");
  const ReportJob job = {"F", profile, test::AnalyzedJob(profile)};
  EXPECT_THAT(
      HealthThings(job).at(0),
      HasSubstr("100k page faults, most of them in A r, and the operating system worked for it"));
}

}  // namespace
}  // namespace roofmark
