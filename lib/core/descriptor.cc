// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "lib/core/write_signals.h"

namespace roofmark {
namespace {

rlim_t MostFiles() noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

}  // namespace

int MoveAbove(int descriptor, int least) noexcept {
  if (descriptor < 0 || descriptor >= least) return descriptor;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
  const int saved = errno;
  close(descriptor);
  errno = saved;
  return moved;
}

bool FilesAreFew() noexcept { return MostFiles() < kFewFiles; }

int FirstOutOfTheWay() noexcept {
  constexpr rlim_t kEnough = 256;
  return static_cast<int>(std::min(MostFiles() / 2, kEnough));
}

int MoveOutOfTheWay(int descriptor) noexcept {
  if (descriptor < 0) return descriptor;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, FirstOutOfTheWay());
  if (moved < 0) return MoveAbove(descriptor);
  close(descriptor);
  return moved;
}

std::optional<OpenFile> OpenFile::Of(int descriptor) noexcept {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return std::nullopt;
  return Of(info);
}

bool IsPrivate(int descriptor) noexcept {
  struct stat info;
  return fstat(descriptor, &info) == 0 && info.st_uid == geteuid() &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

KnownDescriptor::KnownDescriptor(int number) noexcept
    : number_(number), file_(OpenFile::Of(number)) {}

bool KnownDescriptor::IsOpen() const noexcept { return file_ && OpenFile::Of(number_) == file_; }

void KnownDescriptor::Close() noexcept {
  if (IsOpen()) close(number_);
}

bool WriteWithPatience(int descriptor, std::string_view text, int patience_ms) noexcept {
  const WriteSignalsOff off;
  while (!text.empty()) {
    pollfd ready{descriptor, POLLOUT, 0};
    const int polled = poll(&ready, 1, patience_ms);
    if (polled == 0) errno = ETIMEDOUT;
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return false;
    // A pipe that is ready takes as much without waiting.
    const ssize_t written = write(descriptor, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace roofmark
