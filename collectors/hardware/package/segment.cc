// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/segment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "lib/core/clock.h"
#include "lib/core/descriptor.h"
#include "lib/core/hash.h"
#include "lib/core/write_signals.h"

namespace roofmark::package {
namespace {

constexpr uint32_t kReady = 0x726f6f66;  // of this layout
constexpr uint64_t kSegmentPatienceNs = 2'000'000'000;

void Sleep(uint64_t ns) {
  const timespec time{0, static_cast<long>(ns)};
  nanosleep(&time, nullptr);
}

void MakeMutex(pthread_mutex_t& mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

void MakeHeader(Header& header, uint64_t layout) {
  header.layout = layout;
  header.maker = getpid();
  header.number = HashOf(fmt::format("{} {}", getpid(), NowNs()));
  for (Package& package : header.packages) MakeMutex(package.mutex);
  header.ready.store(kReady, std::memory_order_release);
}

// A new file of `size` bytes that really are there; -1 and errno.
int Make(const std::string& name, size_t size) {
  const WriteSignalsOff off;  // the limit on file sizes
  const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
  if (file < 0) return -1;
  const int error = posix_fallocate(file, 0, static_cast<off_t>(size));
  if (error == 0) return file;
  shm_unlink(name.c_str());
  close(file);
  errno = error;
  return -1;
}

// Open as long as it lives.
struct SegmentFile {
  explicit SegmentFile(int descriptor) : number(descriptor) {}
  ~SegmentFile() {
    if (number >= 0) close(number);
  }
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;

  const int number;
};

// Made by this user, for this user alone: nobody else writes to it or cuts it short.
bool IsOurFile(int file) {
  struct stat status;
  return IsPrivate(file) && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

bool HasSize(int file, size_t size) {
  struct stat status;
  return fstat(file, &status) == 0 && static_cast<size_t>(status.st_size) == size;
}

std::byte* Map(int file, size_t size) {
  const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

Error NotOurs(const std::string& name) {
  return {fmt::format("/dev/shm{} is another user's, or open to others: ask its owner to remove it",
                      name)};
}

// A member's number that is not set yet is 0: this process group, which lives.
bool Lives(int32_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

// What a job of the same name left when it was killed: none of its processes lives.
bool IsLeftover(const Header& header) {
  const uint32_t members = std::min(header.members.load(), kMostMembers);
  return !Lives(header.maker) &&
         std::none_of(header.member, header.member + members,
                      [](const Member& member) { return Lives(member.pid.load()); });
}

// By one process: the name is another segment's by the time the next one has the lock.
void RemoveLeftover(int file, const std::string& name) {
  struct stat status;
  if (flock(file, LOCK_EX) != 0 || fstat(file, &status) != 0) return;
  if (status.st_nlink != 0) shm_unlink(name.c_str());
}

}  // namespace

std::string Segment::FileOf(const std::string& job) {
  return fmt::format("/roofmark-{}-{:016x}", geteuid(), HashOf(job));
}

size_t Segment::SizeOf(const Place& place) {
  const size_t rows = static_cast<size_t>(place.packages) * kRows;
  return sizeof(Header) + rows * (sizeof(Entry) + place.events * (sizeof(Total) + sizeof(Sum)));
}

Segment::Segment(Place place, std::byte* base, size_t size)
    : place_(std::move(place)), base_(base), size_(size), header_(reinterpret_cast<Header*>(base)) {
  const size_t rows = static_cast<size_t>(place_.packages) * kRows;
  entries_ = reinterpret_cast<Entry*>(base + sizeof(Header));
  totals_ = reinterpret_cast<Total*>(entries_ + rows);
  sums_ = reinterpret_cast<Sum*>(totals_ + rows * place_.events);
}

Segment::~Segment() { munmap(base_, size_); }

Result<std::unique_ptr<Segment>> Segment::Attach(const Place& place) {
  const size_t size = SizeOf(place);
  const uint64_t layout = place.fingerprint ^ size;
  const Error full{
      fmt::format("there are not {} MiB of shared memory for the counts of the packages: free "
                  "memory in /dev/shm",
                  size >> 20)};
  if (place.job.empty()) {
    std::byte* base = Map(-1, size);
    if (base == nullptr) return full;
    std::unique_ptr<Segment> segment(new Segment(place, base, size));
    MakeHeader(segment->header(), layout);
    return segment;
  }
  const std::string name = FileOf(place.job);
  const uint64_t start = NowNs();
  do {
    const int made = Make(name, size);
    if (made < 0 && errno != EEXIST) return full;
    const SegmentFile file(made >= 0 ? made : shm_open(name.c_str(), O_RDWR, 0600));
    if (made < 0 && errno == EACCES) return NotOurs(name);
    if (file.number < 0) continue;
    if (made < 0 && !IsOurFile(file.number)) return NotOurs(name);
    // Its maker may not be done yet.
    const bool sized = made >= 0 || HasSize(file.number, size);
    std::byte* base = sized ? Map(file.number, size) : nullptr;
    if (made >= 0 && base == nullptr) return full;
    if (base != nullptr) {
      std::unique_ptr<Segment> segment(new Segment(place, base, size));
      Header& header = segment->header();
      if (made >= 0) MakeHeader(header, layout);
      while (header.ready.load(std::memory_order_acquire) != kReady &&
             NowNs() - start < kSegmentPatienceNs) {
        Sleep(100'000);
      }
      if (made < 0 && IsLeftover(header)) {
        RemoveLeftover(file.number, name);
        continue;
      }
      if (header.ready.load() == kReady && header.layout == layout) return segment;
    }
    Sleep(1'000'000);
  } while (NowNs() - start < kSegmentPatienceNs);
  return Error{
      "the job's processes on this node do not count the same events: set ROOFMARK_GROUP and "
      "ROOFMARK_EVENTS to the same values on all of them"};
}

void Segment::ForgetName() {
  if (!place_.job.empty()) shm_unlink(FileOf(place_.job).c_str());
}

int Segment::Join(uint32_t rank, uint32_t packages) {
  for (uint32_t i = 0; i < std::min(header_->members.load(), kMostMembers); ++i) {
    Member& again = header_->member[i];
    const bool left = again.done.load() == again.packages;
    if (again.pid.load() != getpid() || !left || again.rank != rank) continue;
    again.packages = packages;
    again.done = 0;
    return static_cast<int>(i);
  }
  const uint32_t number = header_->members.fetch_add(1);
  if (number >= kMostMembers) return -1;
  Member& member = header_->member[number];
  member.rank = rank;
  member.packages = packages;
  member.done = 0;
  member.pid.store(getpid());
  return static_cast<int>(number);
}

size_t Segment::IndexOf(uint32_t package, const Entry* entry) const {
  const size_t first = package * kRows;
  return entry == nullptr ? first + kMostEntries : static_cast<size_t>(entry - entries_);
}

Entry& Segment::entry(uint32_t package, uint32_t index) {
  return entries_[package * kRows + index];
}

Total* Segment::Start(uint32_t package, const Entry* entry) {
  return totals_ + IndexOf(package, entry) * place_.events;
}
Sum* Segment::Sums(uint32_t package, const Entry* entry) {
  return sums_ + IndexOf(package, entry) * place_.events;
}
Total* Segment::IdleStart(uint32_t package) { return Start(package, nullptr); }
Sum* Segment::IdleSums(uint32_t package) { return Sums(package, nullptr); }
Total* Segment::Latest(uint32_t package) {
  return totals_ + (package * kRows + kMostEntries + 1) * place_.events;
}

Entry* Segment::FindOrMake(uint32_t package, std::string_view name) {
  if (name.size() >= kMostNameBytes) return nullptr;
  const uint64_t hash = HashOf(name);
  const Hold hold(this->package(package));
  if (!hold) return nullptr;
  for (uint32_t i = 0; i < kMostEntries; ++i) {
    Entry& each = entry(package, static_cast<uint32_t>((hash + i) % kMostEntries));
    if (each.ready.load() == 0) {
      each.hash = hash;
      std::copy(name.begin(), name.end(), each.name);
      each.ready.store(1);
      return &each;
    }
    if (each.hash == hash && name == each.name) return &each;
  }
  return nullptr;
}

Hold::Hold(Package& package) noexcept : package_(package), held_(false) {
  int error = pthread_mutex_trylock(&package.mutex);
  if (error == EBUSY) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    error = pthread_mutex_timedlock(&package.mutex, &until);
  }
  if (error == EOWNERDEAD) {
    pthread_mutex_consistent(&package.mutex);
    package.damaged = 1;
    error = 0;
  }
  held_ = error == 0;
}

Hold::~Hold() {
  if (held_) pthread_mutex_unlock(&package_.mutex);
}

}  // namespace roofmark::package
