// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/carriers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace roofmark::mpi {
namespace {

enum Decision : uint32_t { kOpen, kAll, kNotAll };

// 64-bit FNV-1a (Fowler, Noll, Vo): keys hold characters that file names must not.
uint64_t Hash(const std::string& key) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

// Lies in the shared file, which begins as zeros.
struct Carriers::Record {
  std::atomic<uint32_t> arrived;
  std::atomic<uint32_t> decision;
};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "it is shared between processes");

Carriers::~Carriers() { Leave(); }

void Carriers::Leave() {
  if (record_ != nullptr) munmap(record_, sizeof(Record));
  record_ = nullptr;
}

bool Carriers::Arrive(const std::string& folder, const std::string& key) {
  if (key.empty() || record_ != nullptr) return false;
  name_ = fmt::format("{}/roofmark-{}-{:016x}", folder, geteuid(), Hash(key));
  const int file = open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  struct stat info = {};
  // Allocated, not only sized: a full tmpfs would kill the process at the first access.
  const bool usable = fstat(file, &info) == 0 && info.st_uid == geteuid() &&
                      posix_fallocate(file, 0, sizeof(Record)) == 0;
  void* memory = usable ? mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                        : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED) return false;
  record_ = static_cast<Record*>(memory);
  record_->arrived.fetch_add(1);
  return true;
}

uint32_t Carriers::arrived() const { return record_ == nullptr ? 1 : record_->arrived.load(); }

bool Carriers::AllOf(uint32_t expected, std::chrono::milliseconds patience) {
  if (record_ == nullptr) return expected == 1;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (record_->decision.load() == kOpen) {
    const uint32_t here = record_->arrived.load();
    uint32_t verdict = kOpen;
    if (here == expected) verdict = kAll;
    if (here > expected || std::chrono::steady_clock::now() >= deadline) verdict = kNotAll;
    uint32_t open = kOpen;
    if (verdict == kOpen) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    } else if (record_->decision.compare_exchange_strong(open, verdict)) {
      unlink(name_.c_str());  // those that arrived have it mapped; latecomers shall not find it
    }
  }
  return record_->decision.load() == kAll;
}

}  // namespace roofmark::mpi
