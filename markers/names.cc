// SPDX-License-Identifier: BSD-3-Clause
#include "markers/names.h"

namespace roofmark::markers {
namespace {

constexpr uint32_t kOn = 2;

}  // namespace

uint32_t Names::InternLocked(std::string_view name) {
  auto [it, fresh] = ids_.try_emplace(std::string(name), static_cast<uint32_t>(texts_.size() + 1));
  if (fresh) texts_.emplace_back(name);
  return it->second;
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
