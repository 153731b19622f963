// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "lib/core/file.h"
#include "lib/core/status.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using testing::HasSubstr;

TEST(Status, NamesRoundTripAndWorstIsTheLeastTrustworthy) {
  for (int i = 0; i <= static_cast<int>(Status::kInvalid); ++i) {
    const auto status = static_cast<Status>(i);
    EXPECT_EQ(ParseStatus(StatusName(status)), status);
  }
  EXPECT_EQ(ParseStatus("fine"), std::nullopt);
  EXPECT_EQ(Worst(Bit(Status::kMeasured) | Bit(Status::kModelled)), Status::kModelled);
  EXPECT_EQ(Worst(0), Status::kUnsupported);
}

TEST(CpuList, RoundTripsAndUnites) {
  EXPECT_EQ(FormatCpuList(ParseCpuList("0-3,8,10-11")), "0-3,8,10-11");
  EXPECT_EQ(UniteCpuLists("0,2", "1,3-4"), "0-4");
  EXPECT_EQ(UniteCpuLists("", "5"), "5");
  EXPECT_EQ(CountCpus("0-3,8"), 5u);
  EXPECT_EQ(CountCpus("x,1-y,7"), 1u);
  EXPECT_GE(CountCpus(AffinityCpuList()), 1u);
}

TEST(Clock, TicksAgreeWithTheMonotonicClock) {
  const ClockPair start = ReadClocks();
  const double ns_per_tick = NsPerTick(start);
  // Between an inner and an outer interval, however long a busy machine keeps this thread from
  // reading on.
  const uint64_t outer_begin = NowNs(), ticks_begin = Ticks(), inner_begin = NowNs();
  while (NowNs() - inner_begin < 20'000'000) {
  }
  const uint64_t inner_end = NowNs(), ticks_end = Ticks(), outer_end = NowNs();
  const double by_ticks = static_cast<double>(ticks_end - ticks_begin) * ns_per_tick;
  EXPECT_GE(by_ticks, 0.99 * static_cast<double>(inner_end - inner_begin));
  EXPECT_LE(by_ticks, 1.01 * static_cast<double>(outer_end - outer_begin));
}

TEST(File, RefusesRenamesAndReplaces) {
  const test::TempDir directory;
  const std::string name = directory.File("run.json");
  EXPECT_EQ(*WriteFile(name, "one", IfExists::kRefuse), name);
  const Result<std::string> refused = WriteFile(name, "two", IfExists::kRefuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), name + " exists already; choose another name or remove it");
  EXPECT_EQ(*WriteFile(name, "two", IfExists::kRename), directory.File("run.1.json"));
  EXPECT_EQ(*WriteFile(name, "three", IfExists::kRename), directory.File("run.2.json"));
  EXPECT_EQ(*ReadFile(name), "one");
  EXPECT_EQ(*WriteFile(name, "four", IfExists::kReplace), name);
  EXPECT_EQ(*ReadFile(name), "four");
  EXPECT_EQ(test::ListFiles(directory.path()).size(), 3u) << "temporary files are left";
}

TEST(File, ErrorsNameTheFile) {
  const Result<std::string> unreadable = ReadFile("/nowhere/x.json");
  ASSERT_FALSE(unreadable);
  EXPECT_EQ(unreadable.error(), "cannot read /nowhere/x.json: No such file or directory");
  const Result<std::string> unwritable = WriteFile("/nowhere/x.json", "", IfExists::kRefuse);
  ASSERT_FALSE(unwritable);
  EXPECT_EQ(unwritable.error(), "cannot write /nowhere/x.json: No such file or directory");
}

TEST(File, FullDeviceIsAnError) {
  const Result<std::string> full = WriteFile("/dev/full", "text", IfExists::kRename);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error(), "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace roofmark
