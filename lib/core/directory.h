// SPDX-License-Identifier: BSD-3-Clause
//
// Directories in which other users could put files, or links in the place of files.
#ifndef ROOFMARK_LIB_CORE_DIRECTORY_H_
#define ROOFMARK_LIB_CORE_DIRECTORY_H_

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/descriptor.h"
#include "lib/core/result.h"

namespace roofmark {

// A directory that is open, until this ends.
class Directory {
 public:
  enum class Links {
    kFollow,  // the user named it
    kRefuse,  // roofmark chose the name
  };
  // The error is "DIRECTORY: No such file or directory" and the like.
  static Result<Directory> Open(const std::string& path, Links links);
  ~Directory();
  Directory(Directory&& other) noexcept;
  Directory& operator=(Directory&&) = delete;

  int descriptor() const { return descriptor_; }
  // Empty if no other user can replace its files.
  std::string WhyUnsafe() const;
  // It belongs to this user, and no other one can enter it.
  bool IsPrivate() const;

 private:
  Directory(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::string path_;
};

// The descriptor is good as long as this or a copy of it lives.
struct OpenDirectory {
  int descriptor = -1;
  std::shared_ptr<const void> held;  // closes it, unless it stays open
};

// A directory that is meant for as long as the process lives, whatever the application does to its
// working directory, its root and its descriptors. Thread-safe.
class KeptDirectory {
 public:
  KeptDirectory() = default;
  ~KeptDirectory();
  KeptDirectory(const KeptDirectory&) = delete;
  KeptDirectory& operator=(const KeptDirectory&) = delete;

  // Relative paths start at the working directory as it is now. Costs one descriptor, with a number
  // that programs seldom reach; none where FilesAreFew(). False and errno if there is no such
  // directory.
  bool Keep(const std::string& path) noexcept;
  // If it is not open (the application closed it, or files are few), it is opened by its name; the
  // descriptor is -1, with errno, where that fails or the name is another directory now.
  OpenDirectory Open() noexcept;
  bool kept() const { return file_.has_value(); }
  // `path` is this directory now.
  bool Is(const std::string& path) const noexcept;
  // Its name as Keep() found it, without links to follow; empty if that is unknown.
  const std::string& name() const { return name_; }

 private:
  std::mutex mutex_;
  bool stays_open_ = true;
  std::optional<OpenFile> file_;
  KnownDescriptor open_;
  std::string name_;
};

// The names in a directory, but for . and .., sorted. Error: "No such file or directory" and the
// like. By system calls alone: the C++ library's own directories call back through pointers, which
// engines that count take for the program's work.
Result<std::vector<std::string>> ListNames(const std::string& directory);

// The first directory of TMPDIR, /tmp, /var/tmp and /dev/shm that this process may write to; /tmp
// if there is none.
std::string TemporaryDirectory();

// $XDG_CACHE_HOME/roofmark, or the same in ~/.cache, which need not exist; empty if neither
// variable names a place.
std::string UserCacheFolder();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DIRECTORY_H_
