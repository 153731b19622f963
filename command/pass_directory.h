// SPDX-License-Identifier: BSD-3-Clause
//
// Where the executions of one `roofmark run` leave their files until these are joined.
#ifndef ROOFMARK_COMMAND_PASS_DIRECTORY_H_
#define ROOFMARK_COMMAND_PASS_DIRECTORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::cli {

// What an execution is for that has a directory of its own, whose name says it. The first one for
// time and the work pass have none: they leave their files in the directory of all.
enum class PassKind : uint8_t {
  kTime,      // for time once more
  kCounters,  // counts what those before cannot: another group of counters, or GPUs
  kTurns,     // visits are timed or counted, in turns
  kNoting,    // notes which code is executed
  kPlaces,    // for time once more, while executions of places of the code are counted
};

// A directory for the passes' files, beside the output so that all nodes of a job see it. What was
// measured stays in it until it is known to be in another file. A lock tells who looks at it
// whether its command has ended.
class PassDirectory {
 public:
  // Error: it cannot be made.
  static Result<PassDirectory> Beside(const std::string& output);
  // The path has the name of one.
  static bool IsName(const std::string& path);
  // Its command still runs, as far as the file system has locks.
  static bool IsInUse(const std::string& path);
  // Those in `folder` whose command has ended, as far as the file system has locks.
  static std::vector<std::string> LeftIn(const std::string& folder);
  PassDirectory(PassDirectory&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}
  // Removes it if it is empty, and says where it is if not.
  ~PassDirectory();
  const std::string& path() const { return path_; }
  // A new directory in it, for the execution of this kind and number. Error: it cannot be made.
  Result<std::string> Inside(PassKind kind, uint32_t number) const;
  // What the execution in this directory inside one was for; nothing if its name does not say it.
  static std::optional<PassKind> KindOf(const std::string& place);
  // Those in the directory `path`, in the order in which executions of one kind were made.
  static std::vector<std::string> PlacesInside(const std::string& path);
  // Removes it with everything in it.
  void Discard();

 private:
  explicit PassDirectory(std::string path);
  std::string path_;
  int lock_;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PASS_DIRECTORY_H_
