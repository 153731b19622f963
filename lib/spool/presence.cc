// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/presence.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "lib/spool/place.h"

namespace roofmark::spool {
namespace {

constexpr char kName[] = "present";

std::string FileIn(const std::string& directory) { return directory + "/" + kName; }

// Locks of open files, not of processes: those end as soon as the process closes any descriptor of
// the file.
struct flock Lock(short type, off_t byte, off_t bytes) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = bytes;
  return lock;
}

// 0 bytes: all of them.
bool Take(int descriptor, short type, off_t byte, off_t bytes) {
  struct flock lock = Lock(type, byte, bytes);
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

// Somebody else than this open file holds the byte.
bool IsLocked(int descriptor, off_t byte) {
  struct flock lock = Lock(F_WRLCK, byte, 1);
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool HasName(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && info.st_nlink != 0;
}

// Shared by all that have opened the file, so that nobody removes its name.
constexpr off_t kOpened = off_t{1} << 62;

}  // namespace

Presence::~Presence() { open_.Close(); }

bool Presence::Open(const std::string& directory) {
  constexpr int kAttempts = 1000;  // a second at least: who removes it may be kept from its CPU
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Result<int> opened = OpenShared(directory, kName);
    if (!opened) return false;
    const bool shared = Take(*opened, F_RDLCK, kOpened, 1);
    const bool is_being_removed = !shared && errno == EAGAIN;
    if (shared && HasName(*opened)) {
      directory_ = directory;
      pid_ = getpid();
      open_ = KnownDescriptor(*opened);
      return open_.file().has_value();
    }
    close(*opened);
    if (!shared && !is_being_removed) return false;
    const timespec nap{0, 1'000'000};
    nanosleep(&nap, nullptr);
  }
  return false;
}

bool Presence::Hold(off_t byte) {
  if (!open_.file() || !Take(open_.number(), F_WRLCK, byte, 1)) return false;
  own_.push_back(byte);
  return true;
}

bool Presence::IsHeld(off_t byte) const {
  if (!open_.IsOpen()) return false;
  // Its own locks are no obstacle to it.
  return std::find(own_.begin(), own_.end(), byte) != own_.end() || IsLocked(open_.number(), byte);
}

void Presence::ForgetName() noexcept try {
  const std::string file = FileIn(directory_);
  struct stat info;
  if (!open_.file() || pid_ != getpid() || lstat(file.c_str(), &info) != 0) return;
  if (OpenFile::Of(info) != open_.file()) return;
  unlink(file.c_str());
  RemoveDirectory(directory_);
} catch (...) {
}

void Presence::RemoveUnused(const std::string& directory) noexcept try {
  const std::string file = FileIn(directory);
  const int opened = open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return;
  if (Take(opened, F_WRLCK, 0, 0) && HasName(opened)) unlink(file.c_str());
  close(opened);
} catch (...) {
}

}  // namespace roofmark::spool
