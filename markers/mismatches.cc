// SPDX-License-Identifier: BSD-3-Clause
#include "markers/mismatches.h"

#include <fmt/format.h>

#include <utility>

namespace roofmark::markers {

std::string Where(const char* file, uint32_t line) {
  return file == nullptr ? std::string("at run time") : fmt::format("{}:{}", file, line);
}

void Mismatches::Add(Mismatch mismatch) {
  const std::lock_guard lock(mutex_);
  for (Mismatch& known : known_) {
    if (known.ended_where == mismatch.ended_where && known.open_where == mismatch.open_where &&
        known.ended == mismatch.ended && known.open == mismatch.open) {
      known.times += mismatch.times;
      return;
    }
  }
  if (known_.size() < kMost) known_.push_back(std::move(mismatch));
}

std::vector<Mismatch> Mismatches::All() const {
  const std::lock_guard lock(mutex_);
  return known_;
}

}  // namespace roofmark::markers
