// SPDX-License-Identifier: BSD-3-Clause
//
// From errno and the system's own words to cause and cure, for machines that nobody has here.
#include "command/doctor/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>

#include "command/doctor/environment_findings.h"
#include "command/doctor/report.h"
#include "lib/core/file.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

SystemFacts Native(int paranoid) {
  SystemFacts facts;
  facts.kernel = "6.1.0";
  facts.paranoid = paranoid;
  for (uint32_t cpu = 0; cpu < 8; ++cpu) facts.online.insert(cpu);
  facts.allowed = facts.online;
  facts.most_files = 1024;
  facts.most_files_hard = 4096;
  facts.open_files = 24;
  return facts;
}

TEST(Diagnose, NothingIsWrong) {
  EXPECT_EQ(DiagnoseOpen(0, Target::kCore, Native(4)).state, State::kOk);
  EXPECT_EQ(DiagnoseSystemCall(EINVAL, Native(4)).state, State::kOk);
}

TEST(Diagnose, ParanoidNamesTheLevelThatEachTargetNeeds) {
  const std::pair<Target, const char*> kCases[] = {
      {Target::kCore, "sudo sysctl kernel.perf_event_paranoid=2"},
      {Target::kKernel, "sudo sysctl kernel.perf_event_paranoid=1"},
      {Target::kPackage, "sudo sysctl kernel.perf_event_paranoid=0"}};
  for (const auto& [target, cure] : kCases) {
    const Diagnosis diagnosis = DiagnoseOpen(EACCES, target, Native(4));
    EXPECT_EQ(diagnosis.state, State::kDenied);
    EXPECT_EQ(diagnosis.error, EACCES);
    EXPECT_THAT(diagnosis.cause, HasSubstr("perf_event_paranoid is 4"));
    EXPECT_THAT(diagnosis.cure, StartsWith(cure));
    EXPECT_THAT(diagnosis.cure, HasSubstr("setcap cap_perfmon+ep"));
  }
}

TEST(Diagnose, SeccompIsToldFromParanoid) {
  SystemFacts facts = Native(4);
  facts.container = "Docker";
  EXPECT_THAT(DiagnoseOpen(EACCES, Target::kCore, facts).cure, HasSubstr("on the host"));
  facts.seccomp = true;
  for (const int error : {EPERM, ENOSYS}) {
    const Diagnosis filtered = DiagnoseSystemCall(error, facts);
    EXPECT_EQ(filtered.state, State::kDenied);
    EXPECT_THAT(filtered.cause, HasSubstr("seccomp filter of the container"));
    EXPECT_THAT(filtered.cure, StartsWith("docker run --cap-add PERFMON"));
  }
  facts.container = "Kubernetes";
  EXPECT_THAT(DiagnoseSystemCall(EPERM, facts).cure, HasSubstr("securityContext"));
}

TEST(Diagnose, SystemCallThatTheKernelLacks) {
  const Diagnosis diagnosis = DiagnoseSystemCall(ENOSYS, Native(2));
  EXPECT_EQ(diagnosis.state, State::kUnsupported);
  EXPECT_THAT(diagnosis.cause, HasSubstr("CONFIG_PERF_EVENTS"));
}

TEST(Diagnose, WhatParanoidAllowsSomebodyElseForbids) {
  EXPECT_THAT(DiagnoseOpen(EACCES, Target::kCore, Native(2)).cause, HasSubstr("security module"));
  SystemFacts rootless = Native(4);
  rootless.capabilities = uint64_t{1} << 38;
  EXPECT_THAT(DiagnoseOpen(EACCES, Target::kPackage, rootless).cause,
              HasSubstr("in its user namespace only"));
}

TEST(Diagnose, HypervisorsAreCuredEachInItsWay) {
  SystemFacts facts = Native(2);
  facts.hypervisor = "VMware";
  const Diagnosis diagnosis = DiagnoseOpen(ENOENT, Target::kCore, facts);
  EXPECT_EQ(diagnosis.state, State::kUnsupported);
  EXPECT_THAT(diagnosis.cause, HasSubstr("hypervisor (VMware) does not pass the PMU"));
  EXPECT_THAT(diagnosis.cure, HasSubstr("vpmc.enable"));
  for (const char* name :
       {"KVM", "QEMU", "Hyper-V", "Xen", "Amazon EC2", "Google Compute Engine", "unknown"}) {
    EXPECT_THAT(HypervisorCure(name), Not(IsEmpty())) << name;
  }
}

TEST(Diagnose, HypervisorsAreKnownByTheirSigns) {
  EXPECT_EQ(HypervisorName("KVMKVMKVM", "", ""), "KVM");
  EXPECT_EQ(HypervisorName("KVMKVMKVM", "Amazon EC2", "m7i.large"), "Amazon EC2");
  EXPECT_EQ(HypervisorName("VMwareVMware", "", ""), "VMware");
  EXPECT_EQ(HypervisorName("Microsoft Hv", "", ""), "Hyper-V");
  EXPECT_EQ(HypervisorName("", "", ""), "unknown");
}

TEST(Diagnose, KernelWithoutTheDriver) {
  EXPECT_THAT(DiagnoseOpen(ENOENT, Target::kCore, Native(2)).cause,
              HasSubstr("Linux 6.1.0 has no driver"));
  const Diagnosis intel = DiagnoseNoDevice("uncore_imc_#|uncore_imc", Native(2));
  EXPECT_EQ(intel.state, State::kMissing);
  EXPECT_EQ(intel.cure, "sudo modprobe intel-uncore");
  EXPECT_THAT(DiagnoseNoDevice("amd_umc_#", Native(2)).cure,
              StartsWith("sudo modprobe amd-uncore"));
  EXPECT_THAT(DiagnoseNoDevice("uncore_dmc_#", Native(2)).cure,
              StartsWith("sudo modprobe thunderx2_pmu"));
  EXPECT_THAT(DiagnoseNoDevice("nest_mba#_imc", Native(2)).cure, HasSubstr("kernel"));
}

TEST(Diagnose, DescriptorsThatAreUsedUp) {
  const Diagnosis soft = DiagnoseOpen(EMFILE, Target::kCore, Native(2));
  EXPECT_THAT(soft.cause, HasSubstr("24 of 1024"));
  EXPECT_EQ(soft.cure, "ulimit -n $(ulimit -Hn)");
  SystemFacts hard = Native(2);
  hard.most_files_hard = hard.most_files;
  EXPECT_THAT(DiagnoseOpen(EMFILE, Target::kCore, hard).cure, HasSubstr("administrator"));
}

TEST(Diagnose, WatchdogIsToldFromOthers) {
  SystemFacts facts = Native(2);
  EXPECT_THAT(DiagnoseNeverRuns(facts).cause, HasSubstr("monitoring"));
  facts.nmi_watchdog = true;
  EXPECT_EQ(DiagnoseNeverRuns(facts).cure, "sudo sysctl kernel.nmi_watchdog=0");
}

TEST(Limits, DescriptorsForEveryThreadAndEvent) {
  SystemFacts facts = Native(2);
  EXPECT_TRUE(FindDescriptors(facts, 10).Ok());  // 80 of 500
  facts.omp_threads = 128;
  const Finding finding = FindDescriptors(facts, 10);
  EXPECT_EQ(finding.diagnosis.state, State::kLimited);
  EXPECT_THAT(finding.diagnosis.cause, HasSubstr("128 threads x 10 events need 1280"));
  EXPECT_EQ(finding.diagnosis.cure, "ulimit -n $(ulimit -Hn)");
  facts.most_files = facts.most_files_hard = UINT64_MAX;
  EXPECT_TRUE(FindDescriptors(facts, 10).Ok());
}

TEST(Limits, RanksThatAreBoundToOneCore) {
  SystemFacts facts = Native(2);
  EXPECT_TRUE(FindAffinity(facts).Ok());
  facts.allowed = {3};
  facts.omp_threads = 1;
  EXPECT_TRUE(FindAffinity(facts).Ok()) << "one thread on one core is what pure MPI wants";
  facts.omp_threads = 4;
  const Finding finding = FindAffinity(facts);
  EXPECT_EQ(finding.diagnosis.state, State::kLimited);
  EXPECT_EQ(finding.diagnosis.cause, "4 threads take turns on 1 CPU");
  EXPECT_THAT(finding.diagnosis.cure, HasSubstr("--map-by slot:PE=N"));
  facts.omp_threads.reset();
  EXPECT_THAT(FindAffinity(facts).diagnosis.cause, HasSubstr("bound to one CPU"));
}

TEST(Conclusion, FirstThingToDoIsWorthMost) {
  const auto finding = [](const char* id, State state) {
    return Finding{
        id, "", id, "found", {state, 0, std::string(id) + " is bad", "cure " + std::string(id)}};
  };
  Automatic none{"timer", "", {}, {"FLOPs"}, 0};
  Findings findings = {finding("core_events", State::kUnsupported),
                       finding("counting_engine", State::kOk),
                       finding("machine_file", State::kMissing)};
  Conclusion conclusion = Conclude(findings, none);
  EXPECT_TRUE(conclusion.counts);
  EXPECT_EQ(conclusion.with, "roofmark run -- mpirun -n 4 ./app");
  EXPECT_EQ(conclusion.first_cure, "cure machine_file")
      << "no hardware to be had, the engine works";
  findings[1].diagnosis.state = State::kMissing;
  conclusion = Conclude(findings, none);
  EXPECT_FALSE(conclusion.counts);
  EXPECT_EQ(conclusion.first_cure, "cure counting_engine") << "what can be installed comes first";
  findings.push_back(finding("native_engine", State::kOk));
  conclusion = Conclude(findings, none);
  EXPECT_TRUE(conclusion.counts);
  EXPECT_EQ(conclusion.with, "roofmark run --engine native -- mpirun -n 4 ./app");
  findings.pop_back();
  findings[0].diagnosis.state = State::kDenied;
  findings[1].diagnosis.state = State::kOk;
  EXPECT_EQ(Conclude(findings, none).first_cure, "cure core_events");
}

TEST(SystemFacts, AreReadFromTheSystem) {
  for (const char* sign :
       {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER", "KUBERNETES_SERVICE_HOST"}) {
    unsetenv(sign);  // of the container that the test itself may run in
  }
  const test::TempDir root;
  for (const char* folder : {"/proc", "/proc/sys", "/proc/sys/kernel", "/proc/self"}) {
    ASSERT_EQ(mkdir((root.path() + folder).c_str(), 0755), 0);
  }
  const auto write = [&](const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFile(root.File(name), text, IfExists::kReplace));
  };
  write("proc/sys/kernel/perf_event_paranoid", "3\n");
  write("proc/sys/kernel/nmi_watchdog", "1\n");
  write("proc/cpuinfo", "processor : 0\nflags\t\t: fpu hypervisor lahf_lm\n");
  write("proc/self/status",
        "Name:\tx\nCapEff:\t0000004000000000\nSeccomp:\t2\nSeccomp_filters:\t1\n");
  write(".dockerenv", "");
  const SystemFacts facts = ReadSystemFacts(root.path());
  EXPECT_EQ(facts.paranoid, 3);
  EXPECT_TRUE(facts.nmi_watchdog);
  EXPECT_TRUE(facts.seccomp);
  EXPECT_TRUE(facts.MayCountAll()) << "CAP_PERFMON is bit 38";
  EXPECT_THAT(facts.hypervisor, Not(IsEmpty()));
  EXPECT_EQ(facts.container, "Docker");
  EXPECT_GT(facts.open_files, 2u);
  write("proc/cpuinfo", "processor : 0\nflags\t\t: fpu lahf_lm\n");
  EXPECT_EQ(ReadSystemFacts(root.path()).hypervisor, "");
}

}  // namespace
}  // namespace roofmark::cli
