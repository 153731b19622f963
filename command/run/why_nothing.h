// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_RUN_WHY_NOTHING_H_
#define ROOFMARK_COMMAND_RUN_WHY_NOTHING_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace roofmark::cli {

// Why a command that ended with `status` left no file, in one sentence with the cure: what can be
// seen from outside (a program that is linked statically, a word that clears the environment), or
// what is most likely. `preloaded`: the library was, so that it need not be linked. `user`: who
// executed it.
std::string WhyNothing(const std::vector<std::string>& command, int status, bool preloaded,
                       uid_t user);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_WHY_NOTHING_H_
