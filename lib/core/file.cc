// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/file.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "lib/core/clock.h"
#include "lib/core/descriptor.h"
#include "lib/core/directory.h"
#include "lib/core/reserved_file.h"
#include "lib/core/write_signals.h"

namespace roofmark {
namespace {

// A reader of a pipe that takes nothing for so long is given up.
constexpr int kPatienceMs = 10'000;

Error Errno(const std::string& path, std::string_view doing) {
  return {fmt::format("cannot {} {}: {}", doing, path, std::strerror(errno))};
}

// Not every file can be: some network file systems.
bool Synchronise(int fd) {
  int result;
  do {
    result = fsync(fd);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

bool Rename(const FilePath& from, const FilePath& to) {
  return renameat(from.directory, from.name(), to.directory, to.name()) == 0;
}

// Moves `temporary` to `path` without replacing what is there; linkat() fails with EEXIST where
// rename() would not. File systems without hard links fall back to a flag of the rename, or to a
// check and a rename.
bool MoveNew(const FilePath& temporary, const FilePath& path) {
  const int from = temporary.directory, to = path.directory;
  if (linkat(from, temporary.name(), to, path.name(), 0) == 0) {
    unlinkat(from, temporary.name(), 0);
    return true;
  }
  if (errno == EEXIST) return false;
  if (renameat2(from, temporary.name(), to, path.name(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  struct stat info;
  if (fstatat(to, path.name(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
    errno = EEXIST;
    return false;
  }
  return Rename(temporary, path);
}

// `take` fails with EEXIST where a name is taken; the next one is tried with kRename.
template <typename Take>
Result<std::string> TakeName(const FilePath& path, IfExists policy, const Take& take) {
  FilePath name = path;
  bool taken = take(name);
  for (int i = 1; !taken && errno == EEXIST && policy == IfExists::kRename && i < 1000; ++i) {
    name = path.Named(BeforeExtension(path.shown, fmt::format(".{}", i)));
    taken = take(name);
  }
  if (taken) return name.shown;
  if (errno != EEXIST) return Errno(path.shown, "write");
  return Error{fmt::format("{} exists already; choose another name or remove it", path.shown)};
}

uint64_t Random() {
  uint64_t number;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
  return NowNs() ^ (static_cast<uint64_t>(getpid()) << 32);  // O_EXCL protects it all the same
}

std::string WriteProblem(const FilePath& path) {
  std::string_view why = std::strerror(errno);
  if (errno == ENXIO) why = "no process reads from it";
  if (errno == ETIMEDOUT) why = "its reader takes nothing";
  return fmt::format("cannot write {}: {}", path.shown, why);
}

Result<std::string> WriteStream(int descriptor, const FilePath& path, std::string_view content) {
  if (!WriteWithPatience(descriptor, content, kPatienceMs)) return Error{WriteProblem(path)};
  return path.shown;
}

// The directory that a file's name is looked up in.
std::string FolderOf(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? "." : std::string(name.substr(0, slash + 1));
}

bool OwnsFolderOf(uid_t owner, int directory, std::string_view name) {
  struct stat folder;
  return fstatat(directory, FolderOf(name).c_str(), &folder, 0) == 0 && folder.st_uid == owner;
}

// In a directory that others can write, too, another user may have put it there.
bool IsTrusted(uid_t owner, const FilePath& path) {
  return owner == geteuid() || owner == 0 || OwnsFolderOf(owner, path.directory, path.name());
}

// `info`: of what stands under that name, which is no regular file. Devices are made by root alone,
// links to them by anybody.
bool IsMeant(const FilePath& path, const struct stat& info) {
  struct stat link;
  if (!path.is_users || fstatat(path.directory, path.name(), &link, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  return IsTrusted(link.st_uid, path) && (S_ISCHR(info.st_mode) || IsTrusted(info.st_uid, path));
}

// A device or a pipe: there is nothing to protect. What was opened may be another file than what
// was seen before.
Result<std::string> WriteInPlace(const FilePath& path, std::string_view content) {
  const int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int fd = MoveAbove(openat(path.directory, path.name(), flags));
  if (fd < 0) return Error{WriteProblem(path)};
  struct stat info;
  const bool known = fstat(fd, &info) == 0;
  const bool is_pipe = known && S_ISFIFO(info.st_mode) && IsTrusted(info.st_uid, path);
  if (!known || !(is_pipe || S_ISCHR(info.st_mode))) {
    close(fd);
    return Error{
        fmt::format("cannot write {}: it is neither a regular file nor a pipe of this user, a "
                    "terminal or a character device",
                    path.shown)};
  }
  Result<std::string> written = WriteStream(fd, path, content);
  close(fd);
  return written;
}

// With what the umask (or the directory's access control list) leaves of 0666 in `mode`; until it
// has its name the file is its owner's alone.
int MakeTemporary(const FilePath& path, mode_t& mode) {
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int fd = MoveAbove(openat(path.directory, path.name(), flags, 0666));
  struct stat info;
  mode = fd >= 0 && fstat(fd, &info) == 0 ? info.st_mode & 07777 : 0600;
  // File systems that have no modes refuse.
  if (fd >= 0) fchmod(fd, 0600);
  return fd;
}

Result<std::string> WriteWhole(const FilePath& path, std::string_view content, IfExists policy) {
  const FilePath temporary = TemporaryBeside(path);
  mode_t mode;
  const int fd = MakeTemporary(temporary, mode);
  if (fd < 0) return Errno(path.shown, "write");
  const bool written = WriteAll(fd, content) && Synchronise(fd);
  if (written) fchmod(fd, mode);
  if (close(fd) != 0 || !written) {
    const Error error = Errno(path.shown, "write");
    RemoveFile(temporary);
    return error;
  }
  Result<std::string> published = Publish(temporary, path, policy);
  if (!published) RemoveFile(temporary);
  return published;
}

// Reads no more than one buffer beyond the limit.
Result<std::string> ReadUpTo(int fd, const std::string& path, size_t most_bytes) {
  struct stat info;
  if (fstat(fd, &info) != 0) return Errno(path, "read");
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) {
    return Error{fmt::format("cannot read {}: it is a device, not a file", path)};
  }
  const auto too_large = [&](std::string_view bytes) {
    return Error{fmt::format("cannot read {}: it has {} bytes, and the limit is {}", path, bytes,
                             most_bytes)};
  };
  if (S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) > most_bytes) {
    return too_large(fmt::format("{}", info.st_size));
  }
  std::string content, buffer(1 << 16, '\0');  // threads may have little stack
  while (content.size() <= most_bytes) {
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got == 0) return content;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Errno(path, "read");
    content.append(buffer, 0, static_cast<size_t>(got));
  }
  return too_large("more");
}

// Takes the descriptor.
Result<std::string> ReadAll(int fd, const std::string& path, size_t most_bytes) {
  if (fd < 0) return Errno(path, "read");
  Result<std::string> content = ReadUpTo(fd, path, most_bytes);
  close(fd);
  return content;
}

std::string WhyNotFound(int fd, const std::string& path) {
  struct stat file;
  if (fstat(fd, &file) != 0) return Errno(path, "read").message;
  if (!S_ISREG(file.st_mode)) return fmt::format("{} is not a regular file", path);
  if (file.st_uid == geteuid() || OwnsFolderOf(file.st_uid, AT_FDCWD, path)) return {};
  return fmt::format(
      "{} belongs to another user, and its directory does not: copy it if you trust that user",
      path);
}

}  // namespace

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // whoever shares the pipe may have made it non-blocking
      pollfd full = {fd, POLLOUT, 0};
      poll(&full, 1, -1);
      continue;
    }
    if (written <= 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

FilePath FilePath::Named(std::string path) const {
  FilePath other(std::move(path));
  other.directory = directory;
  other.skip = skip;
  other.held = held;
  return other;
}

FilePath OfUser(std::string path) {
  FilePath file(std::move(path));
  file.is_users = true;
  return file;
}

std::optional<int> DescriptorNamed(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view place : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, place.size()) != place) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + place.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

std::string BeforeExtension(const std::string& path, std::string_view text) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const bool has_extension =
      dot != std::string::npos && dot > 0 && (slash == std::string::npos || dot > slash + 1);
  const size_t cut = has_extension ? dot : path.size();
  return fmt::format("{}{}{}", path.substr(0, cut), text, path.substr(cut));
}

std::string AsNamePart(std::string text) {
  std::replace(text.begin(), text.end(), '/', '_');
  if (!text.empty() && text[0] == '.') text[0] = '_';
  return text;
}

std::string LiteralPath(std::string_view path) {
  std::string value;
  for (const char letter : path) value.append(letter == '%' ? 2 : 1, letter);
  return value;
}

std::string ReadLink(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  target.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return target;
}

std::string Executable() {
  const std::string path = ReadLink("/proc/self/exe");
  // There is none when the main thread has ended. The counting engine answers for the one above
  // only.
  return path.empty() ? ReadLink("/proc/thread-self/exe") : path;
}

std::string RealPath(const std::string& path) {
  std::error_code error;
  return std::filesystem::canonical(path, error).string();
}

Result<std::string> ReadFile(const std::string& path, size_t most_bytes) {
  return ReadAll(open(path.c_str(), O_RDONLY | O_CLOEXEC), path, most_bytes);
}

Result<std::string> ReadFound(const std::string& path, size_t most_bytes) {
  const int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
  const int fd = open(path.c_str(), flags);
  if (fd < 0 && errno == ELOOP) return Error{fmt::format("{} is a link", path)};
  const std::string why_not = fd < 0 ? "" : WhyNotFound(fd, path);
  if (why_not.empty()) return ReadAll(fd, path, most_bytes);
  close(fd);
  return Error{why_not};
}

Result<std::string> WriteFile(const FilePath& path, std::string_view content, IfExists policy) {
  const WriteSignalsOff off;
  if (const auto descriptor = DescriptorNamed(path.shown)) {
    return WriteStream(*descriptor, path, content);
  }
  struct stat info;
  const bool there = fstatat(path.directory, path.name(), &info, 0) == 0;
  const bool in_place = there && !S_ISREG(info.st_mode) && IsMeant(path, info);
  if (in_place) return WriteInPlace(path, content);
  return WriteWhole(path, content, policy);
}

Result<std::string> WriteNewFile(const std::string& directory, const std::string& name,
                                 std::string_view content) {
  const WriteSignalsOff off;
  const Result<Directory> open = Directory::Open(directory, Directory::Links::kFollow);
  if (!open) return Error{open.error()};
  if (const std::string unsafe = open->WhyUnsafe(); !unsafe.empty()) return Error{unsafe};
  FilePath path(directory + "/" + name);
  path.directory = open->descriptor();
  path.skip = directory.size() + 1;
  return WriteWhole(path, content, IfExists::kRename);
}

FilePath TemporaryBeside(const FilePath& path) {
  const size_t slash = path.shown.rfind('/');
  const size_t base = std::max(path.skip, slash == std::string::npos ? 0 : slash + 1);
  return path.Named(fmt::format("{}roofmark-{:016x}.tmp", path.shown.substr(0, base), Random()));
}

Result<ReservedName> Reserve(const FilePath& path, IfExists policy) {
  struct stat info;
  const bool exists = fstatat(path.directory, path.name(), &info, 0) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return Errno(path.shown, "write");
  }
  const bool in_place =
      DescriptorNamed(path.shown) || (exists && !S_ISREG(info.st_mode) && IsMeant(path, info));
  if (policy == IfExists::kReplace || in_place) return ReservedName{path.shown, {}};
  ReservedName reserved;
  Result<std::string> name = TakeName(
      path, policy, [&reserved](const FilePath& tried) { return TakeKeeper(tried, reserved); });
  if (!name) return Error{name.error()};
  reserved.path = std::move(*name);
  return reserved;
}

Result<std::string> Publish(const FilePath& temporary, const FilePath& path, IfExists policy) {
  return TakeName(path, policy, [&temporary, policy](const FilePath& name) {
    return policy == IfExists::kReplace ? Rename(temporary, name) : MoveNew(temporary, name);
  });
}

void RemoveFile(const FilePath& path) noexcept { unlinkat(path.directory, path.name(), 0); }

}  // namespace roofmark
