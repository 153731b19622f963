// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/presence.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "lib/spool/place.h"

namespace roofmark::spool {
namespace {

constexpr char kName[] = "present";

std::string FileIn(const std::string& directory) { return directory + "/" + kName; }

// Locks of open files, not of processes: those end as soon as the process closes any descriptor of
// the file.
struct flock Lock(off_t byte, off_t bytes) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = bytes;
  return lock;
}

// Somebody else than this open file holds one of the bytes; 0 bytes: any.
bool IsLocked(int descriptor, off_t byte, off_t bytes) {
  struct flock lock = Lock(byte, bytes);
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace

Presence::~Presence() { open_.Close(); }

bool Presence::Open(const std::string& directory) {
  const Result<int> opened = OpenShared(directory, kName);
  if (!opened) return false;
  directory_ = directory;
  pid_ = getpid();
  open_ = KnownDescriptor(*opened);
  return open_.file().has_value();
}

bool Presence::Hold(off_t byte) {
  struct flock lock = Lock(byte, 1);
  if (!open_.file() || fcntl(open_.number(), F_OFD_SETLK, &lock) != 0) return false;
  own_.push_back(byte);
  return true;
}

bool Presence::IsHeld(off_t byte) const {
  if (!open_.IsOpen()) return false;
  // Its own locks are no obstacle to it.
  return std::find(own_.begin(), own_.end(), byte) != own_.end() ||
         IsLocked(open_.number(), byte, 1);
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
  if (!IsLocked(opened, 0, 0)) unlink(file.c_str());
  close(opened);
} catch (...) {
}

}  // namespace roofmark::spool
