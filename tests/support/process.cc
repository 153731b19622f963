// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "lib/core/clock.h"
#include "lib/core/file.h"
#include "tests/support/clocks.h"
#include "tests/support/end_child.h"

extern char** environ;

namespace roofmark::test {
namespace {

std::vector<std::string> MergedEnvironment(const Environment& extra) {
  std::map<std::string, std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.rfind("ROOFMARK", 0) == 0) continue;
    merged[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  }
  for (const auto& [name, value] : extra) merged[name] = value;
  std::vector<std::string> list;
  for (const auto& [name, value] : merged) list.push_back(name + "=" + value);
  return list;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void Child(const std::vector<std::string>& command,
                        const std::vector<std::string>& environment, const std::string& directory,
                        int out, int err) {
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  setpgid(0, 0);
  if (chdir(directory.c_str()) != 0) _exit(126);
  execvpe(command[0].c_str(), Pointers(command).data(), Pointers(environment).data());
  _exit(127);
}

}  // namespace

TempDir::TempDir() {
  char name[] = "/tmp/roofmark-test-XXXXXX";
  path_ = mkdtemp(name);
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TempDir::Write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = File(name);
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

Ended Run(const std::vector<std::string>& command, const Environment& environment,
          const std::string& directory, int seconds) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return {};
  const std::vector<std::string> merged = MergedEnvironment(environment);
  const pid_t pid = ForkForTest();
  if (pid == 0) Child(command, merged, directory, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  Ended ended;
  std::array<pollfd, 2> ends = {pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  std::array<std::string*, 2> texts = {&ended.out, &ended.err};
  const uint64_t deadline = NowNs() + static_cast<uint64_t>(seconds) * 1'000'000'000u;
  bool killed = false;
  for (int open_ends = 2; open_ends > 0;) {
    if (!killed && NowNs() > deadline) {
      kill(-pid, SIGKILL);
      killed = true;
    }
    poll(ends.data(), ends.size(), 100);
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || (ends[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      char buffer[4096];
      const ssize_t got = read(ends[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        texts[i]->append(buffer, static_cast<size_t>(got));
      } else {
        close(ends[i].fd);
        ends[i].fd = -1;
        --open_ends;
      }
    }
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (killed) ended.err += "\n(killed: time limit)\n";
  return ended;
}

RooflineFile ReadRoofline(const std::string& path) {
  const Result<std::string> text = ReadFile(path, limits::kRooflineBytes);
  if (!text) {
    ADD_FAILURE() << text.error();
    return {};
  }
  Result<RooflineFile> file = RooflineFromJson(*text, path);
  if (!file) {
    ADD_FAILURE() << file.error();
    return {};
  }
  // On a machine whose clocks disagree, any run may say so.
  if (!TicksAgree()) {
    std::erase_if(file->job.run.warnings, [](const std::string& warning) {
      return warning.find("time-stamp counters") != std::string::npos;
    });
  }
  return *file;
}

uint64_t Value(const JobProfile& job, const std::string& path, MetricId metric) {
  const int index = job.FindPath(path);
  if (index < 0) {
    ADD_FAILURE() << "no path " << path;
    return 0;
  }
  const Cell& cell = job.At(static_cast<size_t>(index), metric);
  if (cell.ranks == 0) ADD_FAILURE() << path << " has no " << GetMetric(metric).name;
  return static_cast<uint64_t>(cell.Sum());
}

std::vector<std::string> ListFiles(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

}  // namespace roofmark::test
