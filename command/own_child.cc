// SPDX-License-Identifier: BSD-3-Clause
#include "command/own_child.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "command/installation.h"
#include "lib/core/clock.h"

extern char** environ;

namespace roofmark::cli {
namespace {

class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int fd() const { return fd_; }
  // What a child reads from its begin on. False: there is no room for it.
  bool Fill(std::string_view text) const {
    const ssize_t written = pwrite(fd_, text.data(), text.size(), 0);
    return written >= 0 && static_cast<size_t>(written) == text.size();
  }
  std::string Text() const {
    std::string text;
    char buffer[4096];
    ssize_t got;
    while ((got = pread(fd_, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0) {
      text.append(buffer, static_cast<size_t>(got));
    }
    return text;
  }

 private:
  int fd_;
};

std::vector<std::string> EnvironmentOf(const std::map<std::string, std::string>& more) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "ROOFMARK", 8) != 0) all.emplace_back(*entry);
  }
  for (const auto& [name, value] : more) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// False: it took too long and was ended.
bool Wait(pid_t pid, int seconds, int* status) {
  const uint64_t end = NowNs() + static_cast<uint64_t>(seconds) * 1'000'000'000;
  for (;;) {
    const pid_t ended = waitpid(pid, status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    if (NowNs() > end) {
      kill(pid, SIGKILL);
      waitpid(pid, status, 0);
      return false;
    }
    poll(nullptr, 0, 5);
  }
}

ChildOutput RunWords(std::vector<std::string> words, std::vector<std::string> variables,
                     std::string_view input, int seconds) {
  const std::vector<char*> argv = Pointers(words), envp = Pointers(variables);
  const MemoryFile in("roofmark_in"), out("roofmark_out"), err("roofmark_err");
  ChildOutput output;
  if (!in.Fill(input)) {
    output.error = fmt::format("{} cannot be given its input: {}", words[0], std::strerror(errno));
    return output;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.fd(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.fd(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.fd(), STDERR_FILENO);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    output.error = fmt::format("{} cannot be started: {}", words[0], std::strerror(error));
    return output;
  }
  int status = 0;
  const bool ended = Wait(pid, seconds, &status);
  output.out = out.Text();
  output.err = err.Text();
  if (!ended) {
    output.error = fmt::format("it did not end within {} s", seconds);
  } else {
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return output;
}

}  // namespace

ChildOutput RunOwnChild(const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment, int seconds) {
  std::vector<std::string> words = {CommandPath()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return RunWords(std::move(words), EnvironmentOf(environment), {}, seconds);
}

ChildOutput RunForOutput(std::vector<std::string> words, std::string_view input, int seconds) {
  return RunWords(std::move(words), EnvironmentOf({}), input, seconds);
}

}  // namespace roofmark::cli
