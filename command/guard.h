// SPDX-License-Identifier: BSD-3-Clause
//
// Executions that the user did not start (the work pass, repeats) end with the command. Signals
// that it can catch it hands on; a process of its own stands by for SIGKILL.
#ifndef ROOFMARK_COMMAND_GUARD_H_
#define ROOFMARK_COMMAND_GUARD_H_

#include <sys/types.h>

#include <functional>

namespace roofmark::cli {

class Guard {
 public:
  // Starts the process that stands by; it calls `after` where it has ended the child. Without
  // resources for one there is none.
  explicit Guard(const std::function<void()>& after = {});
  // The child has ended, and so does that process.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // In the child, before the command can be killed without it. If the command ends before the guard
  // is destroyed, this process gets SIGTERM, with all that it has started, and SIGKILL after
  // `kGraceMs`.
  void WatchThisProcess() const;

  static constexpr int kGraceMs = 10'000;

 private:
  void Tell(pid_t child) const;  // 0: it has ended

  pid_t process_ = -1;
  int pipe_ = -1;  // the end that is written to
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_GUARD_H_
