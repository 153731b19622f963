// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace roofmark {
namespace {

Error Errno(const std::string& path, std::string_view doing) {
  return {fmt::format("cannot {} {}: {}", doing, path, std::strerror(errno))};
}

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Not every file can be: pipes, some network file systems.
bool Synchronise(int fd) {
  int result;
  do {
    result = fsync(fd);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

// Moves `temporary` to `path` without replacing what is there; link() fails with EEXIST where
// rename() would not. File systems without hard links fall back to a check and a rename.
bool MoveNew(const std::string& temporary, const std::string& path) {
  if (link(temporary.c_str(), path.c_str()) == 0) {
    unlink(temporary.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    errno = EEXIST;
    return false;
  }
  return rename(temporary.c_str(), path.c_str()) == 0;
}

}  // namespace

std::string BeforeExtension(const std::string& path, std::string_view text) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const bool has_extension =
      dot != std::string::npos && dot > 0 && (slash == std::string::npos || dot > slash + 1);
  const size_t cut = has_extension ? dot : path.size();
  return fmt::format("{}{}{}", path.substr(0, cut), text, path.substr(cut));
}

Result<std::string> ReadFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Errno(path, "read");
  std::string content;
  char buffer[1 << 16];
  ssize_t got;
  while ((got = read(fd, buffer, sizeof buffer)) > 0)
    content.append(buffer, static_cast<size_t>(got));
  const int saved = errno;
  close(fd);
  errno = saved;
  if (got < 0) return Errno(path, "read");
  return content;
}

Result<std::string> WriteFile(const std::string& path, std::string_view content, IfExists policy) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    // A device or a pipe is written in place: there is nothing to protect.
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return Errno(path, "write");
    const bool written = WriteAll(fd, content);
    close(fd);
    if (!written) return Errno(path, "write");
    return path;
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return Errno(path, "write");
  const bool written = WriteAll(fd, content) && Synchronise(fd);
  if (close(fd) != 0 || !written) {
    const Error error = Errno(path, "write");
    unlink(temporary.c_str());
    return error;
  }
  Result<std::string> published = Publish(temporary, path, policy);
  if (!published) unlink(temporary.c_str());
  return published;
}

Result<std::string> Publish(const std::string& temporary, const std::string& path,
                            IfExists policy) {
  std::string target = path;
  bool moved = policy == IfExists::kReplace ? rename(temporary.c_str(), target.c_str()) == 0
                                            : MoveNew(temporary, target);
  for (int i = 1; !moved && errno == EEXIST && policy == IfExists::kRename && i < 1000; ++i) {
    target = BeforeExtension(path, fmt::format(".{}", i));
    moved = MoveNew(temporary, target);
  }
  if (moved) return target;
  if (errno != EEXIST) return Errno(path, "write");
  return Error{fmt::format("{} exists already; choose another name or remove it", path)};
}

}  // namespace roofmark
