// SPDX-License-Identifier: BSD-3-Clause
//
// Running the user's command: its output is its own, and so is its input, if it is executed once.
#ifndef ROOFMARK_COMMAND_CHILD_H_
#define ROOFMARK_COMMAND_CHILD_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/kept_input.h"

namespace roofmark::cli {

class ProgramChoice;
class WorkFolder;

struct Child {
  std::vector<std::string> command;
  // Set in its environment; std::nullopt removes the variable.
  std::map<std::string, std::optional<std::string>> environment;
  std::string directory;        // empty: this one, or what `folder` says
  bool discard_output = false;  // its stdout
  // What it reads, the same as other children; nullptr: what this process would.
  std::shared_ptr<KeptInput> input = nullptr;
  // Of the directory in which it works, the same as other children; nullptr: nobody looks.
  std::shared_ptr<WorkFolder> folder = nullptr;
  // Processes that it leaves behind are recorded: a short time is given them to end.
  bool has_descendants = false;
  // It ends where this command is killed: the user did not ask for this execution alone.
  bool ends_with_command = false;
  // Called in another process of this program where it was ended so; empty: nothing is.
  std::function<void()> after_ended = {};
  // Which of its programs is measured, the same as in other executions; nullptr: any.
  std::shared_ptr<ProgramChoice> programs = nullptr;
};

struct ChildEnd {
  int status = 0;            // as a shell gives it: 128 + signal where it was killed
  std::string error;         // it could not be started: a sentence (status 127 or 126)
  bool interrupted = false;  // Ctrl-C, or a signal that asked this command to end
  // Files that it read as the first execution of the command left them.
  std::vector<std::string> reread = {};
};

// While it lives, a signal that asks this command to end (SIGINT, SIGQUIT, SIGTERM, SIGHUP) ends
// the child that runs, and no further one is started; this process goes on, so that what was
// measured is written.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

// Called several times a second while a child runs.
using ChildWatch = std::function<void()>;

// While it runs, SIGINT and SIGQUIT from the terminal reach it and do not end this process; SIGTERM
// and SIGHUP are forwarded. After a signal that was held it is not started.
ChildEnd RunChild(const Child& child, const ChildWatch& watch = {});

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_CHILD_H_
