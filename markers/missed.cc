// SPDX-License-Identifier: BSD-3-Clause
#include "markers/missed.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>

namespace roofmark::markers {
namespace {

// The first name that is noted. Only its first part where it is long.
class FirstName {
 public:
  void Note(std::string_view name) noexcept {
    int expected = kNone;
    if (!state_.compare_exchange_strong(expected, kBegun)) return;
    const size_t length = std::min(name.size(), sizeof text_ - 1);
    std::memcpy(text_, name.data(), length);
    text_[length] = '\0';
    state_.store(kWhole);
  }
  std::optional<std::string> Text() const {
    return state_.load() == kWhole ? std::optional<std::string>(text_) : std::nullopt;
  }

 private:
  static constexpr int kNone = 0, kBegun = 1, kWhole = 2;
  std::atomic<int> state_{kNone};
  char text_[256] = {};
};

struct Shared {
  std::atomic<uint32_t> processes{0};
  std::atomic<bool> recorded{false};
  FirstName region;
};

Shared* g_shared = nullptr;

}  // namespace

void Missed::Share() noexcept {
  if (g_shared != nullptr) return;
  void* page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) g_shared = new (page) Shared;
}

void Missed::NoteInChild(std::string_view region) noexcept {
  if (g_shared == nullptr) return;
  g_shared->region.Note(region);
  g_shared->processes.fetch_add(1);
}

void Missed::NoteRecordedChild() noexcept {
  if (g_shared != nullptr) g_shared->recorded = true;
}

bool Missed::ChildrenWereRecorded() noexcept { return g_shared != nullptr && g_shared->recorded; }

InChildren Missed::OfChildren() {
  if (g_shared == nullptr) return {};
  return {g_shared->processes.load(), g_shared->region.Text().value_or("")};
}

}  // namespace roofmark::markers
