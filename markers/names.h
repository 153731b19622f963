// SPDX-License-Identifier: BSD-3-Clause
//
// Names of regions and of operations, interned to small integers.
#ifndef ROOFMARK_MARKERS_NAMES_H_
#define ROOFMARK_MARKERS_NAMES_H_

#include <roofmark/roofmark.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark::markers {

// Thread-safe; takes a lock, so it serves first visits only.
class Names {
 public:
  // Ids count from 1. The same text has the same id for the life of the process. Takes memory for a
  // new one only, and for what is no name: it becomes one by RegionName().
  uint32_t Intern(std::string_view name);
  std::string Text(uint32_t id) const;

  // Gives the site its id and the state "on". The site is not remembered: it may lie in a library
  // that is closed before the process ends.
  void Resolve(roofmark_site* site);

  // Over a fork: a child has them whole.
  void Hold() noexcept { mutex_.lock(); }
  void LetGo() noexcept { mutex_.unlock(); }

 private:
  uint32_t InternLocked(std::string_view name);

  mutable std::mutex mutex_;
  std::map<std::string, uint32_t, std::less<>> ids_;
  std::vector<std::string> texts_;
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_NAMES_H_
