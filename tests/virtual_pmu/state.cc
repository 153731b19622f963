// SPDX-License-Identifier: BSD-3-Clause
#include "state.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "real.h"

namespace vpmu {
namespace {

constexpr off_t kPage = 4096;
constexpr off_t kPages = (sizeof(Shared) + kPage - 1) / kPage * kPage;
constexpr off_t kFileSize = kPages + kPage * kMostEvents;
constexpr off_t kLockBase = off_t{1} << 40;
constexpr uint64_t kReady = 0x76706d75;

Shared* shared = nullptr;
char* file_start = nullptr;
int base = -1;
char base_path[64];  // its name; made once, because threads with small stacks open it
struct stat identity;

void InitialiseState(const Rules& rules) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&shared->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  shared->rules = rules;
  shared->events_end = shared->contexts_end = 1;
  shared->ready = kReady;
}

// Out of the way of programs that count on the lowest free number.
int MoveUp(int fd) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int high = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1024)) - 1;
  const int moved = REAL(fcntl)(fd, F_DUPFD_CLOEXEC, high);
  if (moved < 0) return fd;
  REAL(close)(fd);
  return moved;
}

struct flock ByteOf(uint32_t event) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kLockBase + event;
  lock.l_len = 1;
  return lock;
}

}  // namespace

bool OpenState(const Rules& rules) {
  if (shared != nullptr) return true;
  const char* name = getenv("VPMU_STATE");
  const int fd = name != nullptr ? REAL(open)(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600)
                                 : memfd_create("virtual_pmu", MFD_CLOEXEC);
  if (fd < 0) return false;
  base = MoveUp(fd);
  snprintf(base_path, sizeof(base_path), "/proc/thread-self/fd/%d", base);
  flock(base, LOCK_EX);  // the first one prepares the file
  if (fstat(base, &identity) != 0 ||
      (identity.st_size < kFileSize && ftruncate(base, kFileSize) != 0)) {
    return false;
  }
  void* mapped = REAL(mmap)(nullptr, kFileSize, PROT_READ | PROT_WRITE, MAP_SHARED, base, 0);
  if (mapped == MAP_FAILED) return false;
  file_start = static_cast<char*>(mapped);
  shared = static_cast<Shared*>(mapped);
  if (shared->ready != kReady) InitialiseState(rules);
  flock(base, LOCK_UN);
  return true;
}

void ResetState(const Rules& rules) {
  const Locked lock;
  memset(shared->events, 0, sizeof(Event) * shared->events_end);
  memset(shared->contexts, 0, sizeof(Context) * shared->contexts_end);
  memset(shared->reserved, 0, sizeof(shared->reserved));
  shared->events_end = shared->contexts_end = 1;
  shared->threads_end = 0;
  memset(shared->offline, 0, sizeof(shared->offline));
  shared->frozen = false;
  shared->clock_ns = 0;
  shared->rules = rules;
}

Shared& State() { return *shared; }

Locked::Locked() {
  if (pthread_mutex_lock(&shared->mutex) == EOWNERDEAD) pthread_mutex_consistent(&shared->mutex);
}

Locked::~Locked() { pthread_mutex_unlock(&shared->mutex); }

uint64_t Now() {
  if (shared->frozen) return static_cast<uint64_t>(shared->clock_ns);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec * int64_t{1000000000} + now.tv_nsec + shared->clock_ns);
}

int NewDescriptor(uint32_t event, bool close_on_exec) {
  const int fd = REAL(open)(base_path, O_RDWR | (close_on_exec ? O_CLOEXEC : 0));
  if (fd < 0) return -1;
  struct flock lock = ByteOf(event);
  REAL(fcntl)(fd, F_OFD_SETLK, &lock);
  REAL(lseek)(fd, event, SEEK_SET);
  return fd;
}

bool IsHeld(uint32_t event) {
  struct flock lock = ByteOf(event);
  return REAL(fcntl)(base, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

uint32_t EventOf(int fd) {
  struct stat status;
  if (fd == base || shared == nullptr || fstat(fd, &status) != 0 ||
      status.st_ino != identity.st_ino || status.st_dev != identity.st_dev) {
    return 0;
  }
  const off_t offset = REAL(lseek)(fd, 0, SEEK_CUR);
  return offset > 0 && offset < kMostEvents ? static_cast<uint32_t>(offset) : 0;
}

off_t PageOffset(uint32_t event) { return kPages + kPage * event; }

void* PageOf(uint32_t event) { return file_start + PageOffset(event); }

void* MapPage(uint32_t event, void* address, size_t length, int protection, bool fixed) {
  if (length == static_cast<size_t>(kPage)) {
    return REAL(mmap)(address, length, protection, MAP_SHARED | (fixed ? MAP_FIXED : 0), base,
                      PageOffset(event));
  }
  // Pages for samples follow: nobody writes any.
  void* all = REAL(mmap)(address, length, protection,
                         MAP_SHARED | MAP_ANONYMOUS | (fixed ? MAP_FIXED : 0), -1, 0);
  if (all == MAP_FAILED) return all;
  return REAL(mmap)(all, kPage, protection, MAP_SHARED | MAP_FIXED, base, PageOffset(event));
}

uint64_t CountDescriptors() {
  uint64_t found = 0;
  DIR* directory = REAL(opendir)("/proc/thread-self/fd");
  if (directory == nullptr) return 0;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.' && EventOf(atoi(entry->d_name)) != 0) ++found;
  }
  closedir(directory);
  return found;
}

uint64_t CountMappings() {
  uint64_t found = 0;
  FILE* maps = REAL(fopen)("/proc/thread-self/maps", "re");
  if (maps == nullptr) return 0;
  char line[512];
  while (fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long long start = 0, end = 0, offset = 0, inode = 0;
    if (sscanf(line, "%llx-%llx %*s %llx %*s %llu", &start, &end, &offset, &inode) == 4 &&
        offset >= static_cast<unsigned long long>(kPages) && inode == identity.st_ino) {
      found += (end - start) / kPage;  // neighbours may share a line
    }
  }
  fclose(maps);
  return found;
}

}  // namespace vpmu
