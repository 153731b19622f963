// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/counted_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "lib/core/thread.h"

namespace roofmark::samples {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

volatile int g_sum;
[[gnu::noinline]] void First() { g_sum = g_sum + 1; }
[[gnu::noinline]] void Second() { g_sum = g_sum + 2; }
[[gnu::noinline]] void Third() { g_sum = g_sum + 3; }

class CountingPlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why_not = CountedPlaces::WhyNot();
    if (!why_not.empty()) GTEST_SKIP() << why_not;
    modules_ = ReadModules();
  }
  CodePlace PlaceOf(void (*function)()) const {
    const auto address = reinterpret_cast<uintptr_t>(function);
    const MappedModule* module = FindModule(modules_, address);
    return {module->file, address - module->begin};
  }
  void Start(std::vector<CodePlace> places) {
    const pid_t self = ThisThread();
    counted_.Start(places, modules_, {&self, 1});
  }

  ModuleMap modules_;
  CountedPlaces counted_;
};

// On some virtual machines breakpoints can be opened, and none ever counts.
TEST(CountedPlaces, AMachineThatDoesNotCountIsNoMachineThatCountsNothing) {
  const ModuleMap modules = ReadModules();
  const auto address = reinterpret_cast<uintptr_t>(&First);
  const MappedModule* module = FindModule(modules, address);
  const CodePlace place{module->file, address - module->begin};
  const pid_t self = ThisThread();
  CountedPlaces counted;
  counted.Start({&place, 1}, modules, {&self, 1});
  for (int i = 0; i < 5; ++i) First();
  const std::vector<CountedPlace> stopped = counted.Stop();
  ASSERT_EQ(stopped.size(), 1u);
  EXPECT_EQ(stopped[0].times.value_or(5), 5u);
  EXPECT_EQ(stopped[0].times.has_value(), counted.why_not_counted().empty());
  EXPECT_EQ(CountedPlaces::WhyNot().empty(), stopped[0].times.has_value());
}

TEST_F(CountingPlaces, CountsAreExactOnAllThreadsAndNotInForkedChildren) {
  Start({PlaceOf(&First), PlaceOf(&Second)});
  for (int i = 0; i < 70; ++i) First();
  std::thread thread([] {
    for (int i = 0; i < 30; ++i) First();
    Second();
  });
  thread.join();
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 500; ++i) First();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const std::vector<CountedPlace> counted = counted_.Stop();
  First();
  ASSERT_EQ(counted.size(), 2u);
  EXPECT_EQ(counted[0].place, PlaceOf(&First));
  EXPECT_EQ(counted[0].times, 100u);
  EXPECT_EQ(counted[1].times, 1u);
  EXPECT_THAT(counted_.why_not_counted(), IsEmpty());
}

TEST_F(CountingPlaces, WhatIsNotLoadedIsNotCounted) {
  Start({{"/no/such.so", 16}, PlaceOf(&Third)});
  Third();
  const std::vector<CountedPlace> counted = counted_.Stop();
  EXPECT_EQ(counted[0].times, std::nullopt);
  EXPECT_EQ(counted[1].times, 1u);
  EXPECT_THAT(counted_.why_not_counted(), HasSubstr("/no/such.so was not loaded"));
}

TEST_F(CountingPlaces, AFileOfTheProgramIsNotTakenForACounter) {
  Start({PlaceOf(&First)});
  for (int number = 3; number < 1024; ++number) close(number);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "12345678", 8), 8);
  for (int number = 3; number < 1024; ++number) {
    if (number != ends[0] && number != ends[1]) dup2(ends[0], number);
  }
  EXPECT_EQ(counted_.Stop()[0].times, std::nullopt);
  char text[8];
  EXPECT_EQ(read(ends[0], text, 8), 8) << "nobody took what was for the program";
  for (int number = 3; number < 1024; ++number) close(number);
  EXPECT_THAT(counted_.why_not_counted(), HasSubstr("closed"));
}

// As it comes where the kernel does not know that the breakpoint was perf_event's.
TEST_F(CountingPlaces, ATrapOfACountedPlaceDoesNotEndTheProgram) {
  const CodePlace place = PlaceOf(&First);
  Start({place});
  First();
  siginfo_t info = {};
  info.si_signo = SIGTRAP;
  info.si_code = TRAP_BRKPT;
  info.si_addr = reinterpret_cast<void*>(&First);
  ASSERT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), ThisThread(), SIGTRAP, &info), 0);
  First();
  EXPECT_EQ(counted_.Stop()[0].times, 2u);
  struct sigaction after = {};
  ASSERT_EQ(sigaction(SIGTRAP, nullptr, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
}

TEST_F(CountingPlaces, ThreadsHaveFour) {
  const CodePlace place = PlaceOf(&First);
  Start({place, place, place, place, place});
  First();
  const std::vector<CountedPlace> counted = counted_.Stop();
  ASSERT_EQ(counted.size(), 5u);
  EXPECT_EQ(counted[3].times, 1u);
  EXPECT_EQ(counted[4].times, std::nullopt);
  EXPECT_THAT(counted_.why_not_counted(), HasSubstr("no breakpoint left"));
}

}  // namespace
}  // namespace roofmark::samples
