// SPDX-License-Identifier: BSD-3-Clause
//
// The directory in which a command works: what one execution leaves there, the next one finds. A
// program that continues from a checkpoint does other work each time.
#ifndef ROOFMARK_COMMAND_WORK_FOLDER_H_
#define ROOFMARK_COMMAND_WORK_FOLDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::cli {

class WorkFolder {
 public:
  // The current one. `fresh`: each execution but the first works in a copy of it, as it was before
  // the first, beside it. Error: it cannot be copied.
  static Result<std::shared_ptr<WorkFolder>> OfThisProcess(bool fresh);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  // Before an execution: where it works; empty: here. Error: it cannot be copied.
  Result<std::string> Begin();
  // After it. Files that it read as the first execution left them, in order; only of this node, and
  // of at most some thousand files. Empty after the first.
  std::vector<std::string> End();

 private:
  // What changes when a file is written or replaced.
  struct State {
    uint64_t inode = 0;
    int64_t seconds = 0, nanoseconds = 0, bytes = 0;
    bool operator==(const State&) const = default;
  };
  using Files = std::map<std::string, State>;

  WorkFolder(std::string path, bool fresh) : path_(std::move(path)), fresh_(fresh) {}
  // `whole`: all files are there.
  Files Scan(bool& whole) const;
  void FindWritten();
  void Watch();
  std::vector<std::string> Unwatch();
  void LinkCode() const;
  Result<std::string> NewCopy(const std::string& from) const;

  const std::string path_;
  const bool fresh_;
  uint32_t executions_ = 0;
  Files before_;                      // the first execution
  bool before_whole_ = false;         // all of them
  std::vector<std::string> written_;  // by the first execution
  int inotify_ = -1;
  std::map<int, std::string> watched_;
  std::string pristine_, copy_;  // where they are copied to
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_WORK_FOLDER_H_
