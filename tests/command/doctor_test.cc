// SPDX-License-Identifier: BSD-3-Clause
//
// The doctor as a user runs it, on machines with and without counters: what it says, its status,
// and its JSON against the schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/lib/profile/schema_check.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using nlohmann::json;
using test::Ended;
using test::Environment;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Doctor : public ::testing::Test {
 protected:
  Ended Run(const std::vector<std::string>& command, Environment environment) {
    // No machine file but one of the test's own, and no engine that only some builds have.
    environment.try_emplace("XDG_CACHE_HOME", directory_.path());
    environment.try_emplace("ROOFMARK_TOOL_DIR", directory_.File("nowhere"));
    return test::Run(command, environment, directory_.path(), 120);
  }
  Environment On(const std::string& machine, Environment more = {}) {
    more["LD_PRELOAD"] = VIRTUAL_PMU;
    more["VPMU_MACHINE"] = std::string(VPMU_MACHINES) + "/" + machine;
    return more;
  }
  json Json(const std::vector<std::string>& command, Environment environment) {
    const Ended ended = Run(command, std::move(environment));
    EXPECT_TRUE(!test::HavePythonJsonschema() ||
                test::MatchesSchema(ended.out, "doctor.schema.json"))
        << ended.out << ended.err;
    status_ = ended.status;
    return json::parse(ended.out, nullptr, /*allow_exceptions=*/false);
  }
  static json Find(const json& report, const std::string& id) {
    for (const json& finding : report["findings"]) {
      if (finding["id"] == id) return finding;
    }
    ADD_FAILURE() << "no finding " << id << " in " << report.dump(1);
    return {};
  }
  static std::string StatusOf(const json& report, const std::string& id) {
    return Find(report, id).value("status", "");
  }
  const std::vector<std::string> kJson = {ROOFMARK, "doctor", "--json"};
  // The command where no library, and so no engine, lies beside it.
  std::vector<std::string> JsonWithoutEngines() {
    const std::string alone = directory_.File("roofmark");
    std::filesystem::copy_file(ROOFMARK, alone, std::filesystem::copy_options::overwrite_existing);
    return {alone, "doctor", "--json"};
  }
  test::TempDir directory_;
  int status_ = -1;
};

class DoctorOn : public Doctor, public ::testing::WithParamInterface<const char*> {};

TEST_P(DoctorOn, PrivilegedEverythingOpens) {
  const json report = Json(kJson, On(GetParam(), {{"VPMU_PRIVILEGED", "1"}}));
  for (const char* id : {"cpu", "perf_event_open", "software_events", "core_events", "kernel_mode",
                         "counters", "flops", "cycles", "dram"}) {
    EXPECT_EQ(StatusOf(report, id), "ok") << id;
  }
  EXPECT_EQ(report["automatic"]["collector"], "perf_event");
  EXPECT_EQ(report["conclusion"]["counts"], true);
  EXPECT_EQ(status_, 0);
}

TEST_P(DoctorOn, UnprivilegedTheControllersAreDenied) {
  const json report = Json(kJson, On(GetParam()));
  EXPECT_EQ(StatusOf(report, "flops"), "ok");
  EXPECT_EQ(StatusOf(report, "kernel_mode"), "denied");
  const json dram = Find(report, "dram");
  EXPECT_EQ(dram["status"], "denied");
  EXPECT_EQ(dram["errno"], "EACCES");
  EXPECT_THAT(dram["cause"].get<std::string>(), HasSubstr("perf_event_paranoid is 2"));
  EXPECT_THAT(dram["cure"].get<std::string>(),
              StartsWith("sudo sysctl kernel.perf_event_paranoid=0"));
  EXPECT_EQ(report["conclusion"]["first_cure"], dram["cure"]);
  EXPECT_EQ(status_, 0);
}

TEST_P(DoctorOn, ParanoidKernelDeniesAll) {
  const json report = Json(JsonWithoutEngines(), On(GetParam(), {{"VPMU_PARANOID", "4"}}));
  const json core = Find(report, "core_events");
  EXPECT_EQ(core["status"], "denied");
  EXPECT_EQ(core["errno"], "EACCES");
  EXPECT_THAT(core["cure"].get<std::string>(),
              StartsWith("sudo sysctl kernel.perf_event_paranoid=2"));
  EXPECT_EQ(report["automatic"]["collector"], "timer");
  EXPECT_EQ(report["conclusion"]["counts"], false);
  EXPECT_EQ(status_, 1) << "nothing but the timer, and the engine is not there";
}

INSTANTIATE_TEST_SUITE_P(Machines, DoctorOn, ::testing::Values("skx", "spr", "zen3"));

TEST_F(Doctor, TextIsForPeople) {
  const Ended ended = Run({ROOFMARK, "doctor"}, On("skx"));
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, HasSubstr("  ok           CPU                 Skylake-SP (skx)\n"));
  EXPECT_THAT(ended.out, HasSubstr("(0 of 6 devices open)"));
  EXPECT_THAT(ended.out, HasSubstr("fix    sudo sysctl kernel.perf_event_paranoid=1"));
  EXPECT_THAT(ended.out, HasSubstr("\nConclusion\n  you get      hardware counters give FLOPs"));
  for (size_t at = 0, end; at < ended.out.size(); at = end + 1) {
    end = ended.out.find('\n', at);
    EXPECT_LE(end - at, 100u) << ended.out.substr(at, end - at);
  }
}

TEST_F(Doctor, CountersThatOthersHold) {
  const json report = Json({UNDER, "reserve", "cpu", "5", ROOFMARK, "doctor", "--json"},
                           On("skx", {{"VPMU_STATE", directory_.File("state")}}));
  const json counters = Find(report, "counters");
  EXPECT_EQ(counters["status"], "limited");
  EXPECT_EQ(counters["found"], "3 of 8 are free");
  EXPECT_THAT(counters["cause"].get<std::string>(), HasSubstr("5 are held by others"));
}

// In sysfs, but the kernel does not know its type any more.
TEST_F(Doctor, ControllerThatDoesNotOpenIsNamed) {
  test::TempDir machine;
  const std::string from = std::string(VPMU_MACHINES) + "/skx";
  ASSERT_EQ(test::Run({"cp", "-r", from, machine.File("skx")}).status, 0);
  ASSERT_EQ(test::Run({"sed", "-i", "/name=uncore_imc_3/d", machine.File("skx/machine")}).status,
            0);
  Environment environment = On("skx", {{"VPMU_PRIVILEGED", "1"}});
  environment["VPMU_MACHINE"] = machine.File("skx");
  const json dram = Find(Json(kJson, environment), "dram");
  EXPECT_EQ(dram["status"], "unsupported");
  EXPECT_EQ(dram["errno"], "ENOENT");
  EXPECT_THAT(dram["found"].get<std::string>(),
              HasSubstr("(5 of 6 devices open, not uncore_imc_3)"));
}

TEST_F(Doctor, NoDescriptorIsLeft) {
  const json report = Json(kJson, On("skx", {{"VPMU_FAULT", "open:*:EMFILE"}}));
  const json call = Find(report, "perf_event_open");
  EXPECT_EQ(call["status"], "denied");
  EXPECT_EQ(call["errno"], "EMFILE");
  EXPECT_THAT(call["cause"].get<std::string>(), HasSubstr("no file descriptor is left"));
  EXPECT_THAT(call["cure"].get<std::string>(), Not(::testing::IsEmpty()));
}

TEST_F(Doctor, LimitThatIsTooLowForTheThreads) {
  // The shell is not preloaded: it may lack what a sanitizer's libraries need.
  Environment environment = On("skx", {{"OMP_NUM_THREADS", "64"}});
  environment.erase("LD_PRELOAD");
  const auto limited = [&](const std::string& files) {
    const json found = Find(
        Json(
            {"sh", "-c",
             "ulimit -n " + files + "; LD_PRELOAD=" VIRTUAL_PMU " exec " ROOFMARK " doctor --json"},
            environment),
        "open_files");
    EXPECT_EQ(found["status"], "limited");
    return found["cause"].get<std::string>();
  };
  EXPECT_THAT(limited("300"), HasSubstr("64 threads x"));
  EXPECT_THAT(limited("128"), HasSubstr("fewer than 256 files"));
}

TEST_F(Doctor, RankThatIsBoundToOneCore) {
  const json report = Json(kJson, On("skx", {{"VPMU_CPUS", "3"}, {"OMP_NUM_THREADS", "4"}}));
  const json affinity = Find(report, "affinity");
  EXPECT_EQ(affinity["status"], "limited");
  EXPECT_EQ(affinity["found"], "1 of 8 (3), OMP_NUM_THREADS=4");
  EXPECT_EQ(affinity["cause"], "4 threads take turns on 1 CPU");
}

TEST_F(Doctor, FilterOfAContainer) {
  for (const int error : {EPERM, ENOSYS}) {
    std::vector<std::string> command = JsonWithoutEngines();
    command.insert(command.begin(), {UNDER, "seccomp", std::to_string(error)});
    const json report = Json(command, {});
    const json call = Find(report, "perf_event_open");
    EXPECT_EQ(call["status"], "denied") << error;
    EXPECT_EQ(call["errno"], error == EPERM ? "EPERM" : "ENOSYS");
    EXPECT_THAT(call["cause"].get<std::string>(), HasSubstr("seccomp filter"));
    EXPECT_EQ(report["conclusion"]["first_cure"], call["cure"]);
    EXPECT_EQ(status_, 1);
  }
}

TEST_F(Doctor, MachineWithoutCounters) {
  if (access("/sys/bus/event_source/devices/cpu", F_OK) == 0) {
    GTEST_SKIP() << "this machine has counters";
  }
  const json report = Json(JsonWithoutEngines(), {});
  EXPECT_EQ(StatusOf(report, "perf_event_open"), "ok");
  EXPECT_EQ(StatusOf(report, "core_events"), "unsupported");
  EXPECT_EQ(StatusOf(report, "machine_file"), "missing");
  EXPECT_EQ(StatusOf(report, "counting_engine"), "missing");
  EXPECT_EQ(StatusOf(report, "native_engine"), "missing");
  EXPECT_EQ(report["automatic"]["collector"], "timer");
  EXPECT_EQ(status_, 1);
}

// Nothing is retired on a virtual machine by itself: counters that open and stay dead.
TEST_F(Doctor, SelfTestFindsDeadCounters) {
  const Ended ended = Run({ROOFMARK, "doctor", "--self-test", "--collector", "perf_event"},
                          On("skx", {{"ROOFMARK_GROUP", "dp"}}));
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("perf_event: kernels of known work"));
  EXPECT_THAT(ended.out, HasSubstr("0.000!"));
  EXPECT_THAT(ended.out, HasSubstr("counts nothing"));
}

TEST_F(Doctor, SelfTestOfWhatCannotOpen) {
  const Ended ended = Run({ROOFMARK, "doctor", "--self-test", "--collector", "perf_event"},
                          On("skx", {{"VPMU_PARANOID", "4"}}));
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("perf_event_paranoid is 4"));
}

TEST_F(Doctor, UsageIsChecked) {
  EXPECT_EQ(Run({ROOFMARK, "doctor", "--collector", "counting"}, {}).status, 2)
      << "of the self-test only";
  EXPECT_EQ(Run({ROOFMARK, "doctor", "--self-test", "--collector", "tea"}, {}).status, 2);
  EXPECT_THAT(Run({ROOFMARK, "doctor", "--help"}, {}).out, Not(HasSubstr("--worker")));
}

}  // namespace
}  // namespace roofmark
