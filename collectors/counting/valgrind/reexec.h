// SPDX-License-Identifier: BSD-3-Clause
//
// Starting the program again under the Valgrind tool, before main, in the same process: the launch
// line stays as it is.
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_REEXEC_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_REEXEC_H_

#include <string>

#include "lib/core/settings.h"

namespace roofmark::counting {

bool RunsUnderValgrind();

// Does not return where it succeeds; an empty text: the process runs under Valgrind already; else
// the reason, with the cure. See StartEngine() for who may call it and `library_path`.
std::string ReExecuteUnderValgrind(const Settings& settings, const std::string& library_path);

// True if `library_path` was loaded because the executable needs it (directly or not) or because it
// is preloaded; false if it was opened by dlopen, when main may run already.
bool LoadedAtStart(const std::string& library_path);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_VALGRIND_REEXEC_H_
