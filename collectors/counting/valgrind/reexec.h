// SPDX-License-Identifier: BSD-3-Clause
//
// Starting the program again under the counting engine, before main, in the same process: the
// launch line stays as it is.
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_REEXEC_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_REEXEC_H_

#include <string>

#include "lib/core/settings.h"

namespace roofmark {

enum class ReExec {
  kAlreadyThere,  // runs under the engine
  kFailed,        // see the reason
};

struct ReExecOutcome {
  ReExec result;
  std::string reason;  // of kFailed: a sentence with the cure
};

// Does not return where it succeeds. Call it from a library constructor, in the only thread.
// `library_path` is libroofmark.so itself: the tool is found relative to it, unless
// settings.tool_dir says where. A program that has the collector in itself gives its own path.
ReExecOutcome ReExecuteUnderEngine(const Settings& settings, const std::string& library_path);

// True if `library_path` was loaded because the executable needs it (directly or not) or because it
// is preloaded; false if it was opened by dlopen, when main may run already.
bool LoadedAtStart(const std::string& library_path);

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_COUNTING_VALGRIND_REEXEC_H_
