// SPDX-License-Identifier: BSD-3-Clause
//
// The memory that a process's accumulators live in: one range of addresses, reserved at the start
// so that nothing ever moves, backed chunk by chunk by the spool file. Each chunk is allocated in
// the file system before it is mapped, so that a full one is noticed here and not by SIGBUS in the
// application; from then on private memory serves, and one sentence says so. Appending takes a
// lock: it belongs to first visits. What is handed out is written without one.
#ifndef ROOFMARK_LIB_SPOOL_WRITER_H_
#define ROOFMARK_LIB_SPOOL_WRITER_H_

#include <fcntl.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "lib/core/descriptor.h"
#include "lib/core/directory.h"
#include "lib/profile/path_node.h"
#include "lib/spool/layout.h"

namespace roofmark::spool {

class Writer {
 public:
  struct Options {
    std::string directory;  // made if it is missing; empty: private memory alone
    std::string name;       // of the file
    size_t range = 256 << 20;
    // For tests: a file system that is full from some byte on.
    int (*allocate)(int fd, off_t offset, off_t bytes) = &posix_fallocate;
  };

  // nullptr if not even addresses can be had.
  static std::unique_ptr<Writer> Create(Options options) noexcept;
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Zeroed memory for content that changes, aligned to kAlign; part of the spool from now on.
  // nullptr if the range is full.
  void* Allocate(Kind kind, uint32_t a, uint32_t b, size_t bytes) noexcept;
  // Content that does not change. False if there is no memory for it.
  bool Append(Kind kind, uint32_t a, uint32_t b, std::string_view content) noexcept;
  bool AppendPath(uint32_t path, const PathNode& node, std::string_view name) noexcept;

  // The process lives now: whoever reads the spool after it was killed takes this for its last
  // sign.
  void NoteTime() noexcept;

  // Empty if nothing of it is in a file.
  const std::string& file() const { return file_; }
  const std::string& directory() const { return options_.directory; }
  // Everything so far is in the file.
  bool Complete() const;

  // A copy as of now, as it stands in a file; may be called while other threads go on.
  std::string Freeze() const;

  // Removes the file, because the data is safe elsewhere. The memory stays.
  void Remove() noexcept;
  // In a forked child: nothing that it still does reaches the parent's spool.
  void DetachInChild() noexcept;

 private:
  explicit Writer(Options options) : options_(std::move(options)) {}

  Header* header() const { return reinterpret_cast<Header*>(base_); }
  bool Reserve() noexcept;
  void StartFile() noexcept;
  void WriteHeader() noexcept;
  BlockHeader* Begin(Kind kind, uint32_t a, uint32_t b, size_t bytes) noexcept;
  void Publish(BlockHeader* block) noexcept;
  void WriteTime() noexcept;
  bool Grow(size_t missing) noexcept;
  bool MapFile(size_t bytes) noexcept;
  bool MapPrivate(size_t bytes) noexcept;
  void GoPrivate(const std::string& why) noexcept;
  int Reopen() noexcept;
  void RemoveFile() noexcept;

  const Options options_;
  KeptDirectory place_;
  std::string file_;
  bool backed_ = false;  // the next chunk is tried in the file
  std::atomic<bool> removed_{false};
  OpenFile made_;  // what file_ was
  char* base_ = nullptr;
  size_t range_ = 0;
  size_t mapped_ = 0;
  std::atomic<size_t> used_{0};
  std::atomic<size_t> private_from_{0};  // 0: nowhere
  std::mutex mutex_;
};

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_WRITER_H_
