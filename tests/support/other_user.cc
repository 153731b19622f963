// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/other_user.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/end_child.h"

namespace roofmark::test {

int InChild(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) EndChild(act());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int AsOtherUser(const std::function<int()>& act) {
  return InChild([&] {
    const bool became = setresgid(kOtherUser, kOtherUser, kOtherUser) == 0 &&
                        setresuid(kOtherUser, kOtherUser, kOtherUser) == 0;
    return became ? act() : 126;
  });
}

bool CanBeOthers() {
  return geteuid() == 0 && AsOtherUser([] { return 0; }) == 0;
}

}  // namespace roofmark::test
