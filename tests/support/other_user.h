// SPDX-License-Identifier: BSD-3-Clause
//
// What another user of the machine does.
#ifndef ROOFMARK_TESTS_SUPPORT_OTHER_USER_H_
#define ROOFMARK_TESTS_SUPPORT_OTHER_USER_H_

#include <sys/types.h>

#include <functional>

namespace roofmark::test {

// Exit status of a child that does it as this process; -1 if a signal ended it.
int InChild(const std::function<int()>& act);
// As the user "nobody". Only root can ask for it: see CanBeOthers().
int AsOtherUser(const std::function<int()>& act);
inline constexpr uid_t kOtherUser = 65534;

bool CanBeOthers();
inline constexpr char kOnlyRoot[] = "only root can act as another user";

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_OTHER_USER_H_
