// SPDX-License-Identifier: BSD-3-Clause
//
// --auto: the execution that notes which code is executed.
#ifndef ROOFMARK_COMMAND_RUN_NOTE_EXECUTED_H_
#define ROOFMARK_COMMAND_RUN_NOTE_EXECUTED_H_

#include <cstdint>
#include <map>
#include <optional>

#include "command/passes.h"
#include "command/run/options.h"
#include "lib/found/executed.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

// What --auto goes on with.
struct Noting {
  RunOptions& options;
  Child& work;  // the child of the work pass
};

// Executes the command to see which code it executes, by the engine that will count. Where that is
// the native one and loses sight of code that takes the time (`samples`, by rank), the command
// is executed once more, by Valgrind's engine, which is said, and counts from then on. Nothing if
// an execution did not end well, or what it left cannot be read: no other one should follow. `end`
// is how the last one ended.
std::optional<Executed> NoteExecuted(const PassDirectory& directory, const JobProfile& time,
                                     const std::map<uint32_t, Samples>& samples, Noting noting,
                                     ChildEnd& end);

// The share of samples in files that lie in code which was not executed; 0 without samples.
double ShareNotExecuted(const Samples& samples, const Executed& executed);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_NOTE_EXECUTED_H_
