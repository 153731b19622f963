// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/nest_arrays.h"

#include <optional>

namespace roofmark::counting {
namespace {

uint32_t FromOne(std::optional<uint32_t> index) { return index ? *index + 1 : 0; }

}  // namespace

NestArrays::NestArrays(const NestPlan& plan) {
  for (const std::string& module : plan.modules) files_.push_back(module.c_str());
  for (const PlannedNest& nest : plan.nests) {
    nests_.push_back({FromOne(nest.around), nest.is_function ? 1u : 0u, FromOne(nest.same),
                      FromOne(nest.rest_of)});
  }
  for (const PlannedRange& range : plan.ranges) {
    ranges_.push_back({range.module + 1, FromOne(range.nest), range.begin, range.end});
  }
  for (const PlannedEntry& entry : plan.entries) {
    entries_.push_back({entry.module + 1, entry.nest + 1, entry.place, entry.goes_on ? 1u : 0u});
  }
  plan_ = {files_.data(), nests_.data(), ranges_.data(), entries_.data(),
           files_.size(), nests_.size(), ranges_.size(), entries_.size()};
}

}  // namespace roofmark::counting
