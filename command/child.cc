// SPDX-License-Identifier: BSD-3-Clause
#include "command/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "command/cannot_start.h"
#include "command/guard.h"
#include "command/output.h"
#include "lib/core/messages/command_run.h"

namespace roofmark::cli {
namespace {

std::atomic<pid_t> g_child{0};
std::atomic<int> g_interrupted{0};  // the signal
std::atomic<bool> g_held{false};

// The terminal sends these to the child as well.
void Note(int signal) { g_interrupted = signal; }

void Forward(int signal) {
  g_interrupted = signal;
  const pid_t child = g_child.load();
  if (child > 0) kill(child, signal);
}

// Signal dispositions for the time of a child, put back at the end. What the user has ignored
// (nohup) stays ignored.
class Signals {
 public:
  Signals() {
    Set(SIGINT, &Note);
    Set(SIGQUIT, &Note);
    Set(SIGTERM, &Forward);
    Set(SIGHUP, &Forward);
  }
  ~Signals() { Restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void Restore() const {
    for (const auto& [signal, action] : saved_) sigaction(signal, &action, nullptr);
  }

 private:
  void Set(int signal, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    struct sigaction present;
    if (sigaction(signal, nullptr, &present) != 0 || present.sa_handler == SIG_IGN) return;
    sigaction(signal, &action, &saved_[signal]);
  }
  std::map<int, struct sigaction> saved_;
};

std::optional<Signals> g_signals;  // while they are held

[[noreturn]] void Become(const Child& child, int input, int report) {
  for (const auto& [name, value] : child.environment) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
  if (child.discard_output) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, STDOUT_FILENO);
  }
  if (input >= 0) dup2(input, STDIN_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : child.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  if (child.directory.empty() || chdir(child.directory.c_str()) == 0) {
    // What the kernel refuses execvp gives to a shell, which would take a program for a script.
    IsBinary(child.command[0]) ? execv(argv[0], argv.data()) : execvp(argv[0], argv.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

// What is there and may be executed lacks something else than the kernel's word says.
std::string WhyNotStarted(const std::string& program, int error) {
  const bool is_file = program.find('/') != std::string::npos && access(program.c_str(), X_OK) == 0;
  const std::string why = is_file ? WhyItCannotStart(program) : "";
  return why.empty() ? std::strerror(error) : why;
}

ChildEnd NotStarted(const Child& child, int error) {
  const std::string& program = child.command[0];
  return {error == ENOENT ? 127 : 126,
          fmt::format("cannot run {}: {}", program, WhyNotStarted(program, error)), false};
}

// Its status. Without a watch nothing wakes this process before the end.
int Await(pid_t pid, const ChildWatch& watch) {
  constexpr int kMilliseconds = 100;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(pid, &status, watch ? WNOHANG : 0);
    if (ended == pid || (ended < 0 && errno != EINTR)) return status;
    if (!watch) continue;
    poll(nullptr, 0, kMilliseconds);
    watch();
  }
}

// Those that a daemon leaves behind are this process's children then. One that does not end soon is
// left alone.
class Descendants {
 public:
  Descendants() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Descendants() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

  static void Await() {
    constexpr int kMilliseconds = 10, kPatienceMs = 3000;
    for (int waited = 0; waited < kPatienceMs && g_interrupted == 0; waited += kMilliseconds) {
      pid_t ended;
      while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
      }
      if (ended < 0) return;  // there is none
      poll(nullptr, 0, kMilliseconds);
    }
  }
};

// Says what others, or later executions, will miss of it.
void EndInput(const Child& child) {
  const uint64_t lost = child.input->End();
  if (lost > 0) Say(message::kInputReadAhead, child.command[0], lost);
  if (const int error = child.input->TakeError(); error != 0) {
    Say(message::kInputNotKept, std::strerror(error), child.input->KeptBytes());
  }
}

}  // namespace

ChildEnd RunChild(const Child& child, const ChildWatch& watch) {
  if (!g_held) g_interrupted = 0;
  if (g_interrupted != 0) return {128 + g_interrupted, "", true};
  int report[2];  // closed by a successful exec, else it carries errno
  if (pipe2(report, O_CLOEXEC) != 0) return NotStarted(child, errno);
  const Signals signals;
  std::optional<Descendants> descendants;
  if (child.has_descendants) descendants.emplace();
  const int input = child.input ? child.input->Begin() : -1;
  std::optional<Guard> guard;
  if (child.ends_with_command) guard.emplace(child.after_ended);
  const pid_t pid = fork();
  if (pid < 0) {
    const int error = errno;
    close(report[0]);
    close(report[1]);
    if (child.input) child.input->End();
    return NotStarted(child, error);
  }
  if (pid == 0) {
    if (guard) guard->WatchThisProcess();
    signals.Restore();
    if (g_held) g_signals->Restore();
    HandBackStreams();
    Become(child, input, report[1]);
  }
  g_child = pid;
  close(report[1]);
  if (child.input) child.input->Started();
  int error = 0;
  const bool failed = read(report[0], &error, sizeof error) == sizeof error;
  close(report[0]);
  const int status = Await(pid, failed ? ChildWatch() : watch);
  g_child = 0;
  guard.reset();
  if (descendants && !failed) Descendants::Await();
  if (child.input) EndInput(child);
  if (failed) return NotStarted(child, error);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), "", g_interrupted != 0};
}

HeldSignals::HeldSignals() {
  g_interrupted = 0;
  g_held = true;
  g_signals.emplace();
}

HeldSignals::~HeldSignals() {
  g_signals.reset();
  g_held = false;
}

}  // namespace roofmark::cli
