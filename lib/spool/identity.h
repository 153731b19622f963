// SPDX-License-Identifier: BSD-3-Clause
//
// Which process a spool belongs to, so that another one can tell whether it still runs.
#ifndef ROOFMARK_LIB_SPOOL_IDENTITY_H_
#define ROOFMARK_LIB_SPOOL_IDENTITY_H_

#include <cstdint>
#include <string>

namespace roofmark::spool {

// Plain bytes: part of the file. Texts end in a zero.
struct Identity {
  char boot[40] = {};          // of the kernel: a random id at each start
  char host[64] = {};          // cut if longer
  uint64_t started = 0;        // clock ticks after boot; with pid it names a process for ever
  uint64_t pid_namespace = 0;  // inode; numbers of processes mean nothing outside of it
  uint32_t pid = 0;
  uint32_t uid = 0;
  uint64_t inode = 0;  // of the spool that it has mapped; another file is a copy

  // True if both are of one process; `inode` is not compared.
  bool operator==(const Identity& other) const;
};

Identity ThisProcess() noexcept;

enum class Life {
  kDead,
  kAlive,
  kUnknown,  // of another host, or of a container that this process does not see into
};
// Whether the process lives and has `file` mapped: a process that was replaced by another program
// (exec) is dead for its spool.
Life LifeOf(const Identity& identity, const std::string& file) noexcept;

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_IDENTITY_H_
