// SPDX-License-Identifier: BSD-3-Clause
//
// Whole files: read, and written so that a reader never sees half of one and no existing file is
// replaced by accident. Only ReadFile() and WriteAll() wait without a limit, and only WriteAll()
// raises a signal.
#ifndef ROOFMARK_LIB_CORE_FILE_H_
#define ROOFMARK_LIB_CORE_FILE_H_

#include <fcntl.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lib/core/limits.h"
#include "lib/core/result.h"

namespace roofmark {

// Waits where a pipe is full, and is answered by signals: for standard output of a command. False:
// not all of it was written, see errno.
bool WriteAll(int fd, std::string_view content);

// A file that the user named. Errors: "cannot read FILE: No such file or directory" and the like. A
// file of more than `most_bytes`, and a device, which may have no end, are errors too.
Result<std::string> ReadFile(const std::string& path, size_t most_bytes = limits::kSystemBytes);
// A file that was found in a directory: only a regular one, no link, of this user or of the
// directory's owner. Anything else may never end, or tell what another user wants.
Result<std::string> ReadFound(const std::string& path, size_t most_bytes = limits::kSystemBytes);

// What a symbolic link names; empty if it cannot be read.
std::string ReadLink(const std::string& path);

// The file that this process executes; empty if it cannot be told.
std::string Executable();

// Without links; empty if there is no such file.
std::string RealPath(const std::string& path);

// "dir/run.json" with ".1" -> "dir/run.1.json"; at the end of a name without extension.
std::string BeforeExtension(const std::string& path, std::string_view text);

// A text of any origin as a part of a file's name: `/` and a leading `.` become `_`, so that it
// names no other directory and hides no file.
std::string AsNamePart(std::string text);

// A file to be written.
struct FilePath {
  FilePath(std::string path) : shown(std::move(path)) {}  // NOLINT: implicit on purpose
  FilePath(const char* path) : shown(path) {}             // NOLINT: implicit on purpose

  std::string shown;         // as the user knows it
  int directory = AT_FDCWD;  // stands for the first `skip` bytes of it
  size_t skip = 0;
  std::shared_ptr<const void> held;  // what keeps `directory` open, if not the caller
  // The user wrote this name as it stands: a pipe or a device of this name is meant. roofmark
  // chooses all others.
  bool is_users = false;

  // The part of the name that is looked up in `directory`.
  const char* name() const { return shown.c_str() + skip; }
  // Another name in the same directory.
  FilePath Named(std::string path) const;
};

// A name that the user wrote, in an option for instance.
FilePath OfUser(std::string path);

// What a program writes into ROOFMARK_OUTPUT to mean this path as it stands: only users write
// patterns (%p and the like).
std::string LiteralPath(std::string_view path);

// The descriptor that a path names: 1 for "/dev/stdout", N for "/dev/fd/N".
std::optional<int> DescriptorNamed(std::string_view path);

enum class IfExists {
  kRefuse,  // error "FILE exists already; ..."
  kReplace,
  kRename,  // write to FILE with .1, .2 ... before its extension instead
};

// Writes to a new file of a random name beside `path`, for its owner alone, syncs, and gives it
// `path` and the mode that the umask leaves. Returns the path written. /dev/stdout, /dev/stderr and
// /dev/fd/N are those descriptors. Pipes, terminals and devices that the user named are written in
// place, where a pipe without reader is an error; under other names, and where another user put
// them or a link to them, they are there already, as files are.
Result<std::string> WriteFile(const FilePath& path, std::string_view content, IfExists policy);

// A name that is taken for a file that is written later. Until then there is no file of this name,
// which would look like a result: a hidden one beside it (`.NAME.reserved`) keeps it.
struct ReservedName {
  std::string path;
  std::string keeper;     // the hidden file; empty: none
  int held = -1;          // its descriptor: as long as it is open no other process takes the name
  bool was_left = false;  // a process had the name that ended without writing the file
};
// Makes the hidden file, or takes over one that a dead process left. Policies as in WriteFile; with
// kReplace, and where there is a device or a pipe, nothing is made. The caller removes the keeper,
// then closes the descriptor. What is written in place is as in WriteFile().
Result<ReservedName> Reserve(const FilePath& path, IfExists policy);

// Writes a new file into a directory that the user did not choose; a name that is taken gets a
// number. It is an error if other users can replace files there. Returns the path written.
Result<std::string> WriteNewFile(const std::string& directory, const std::string& name,
                                 std::string_view content);

// A random name for a file that becomes `path` later.
FilePath TemporaryBeside(const FilePath& path);
// Gives a whole file its name, as WriteFile does. On error it stays where it is.
Result<std::string> Publish(const FilePath& temporary, const FilePath& path, IfExists policy);
void RemoveFile(const FilePath& path) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FILE_H_
