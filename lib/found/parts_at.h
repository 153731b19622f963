// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOUND_PARTS_AT_H_
#define ROOFMARK_LIB_FOUND_PARTS_AT_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "lib/found/executed.h"

namespace roofmark {

// Who executed the code of a module, by place.
class PartsAt {
 public:
  // How often, in all layers and as work.
  struct Times {
    uint64_t all = 0, work = 0;
  };

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

  Times TimesAt(uint64_t offset) const {
    Times times;
    Each(offset, [&times](const ExecutedPart& part) {
      times.all += part.times;
      if (part.layer == Layer::kWork) times.work += part.times;
    });
    return times;
  }

 private:
  const std::vector<ExecutedPart>& parts_;
  uint32_t longest_ = 0;
};

// The same of all modules.
class PartsByFile {
 public:
  // Must outlive it.
  explicit PartsByFile(const Executed& executed) {
    for (const ExecutedModule& module : executed.modules)
      by_file_.emplace(module.file, module.parts);
  }

  // Null: nothing of the file was executed.
  const PartsAt* Find(std::string_view file) const {
    const auto found = by_file_.find(file);
    return found == by_file_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string_view, PartsAt> by_file_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_PARTS_AT_H_
