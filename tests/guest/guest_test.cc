// SPDX-License-Identifier: BSD-3-Clause
//
// A program behaves with roofmark as it does without: modes of programs/modes.inc under the
// collectors, beside the same program without the library. What a collector might spoil is the same
// for modes of one kind (floating point, limits, names, ...), so each kind is under each collector,
// and each mode under the two that are most in its way and one more. The exhaustive group has each
// mode under each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>
#include <sstream>
#include <string_view>

#include "lib/core/file.h"
#include "lib/core/messages/collectors.h"
#include "tests/support/pairs.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

namespace fs = std::filesystem;

struct Mode {
  const char *kind, *name;
};
constexpr Mode kModes[] = {
#define GUEST(kind, name) {#kind, #name},
#include "tests/guest/programs/modes.inc"
#undef GUEST
};
void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }

struct Collector {
  const char* label;
  const char* name;  // of the setting; "off" is none
  bool virtual_pmu;
  const char* events = "";   // of this machine's kernel
  const char* samples = "";  // of CPU time
  const char* count = "";    // by the native engine
  bool outside = false;      // of regions as well
};
constexpr Collector kCollectors[] = {
    {"off", "off", false},  // first
    {"timer", "timer", false},
    {"software_events", "perf_event", false, "page-faults,context-switches"},
    {"samples", "timer", false, "", "on"},
    {"samples_by_signals", "timer", false, "", "timer:1000"},
#ifdef HAVE_COUNTING
    {"counting", "counting", false},
#ifdef HAVE_NATIVE
    {"native", "counting", false, "", "", "flops"},
    {"native_caches", "counting", false, "", "", "cache"},
    {"native_whole", "counting", false, "", "", "flops", true},
#endif
#endif
#ifdef VPMU_MACHINE_FOLDER
    {"perf_event", "perf_event", true},
#ifdef HAVE_PAPI
    {"papi", "papi", true},
#endif
#endif
};

void PrintTo(const Collector& collector, std::ostream* out) { *out << collector.label; }

// Where the kernel lets nobody count there is nothing to see.
bool KernelCounts() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  attributes.exclude_kernel = attributes.exclude_hv = 1;
  const long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd >= 0) close(static_cast<int>(fd));
  return fd >= 0;
}

// What the shell does before it executes the program. Where little is left roofmark says on stderr
// what it could not do.
struct Before {
  const char *mode, *commands;
};
constexpr Before kBefore[] = {
    // ctest leaves its log open, which would count.
    {"limited_files", "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n 12"},
    {"softly_limited_files", "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -S -n 12"},
    {"limited_addresses", "ulimit -v 131072"},
    {"limited_data", "ulimit -d 32768"},
    {"limited_stack", "ulimit -s 64"},
    {"limited_locks", "ulimit -l 0"},
    {"limited_file_size", "ulimit -f 0"},
    {"read_only_directory", "cd /sys"},
    {"gone_before", "mkdir gone; cd gone; rmdir ../gone"},
    {"closed_before", "exec <&- >&- 2>&-"},
};

const char* CommandsBefore(const std::string& mode) {
  for (const Before& before : kBefore) {
    if (before.mode == mode) return before.commands;
  }
  return nullptr;
}

// All that a program sees of the counting engine, word for word: docs/accuracy.md lists it.
struct Difference {
  const char* mode;
  std::string native, seen;  // native: empty for the first line, which depends on the machine
};
const Difference kUnderTheEngine[] = {
    {"environment", "name guest",
     "VALGRIND_LIB=" TOOLS "\nOMP_WAIT_POLICY=passive\nGOMP_SPINCOUNT=0\nHWLOC_COMPONENTS=-x86\n"
     "LD_PRELOAD=" TOOLS "/vgpreload_core-amd64-linux.so\nname roofm"},
    {"limits", "limit 7: 1024 of 1024", "limit 7: 1012 of 1012"},
    {"rounding", "0x1.5555555555556p-2", "0x1.5555555555555p-2"},
    {"fp_control", "chosen 0x9fc0", "chosen 0x1f80"},
    {"fp_flags", "inexact 1, division by zero 1", "inexact 0, division by zero 0"},
    {"flush_to_zero", "0x0p+0", "0x0.8p-1022"},
    {"x87", "0.33333333333333333334", "0.33333333333333331483"},
    {"fp_traps", "division by zero traps", "division by zero goes on"},
    {"cpuid", "", "GenuineIntel, AVX2 1, AVX-512 0"},
    {"handlers", "alternate stack", "signal 64 is ignored\nalternate stack"},
    {"spawns", "missing: 1", "missing: 0"},
};

// And of sampling: docs/guide.md says it.
const Difference kSampled[] = {{"threads_seen", "threads 1", "threads 2"}};
const Difference kSampledBySignals[] = {
    {"threads_seen", "threads 1", "threads 2"},
    {"handlers", "alternate stack", "signal 23 is caught\nalternate stack"},
};

std::span<const Difference> DifferencesOf(const Collector& collector) {
  if (*collector.count != '\0') return {};
  if (collector.name == std::string("counting")) return kUnderTheEngine;
  if (collector.samples == std::string("on")) return kSampled;
  if (*collector.samples != '\0') return kSampledBySignals;
  return {};
}

std::string AsSeenWith(const Collector& collector, const std::string& mode, std::string native) {
  for (const Difference& one : DifferencesOf(collector)) {
    if (one.mode != mode) continue;
    const size_t at = native.find(one.native);
    EXPECT_NE(at, std::string::npos) << native;
    const size_t size = one.native.empty() ? native.find('\n') : one.native.size();
    if (at != std::string::npos) native.replace(at, size, one.seen);
  }
  return native;
}

std::string WithoutLines(const std::string& text, const char* beginning) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(beginning)) kept += line + "\n";
  }
  return kept;
}

struct Programs {
  test::Ended Execute(const Collector& collector, const std::string& mode, bool marked) const {
    // Always the same one: a program may print it.
    const std::string work = directory_.File("work");
    const std::string spool = directory_.File("spool");
    for (const std::string& place : {work, spool}) {
      fs::remove_all(place);
      fs::create_directory(place);
    }
    // For modes that give up their privileges.
    for (const std::string& place : {directory_.path(), work}) {
      fs::permissions(place, fs::perms::all);
    }
    std::string variables = "LC_ALL=C PATH=/usr/bin:/bin TMPDIR=" + work;
    if (marked && collector.name != std::string("off")) {
      if (*collector.events != '\0')
        variables += std::string(" ROOFMARK_EVENTS=") + collector.events;
      if (*collector.samples != '\0')
        variables += std::string(" ROOFMARK_SAMPLES=") + collector.samples;
      const bool native = *collector.count != '\0';
      if (native) variables += " ROOFMARK_ENGINE=native";
      if (collector.outside) variables += " ROOFMARK_OUTSIDE=on";
      variables += " ROOFMARK_COLLECTOR=" + std::string(collector.name) + " ROOFMARK_QUIET=1" +
                   " ROOFMARK_COUNT=" + (native ? collector.count : "flops") +
                   " ROOFMARK_SPOOL=" + spool + " ROOFMARK_OUTPUT=" + directory_.File("run.json");
    }
#ifdef VPMU_MACHINE_FOLDER
    if (collector.virtual_pmu) variables += " VPMU_MACHINE=" VPMU_MACHINE_FOLDER;
#endif
    const std::string program = std::string(GUESTS) + "/" + (marked ? "marked" : "plain") +
                                (collector.virtual_pmu ? "_pmu" : "") + "/guest";
    // Room for the counters of a crowd of threads.
    const bool counters = collector.virtual_pmu || *collector.events != '\0';
    std::string commands = counters ? "ulimit -n 8192; " : "ulimit -n 1024; ";
    if (const char* before = CommandsBefore(mode)) {
      commands += std::string(before) + "; ";
    } else {
      commands += "printf 'one\\ntwo\\n' | ";
    }
    commands += "exec env -i " + variables + " \"$0\" \"$1\"";
    return test::Run({"/bin/sh", "-c", commands, program, mode}, {}, work, 600);
  }
  test::TempDir directory_;
};

// What roofmark says even if it is to be quiet.
std::string ManyThreads() { return "roofmark: " + InWords(message::kPapiKeepsThreads, 5000); }

using Entry = std::tuple<Mode, Collector>;
class Guest : public Programs, public testing::TestWithParam<Entry> {};

// More names than there can be paths make a file of 140 MB. The other collectors know of paths what
// these do: samples and software events are the timer's and perf_event's, and the native engine's
// table of paths is the same whatever it counts. Under Valgrind it takes minutes.
bool KnowsPathsAsAnother(const std::string& collector) {
  static constexpr std::array kSame = {"software_events", "samples", "samples_by_signals",
                                       "native_caches", "native_whole"};
  return std::find(kSame.begin(), kSame.end(), collector) != kSame.end() ||
         (collector == "counting" && !test::Exhaustive());
}

bool CanBe(const Mode& mode, const Collector& collector) {
  return mode.name != std::string_view("many_names") || !KnowsPathsAsAnother(collector.label);
}

// The whole program is translated by the one, and rewritten by the other.
bool IsInTheWay(const Collector& collector) {
  return collector.label == std::string_view("counting") ||
         collector.label == std::string_view("native_whole");
}

// These keep descriptors for each thread.
bool TakesDescriptorsOf(const Mode& mode, const Collector& collector) {
  return mode.name == std::string_view("takes_all_numbers") &&
         (collector.name == std::string_view("perf_event") ||
          collector.name == std::string_view("papi"));
}

// What each of these says of a collector is written down.
bool IsDifferent(const Mode& mode, const Collector& collector) {
  if (mode.name == std::string_view("thread_succession"))
    return collector.name == std::string_view("papi");
  if (mode.name == std::string_view("limited_signals")) return *collector.samples != '\0';
  return std::ranges::any_of(DifferencesOf(collector), [&](const Difference& one) {
    return one.mode == std::string_view(mode.name);
  });
}

constexpr size_t kCollectorsOfAMode = 3;

std::vector<Entry> Entries() {
  const auto wanted = +[](const Mode& mode, const Collector& collector) {
    return IsInTheWay(collector) || IsDifferent(mode, collector) ||
           TakesDescriptorsOf(mode, collector);
  };
  return test::KindsWhere([](const Mode& mode) { return std::string_view(mode.kind); }, &CanBe,
                          wanted, kCollectorsOfAMode, test::Factor(kModes),
                          test::Factor(kCollectors));
}

TEST(GuestEntries, LeaveOutNoModeNoKindUnderACollectorAndNoDifference) {
  std::set<std::pair<std::string, std::string>> modes, kinds;
  for (const auto& [mode, collector] : Entries()) {
    EXPECT_TRUE(CanBe(mode, collector));
    EXPECT_TRUE(modes.emplace(mode.name, collector.label).second) << "one is there twice";
    kinds.emplace(mode.kind, collector.label);
  }
  for (const Mode& mode : kModes) {
    size_t can = 0, under = 0;
    for (const Collector& collector : kCollectors) {
      EXPECT_TRUE(kinds.contains({mode.kind, collector.label})) << mode.kind << collector.label;
      can += CanBe(mode, collector) ? 1u : 0u;
      under += modes.contains({mode.name, collector.label}) ? 1u : 0u;
      if (IsInTheWay(collector) && CanBe(mode, collector)) {
        EXPECT_TRUE(modes.contains({mode.name, collector.label})) << mode.name << collector.label;
      }
    }
    EXPECT_GE(under, std::min(can, kCollectorsOfAMode)) << mode.name;
  }
  for (const Collector& collector : kCollectors) {
    for (const Difference& one : DifferencesOf(collector)) {
      EXPECT_TRUE(modes.contains({one.mode, collector.label})) << one.mode << collector.label;
    }
  }
  if (!test::Exhaustive()) {
    EXPECT_LE(modes.size(), 260u) << "each one is two executions";
  }
}

TEST_P(Guest, BehavesAsWithoutRoofmark) {
  const auto& [guest, collector] = GetParam();
  const std::string mode = guest.name;
  if (*collector.events != '\0' && !KernelCounts()) GTEST_SKIP() << "the kernel forbids to count";
  const test::Ended without = Execute(collector, mode, false);
  const test::Ended with = Execute(collector, mode, true);
  const bool engine = collector.name == std::string("counting") && *collector.count == '\0';
  EXPECT_EQ(with.out, AsSeenWith(collector, mode, without.out));
  // A program that a signal ends is reported by the engine.
  std::string said = engine ? WithoutLines(with.err, "==") : with.err;
  const bool few_timers = *collector.samples != '\0' && mode == "limited_signals";
  if (CommandsBefore(mode) != nullptr || few_timers) said = WithoutLines(said, "roofmark: ");
  if (collector.label == std::string("papi") && mode == "thread_succession") {
    EXPECT_THAT(said, testing::StartsWith(ManyThreads()));
    said = WithoutLines(said, ManyThreads().c_str());
  }
  EXPECT_EQ(said, without.err);
  EXPECT_EQ(with.status, without.status);
  EXPECT_NE(without.status, 98) << "there is no such mode";
  EXPECT_NE(without.status, 99) << without.out;
}

class Measured : public Programs, public testing::TestWithParam<Collector> {};

TEST_P(Measured, ByTheCollectorThatIsMeant) {
  if (*GetParam().events != '\0' && !KernelCounts()) GTEST_SKIP() << "the kernel forbids to count";
  Execute(GetParam(), "errors", true);
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_EQ(test::Value(job, "visit/inner", metric::kVisits), 9u) << "4 are of objects";
  ASSERT_EQ(job.run.passes.size(), 1u);
  EXPECT_EQ(job.run.passes[0].collector, GetParam().name);
  if (*GetParam().count != '\0') {
    EXPECT_EQ(job.run.passes[0].facts.at("engine"), "native");
  }
}

// The file is written by whichever thread is the last.
TEST_P(Measured, WhereTheMainThreadEndsBeforeTheOthers) {
  if (*GetParam().events != '\0' && !KernelCounts()) GTEST_SKIP() << "the kernel forbids to count";
  EXPECT_EQ(Execute(GetParam(), "main_exits_before_many", true).status, 0);
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_EQ(test::Value(job, "visit/inner", metric::kVisits), 27u)
      << "4 are of objects, 1 of the main thread, 22 of 21 others";
}

INSTANTIATE_TEST_SUITE_P(Collectors, Measured,
                         testing::ValuesIn(std::begin(kCollectors) + 1, std::end(kCollectors)),
                         [](const auto& one) { return std::string(one.param.label); });

INSTANTIATE_TEST_SUITE_P(Modes, Guest, testing::ValuesIn(Entries()),
                         [](const testing::TestParamInfo<Guest::ParamType>& one) {
                           return std::string(std::get<Collector>(one.param).label) + "_" +
                                  std::get<Mode>(one.param).name;
                         });

}  // namespace
}  // namespace roofmark
