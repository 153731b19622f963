// SPDX-License-Identifier: BSD-3-Clause
#include "markers/late_visits.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

namespace roofmark::markers {
namespace {

// A row is claimed once, by the thread that writes its name. Others that come meanwhile do not wait
// (the one that writes may be the thread that a signal interrupted) but take the next free row, so
// that a name may have several.
struct LateRow {
  enum : int { kFree, kClaimed, kNamed };
  std::atomic<int> state{kFree};
  std::atomic<uint64_t> visits{0};
  char name[192] = {};
};

LateRow g_late_rows[LateVisits::kRegions];
std::atomic<uint64_t> g_late_others{0};

bool Claim(LateRow& row, std::string_view name) noexcept {
  if (row.state.load(std::memory_order_relaxed) != LateRow::kFree) return false;
  int expected = LateRow::kFree;
  if (!row.state.compare_exchange_strong(expected, LateRow::kClaimed)) return false;
  std::memcpy(row.name, name.data(), name.size());
  row.name[name.size()] = '\0';
  row.state.store(LateRow::kNamed, std::memory_order_release);
  return true;
}

bool IsNamed(const LateRow& row, std::string_view name) noexcept {
  return row.state.load(std::memory_order_acquire) == LateRow::kNamed && name == row.name;
}

}  // namespace

void LateVisits::Note(std::string_view region) noexcept {
  const size_t end = std::min(region.find('\0'), sizeof LateRow::name - 1);
  const std::string_view name = region.substr(0, end);
  for (LateRow& row : g_late_rows) {
    if (!IsNamed(row, name) && !Claim(row, name)) continue;
    row.visits.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  g_late_others.fetch_add(1, std::memory_order_relaxed);
}

std::map<std::string, uint64_t> LateVisits::All() {
  std::map<std::string, uint64_t> visits;
  for (const LateRow& row : g_late_rows) {
    if (const uint64_t of_row = row.visits.load()) visits[row.name] += of_row;
  }
  if (const uint64_t others = g_late_others.load()) visits[std::string(kOthers)] += others;
  return visits;
}

}  // namespace roofmark::markers
