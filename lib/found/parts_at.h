// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOUND_PARTS_AT_H_
#define ROOFMARK_LIB_FOUND_PARTS_AT_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lib/found/executed.h"

namespace roofmark {

// Who executed the code of a module, by place.
class PartsAt {
 public:
  // In the order of ExecutedModule::parts; must outlive it.
  explicit PartsAt(const std::vector<ExecutedPart>& parts) : parts_(parts) {
    for (const ExecutedPart& part : parts) longest_ = std::max(longest_, part.bytes);
  }

  // Calls take(part) for each part of a block that has the offset in it.
  template <typename Take>
  void Each(uint64_t offset, Take take) const {
    const uint64_t from = offset < longest_ ? 0 : offset - longest_;
    auto part =
        std::partition_point(parts_.begin(), parts_.end(),
                             [from](const ExecutedPart& each) { return each.begin < from; });
    for (; part != parts_.end() && part->begin <= offset; ++part) {
      if (offset - part->begin < part->bytes) take(*part);
    }
  }

 private:
  const std::vector<ExecutedPart>& parts_;
  uint32_t longest_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_PARTS_AT_H_
