// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that begin where nothing is recorded any more: in forked processes, and after the end of
// the recording. Nobody counts them, but whoever looks for them in the file should know why.
#ifndef ROOFMARK_MARKERS_MISSED_H_
#define ROOFMARK_MARKERS_MISSED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roofmark::markers {

struct InChildren {
  uint32_t processes = 0;
  std::string region;  // the one that was entered first
};

class Missed {
 public:
  // Before any fork: a page that children share. Without it nothing is noted of them.
  static void Share() noexcept;
  // In a child, once. No lock, no memory.
  static void NoteInChild(std::string_view region) noexcept;
  // What children have noted so far.
  static InChildren OfChildren();

  // In the process that was recorded, after the end. The first one stays.
  static void NoteLate(std::string_view region) noexcept;
  static std::optional<std::string> Late();
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_MISSED_H_
