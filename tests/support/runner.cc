// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/runner.h"

#include <fnmatch.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace roofmark::test {
namespace {

enum class Outcome { kPassed, kSkipped, kFailed };
constexpr int kSkippedStatus = 77;

// Of the one test in a child: what failed, and why it was skipped.
class Findings final : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.passed()) return;
    const char* what = part.skipped() ? "Skipped" : "Failure";
    const char* file = part.file_name() == nullptr ? "unknown file" : part.file_name();
    std::printf("%s:%d: %s\n%s\n", file, part.line_number(), what, part.message());
    std::fflush(stdout);
  }
};

std::vector<std::string> AllNames() {
  std::vector<std::string> names;
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  for (int s = 0; s < unit.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *unit.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      names.push_back(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
    }
  }
  return names;
}

[[noreturn]] void BeTheTest(const std::string& name) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Findings);
  testing::GTEST_FLAG(filter) = name;
  const int status = RUN_ALL_TESTS();
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  if (status == 0 && unit.skipped_test_count() > 0) exit(kSkippedStatus);
  exit(status == 0 && unit.successful_test_count() == 1 ? 0 : 1);
}

// Until the child ends, or that long. Kernels and emulators without such descriptors wait for ever.
bool EndsWithin(pid_t child, int seconds) {
  const auto fd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (fd < 0) return true;
  pollfd ends = {fd, POLLIN, 0};
  const bool ended = poll(&ends, 1, 1000 * seconds) != 0;
  close(fd);
  return ended;
}

Outcome RunAlone(const std::string& name, int seconds) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) BeTheTest(name);
  if (child < 0) {
    std::printf("no process for the test: %s\n", strerror(errno));
    return Outcome::kFailed;
  }
  if (!EndsWithin(child, seconds)) {
    std::printf("killed: the test took longer than %d s\n", seconds);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) std::printf("ended by signal %d\n", WTERMSIG(status));
  if (!WIFEXITED(status)) return Outcome::kFailed;
  if (WEXITSTATUS(status) == kSkippedStatus) return Outcome::kSkipped;
  return WEXITSTATUS(status) == 0 ? Outcome::kPassed : Outcome::kFailed;
}

}  // namespace

bool ParseShare(std::string_view text, Share* share) {
  unsigned long index = 0, of = 0;
  int end = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%4luof%4lu%n", &index, &of, &end) != 2) return false;
  if (static_cast<size_t>(end) != copy.size() || index == 0 || index > of) return false;
  *share = {index - 1, of};
  return true;
}

bool MatchesFilter(const std::string& name, const std::string& filter) {
  const size_t minus = filter.find('-');
  const auto any = [&name](const std::string& patterns) {
    for (size_t begin = 0; begin <= patterns.size();) {
      const size_t end = std::min(patterns.find(':', begin), patterns.size());
      if (fnmatch(patterns.substr(begin, end - begin).c_str(), name.c_str(), 0) == 0) return true;
      begin = end + 1;
    }
    return false;
  };
  const std::string wanted = filter.substr(0, minus);
  if (!wanted.empty() && !any(wanted)) return false;
  return minus == std::string::npos || !any(filter.substr(minus + 1));
}

std::vector<std::string> Chosen(const std::vector<std::string>& names, const std::string& filter,
                                Share share) {
  std::vector<std::string> chosen;
  size_t matching = 0;
  for (const std::string& name : names) {
    if (!MatchesFilter(name, filter)) continue;
    if (matching++ % share.of == share.index) chosen.push_back(name);
  }
  return chosen;
}

int RunEachAlone(Share share, int seconds) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::string> chosen = Chosen(AllNames(), testing::GTEST_FLAG(filter), share);
  std::vector<std::string> failed;
  size_t skipped = 0;
  const auto start = Clock::now();
  const auto since = [](Clock::time_point begin) {
    const auto passed = Clock::now() - begin;
    return static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
  };
  for (const std::string& name : chosen) {
    const auto begin = Clock::now();
    const Outcome outcome = RunAlone(name, seconds);
    static constexpr const char* kSigns[] = {"[       OK ]", "[  SKIPPED ]", "[  FAILED  ]"};
    std::printf("%s %s (%ld ms)\n", kSigns[static_cast<int>(outcome)], name.c_str(), since(begin));
    skipped += outcome == Outcome::kSkipped ? 1 : 0;
    if (outcome == Outcome::kFailed) failed.push_back(name);
  }
  std::printf("[==========] %zu tests ran in %ld ms: %zu passed, %zu skipped, %zu failed\n",
              chosen.size(), since(start), chosen.size() - skipped - failed.size(), skipped,
              failed.size());
  for (const std::string& name : failed) std::printf("[  FAILED  ] %s\n", name.c_str());
  if (chosen.empty()) std::printf("no test matches %s\n", testing::GTEST_FLAG(filter).c_str());
  return failed.empty() && !chosen.empty() ? 0 : 1;
}

}  // namespace roofmark::test
