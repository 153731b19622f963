// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_ENDED_H_
#define ROOFMARK_COMMAND_ENDED_H_

#include <string>

namespace roofmark::cli {

// "ended with status 3". A status above 128 is that of a signal, as shells and launchers give it:
// "ended with status 134 (128 + SIGABRT)".
std::string EndedWith(int status);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_ENDED_H_
