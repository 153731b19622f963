// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of a job on this node are there: each holds locks on bytes of a file in the job's
// directory, which no other user can open. The kernel releases a lock when its process ends,
// however it ends. Nothing is sent and nobody waits.
#ifndef ROOFMARK_LIB_SPOOL_PRESENCE_H_
#define ROOFMARK_LIB_SPOOL_PRESENCE_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "lib/core/descriptor.h"

namespace roofmark::spool {

class Presence {
 public:
  Presence() = default;
  ~Presence();
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

  // The file is made if it is missing. False if there is no safe place for it.
  bool Open(const std::string& directory);
  // This process is there as number `byte`, until it ends or this does. (A forked child holds the
  // lock too.)
  bool Hold(off_t byte);
  // Some process holds the byte, perhaps this one. False if the application closed the file.
  bool IsHeld(off_t byte) const;

  // All that will ever look have opened the file: its name goes, and the directory with it if it is
  // empty. Who comes later finds nobody, and nobody finds it. A forked child removes nothing.
  void ForgetName() noexcept;
  // Removes the name in a directory of processes that were killed: if nobody has the file open by
  // Open(). Who comes meanwhile makes another file.
  static void RemoveUnused(const std::string& directory) noexcept;

 private:
  std::string directory_;
  pid_t pid_ = 0;
  KnownDescriptor open_;
  std::vector<off_t> own_;
};

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_PRESENCE_H_
