// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that begin in forked processes, which are not recorded: a user who looks for them in the
// file should know why they are missing.
#ifndef ROOFMARK_MARKERS_MISSED_H_
#define ROOFMARK_MARKERS_MISSED_H_

#include <cstdint>
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
  // In a child that is recorded, once.
  static void NoteRecordedChild() noexcept;
  static bool ChildrenWereRecorded() noexcept;
  // What children have noted so far.
  static InChildren OfChildren();
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_MISSED_H_
