// SPDX-License-Identifier: BSD-3-Clause
#include "command/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/process_stat.h"
#include "lib/core/thread.h"
#include "lib/core/write_signals.h"

namespace roofmark::cli {
namespace {

struct Guarded {
  pid_t pid;
  ProcessStat stat;
};

// Nothing if it has ended.
std::optional<Guarded> ReadProcess(pid_t pid) {
  const ProcessStat stat = ReadProcessStat(std::to_string(pid));
  return stat.Runs() ? std::optional(Guarded{pid, stat}) : std::nullopt;
}

// `root` and those that it has started, the inner ones last.
std::vector<Guarded> TreeOf(const Guarded& root) {
  std::multimap<pid_t, Guarded> by_parent;
  for (const pid_t pid : NumbersIn("/proc")) {
    if (const auto process = ReadProcess(pid)) by_parent.emplace(process->stat.parent, *process);
  }
  std::vector<Guarded> tree = {root};
  for (size_t at = 0; at < tree.size(); ++at) {
    const auto [begin, end] = by_parent.equal_range(tree[at].pid);
    for (auto child = begin; child != end; ++child) tree.push_back(child->second);
  }
  return tree;
}

bool IsRunning(const Guarded& process) {
  const auto now = ReadProcess(process.pid);
  return now && now->stat.started == process.stat.started;
}

void End(const Guarded& root) {
  std::vector<Guarded> tree = TreeOf(root);
  for (const Guarded& process : tree) kill(process.pid, SIGTERM);
  constexpr int kStepMs = 50;
  for (int waited = 0; waited < Guard::kGraceMs && !tree.empty(); waited += kStepMs) {
    poll(nullptr, 0, kStepMs);
    std::erase_if(tree, [](const Guarded& process) { return !IsRunning(process); });
  }
  for (const Guarded& process : tree) kill(process.pid, SIGKILL);
}

// Until the pipe has no writer. Nothing was said of the child's end if that was not first.
[[noreturn]] void StandBy(int pipe, const std::function<void()>& after) {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  std::optional<Guarded> child;
  pid_t said;
  for (;;) {
    const ssize_t got = read(pipe, &said, sizeof said);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof said) break;
    child = said > 0 ? ReadProcess(said) : std::nullopt;
  }
  if (child && IsRunning(*child)) {
    End(*child);
    if (after) after();
  }
  _exit(0);
}

// Who waits for the end of the command's output does not wait for this process.
void CloseAllBut(int descriptor) {
  constexpr unsigned int kAll = ~0U;
  if (descriptor > 0) close_range(0, static_cast<unsigned int>(descriptor) - 1, 0);
  if (close_range(static_cast<unsigned int>(descriptor) + 1, kAll, 0) == 0) return;
  // Kernels before 5.9.
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(0);
  for (rlim_t number = 0; number < limit.rlim_cur; ++number) {
    if (number != static_cast<rlim_t>(descriptor)) close(static_cast<int>(number));
  }
}

}  // namespace

Guard::Guard(const std::function<void()>& after) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = fork();
  if (process_ == 0) {
    close(ends[1]);  // its own: the end of the command would not be seen
    CloseAllBut(ends[0]);
    StandBy(ends[0], after);
  }
  close(ends[0]);
  pipe_ = ends[1];
}

Guard::~Guard() {
  Tell(0);
  if (pipe_ >= 0) close(pipe_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

// With a pipe of its own this process would keep the command's end from the guard.
void Guard::WatchThisProcess() const {
  Tell(getpid());
  if (pipe_ >= 0) close(pipe_);
}

void Guard::Tell(pid_t child) const {
  if (pipe_ < 0) return;
  const WriteSignalsOff off;  // that process may have been killed
  [[maybe_unused]] const ssize_t written = write(pipe_, &child, sizeof child);
}

}  // namespace roofmark::cli
