// SPDX-License-Identifier: BSD-3-Clause
#include "markers/names.h"

#include "lib/profile/region_name.h"

namespace roofmark::markers {
namespace {

constexpr uint32_t kOn = 2;

}  // namespace

uint32_t Names::InternLocked(std::string_view name) {
  if (!IsRegionName(name)) return InternLocked(RegionName(name));
  if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
  texts_.emplace_back(name);
  const auto id = static_cast<uint32_t>(texts_.size());
  ids_.emplace(name, id);
  return id;
}

uint32_t Names::Intern(std::string_view name) {
  const std::lock_guard lock(mutex_);
  return InternLocked(name);
}

std::string Names::Text(uint32_t id) const {
  const std::lock_guard lock(mutex_);
  return id == 0 || id > texts_.size() ? std::string() : texts_[id - 1];
}

void Names::Resolve(roofmark_site* site) {
  const std::lock_guard lock(mutex_);
  if (site->state == kOn) return;
  const uint32_t id = InternLocked(site->name == nullptr ? "" : site->name);
  __atomic_store_n(&site->id, id, __ATOMIC_RELEASE);
  __atomic_store_n(&site->state, kOn, __ATOMIC_RELEASE);
}

}  // namespace roofmark::markers
