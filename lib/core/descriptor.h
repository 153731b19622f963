// SPDX-License-Identifier: BSD-3-Clause
//
// File descriptors in somebody else's process: numbers can be closed and given away at any moment.
#ifndef ROOFMARK_LIB_CORE_DESCRIPTOR_H_
#define ROOFMARK_LIB_CORE_DESCRIPTOR_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <string_view>

namespace roofmark {

// Moves an open file to a number that is not below `least` (0 to 2 are the standard streams, even
// where they are closed: what the application prints would go into the file). Returns -1 and sets
// errno if there is none; the old number is closed in any case.
int MoveAbove(int descriptor, int least = 3) noexcept;

// The process may have so few files open that it would miss each that roofmark keeps open. (Nobody
// can tell whether it will open so many. The usual limit is 1024 or more.)
inline constexpr int kFewFiles = 256;
bool FilesAreFew() noexcept;

// Numbers from here on are seldom missed: programs close those from 3 on, count on the next one,
// and want low ones for select(2). 256, or half of what RLIMIT_NOFILE allows.
int FirstOutOfTheWay() noexcept;
// The same as MoveAbove(), to one of those if any is free.
int MoveOutOfTheWay(int descriptor) noexcept;

// Which file a descriptor has open. A number that was closed and given to another file is told from
// what it was.
struct OpenFile {
  dev_t device = 0;
  ino_t inode = 0;

  static std::optional<OpenFile> Of(int descriptor) noexcept;
  static OpenFile Of(const struct stat& info) noexcept { return {info.st_dev, info.st_ino}; }
  bool operator==(const OpenFile&) const = default;
};

// What it has open belongs to this user, and nobody else may open it.
bool IsPrivate(int descriptor) noexcept;

// A descriptor that the application may close, and the file that it had open at first.
class KnownDescriptor {
 public:
  KnownDescriptor() = default;  // has no file
  // Remembers what the descriptor has open now. (Of a standard stream a duplicate would be safer,
  // and would keep open the pipe of a daemon that closes its streams to let its parent go on.)
  explicit KnownDescriptor(int number) noexcept;

  int number() const { return number_; }
  const std::optional<OpenFile>& file() const { return file_; }
  // The descriptor still has the file open.
  bool IsOpen() const noexcept;
  // Closes the descriptor, unless it was given to another file.
  void Close() noexcept;

 private:
  int number_ = -1;
  std::optional<OpenFile> file_;
};

// Writes all of it to a pipe, terminal or device. False and errno (ETIMEDOUT: nothing was taken
// for so long). Raises no signal. Lines up to PIPE_BUF are not mixed with those of other processes.
bool WriteWithPatience(int descriptor, std::string_view text, int patience_ms) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DESCRIPTOR_H_
