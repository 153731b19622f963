// SPDX-License-Identifier: BSD-3-Clause
//
// A command may start several programs that record: a job script, a driver. Each has a file of its
// own, and each is the same program in all executions of the command.
#ifndef ROOFMARK_COMMAND_PROGRAMS_H_
#define ROOFMARK_COMMAND_PROGRAMS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/forked.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// Which of a command's programs: by its arguments, the executable first, and by how many before it
// had the same ones.
struct ProgramKey {
  std::vector<std::string> command;
  uint32_t nth = 0;  // of those with these arguments, from 0
  // Of those of this executable, whatever their arguments; and how many of it there are.
  uint32_t nth_of_executable = 0, of_executable = 1;
};

// Of commands in the order in which they began.
std::vector<ProgramKey> KeysOf(const std::vector<std::vector<std::string>>& commands);

// The one that is `key`, an index into those of an execution of the same command. Arguments may
// differ between executions (a directory for temporary files): then by executable and order, where
// there are as many.
std::optional<size_t> FindKey(const ProgramKey& key, const std::vector<ProgramKey>& keys);

struct Program {
  ProgramKey key;
  RooflineFile file;
};

// The programs of one execution, whose files were written in this order. In the order in which they
// began, as far as their start times tell.
std::vector<Program> ProgramsOf(std::vector<RooflineFile> files);

// The same, of programs; nullptr: none is.
const Program* FindProgram(const ProgramKey& key, const std::vector<Program>& programs);

// Whether a program that is not the chosen one has a file of its own: it has regions, or at least a
// tenth of the chosen one's CPU time; of one that died the time that it ran. Where all programs are
// recorded (--preload) many are `mkdir`.
bool DeservesAFile(const Program& other, const RooflineFile& chosen);

// One that a command which failed started on its way, as `mkdir` is: it has no region and took no
// time to speak of, and no word of the command names it.
bool IsOnTheWay(const Program& program, const std::vector<std::string>& command);

// The program that the report begins with: the same in all executions of a command, which share
// this.
class ProgramChoice {
 public:
  // `name`: of its executable, and ":2" behind it for the second one; empty: one that has regions
  // before all others, of these the one with most CPU time; of several alike the longest.
  explicit ProgramChoice(std::string name) : name_(std::move(name)) {}

  // An index into `programs`, which are not empty. The first execution decides. Nothing where a
  // later one lacks the program; then, and where nothing has the name that was given, a sentence is
  // added to `notes`.
  std::optional<size_t> In(const std::vector<Program>& programs, std::vector<std::string>& notes);
  // The files of an execution, those of forked processes joined.
  std::vector<RooflineFile> JoinForked(std::vector<RooflineFile> files) {
    return forked_.Join(std::move(files));
  }
  // Before the first execution: nothing.
  const std::optional<ProgramKey>& key() const { return key_; }

 private:
  size_t First(const std::vector<Program>& programs, std::vector<std::string>& notes) const;

  ForkedGroups forked_;
  std::string name_;
  std::optional<ProgramKey> key_;
  bool alone_ = true;  // in the first execution
};

// What --program takes for it: its executable, with a number behind it from the second one on.
std::string NameOf(const ProgramKey& key);

// Its arguments, shortened, as a sentence shows them.
std::string Shown(const ProgramKey& key);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PROGRAMS_H_
