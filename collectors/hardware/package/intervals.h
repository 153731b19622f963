// SPDX-License-Identifier: BSD-3-Clause
//
// One package as one process sees it: when its regions open and close, and what its controllers did
// meanwhile. All processes of the package work on the same records, each under the package's mutex.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_INTERVALS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_INTERVALS_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/hardware/package/controllers.h"
#include "collectors/hardware/package/segment.h"

namespace roofmark::package {

// What happens to the process's regions at one boundary.
struct Changes {
  std::span<Entry*const> close, open;
  bool leaves = false;  // all regions of the process
  bool enters = false;  // its first
};

class Intervals {
 public:
  // `controllers` has `events` totals at most. All must outlive this.
  Intervals(Segment& segment, uint32_t package, Controllers controllers);

  Entry* EntryOf(std::string_view name) { return segment_.FindOrMake(package_, name); }
  // One read of the controllers, if a region is the first process's or the last's.
  void Apply(const Changes& changes) noexcept;
  // The process will not enter a region here.
  void Leave() noexcept;
  // At the end, with the package's mutex held: closes the regions that are still open. What those
  // of a process that died moved is not known (`died`).
  void CloseOff(bool died) noexcept;
  // The mutex could not be had: from then on this process leaves the package alone, and nothing of
  // it is believed.
  bool gave_up() const { return gave_up_.load(); }

  uint32_t package() const { return package_; }
  const Controllers& controllers() const { return controllers_; }
  void CloseInChild() noexcept { controllers_.CloseInChild(); }

 private:
  // The totals of now, read once per boundary, when first asked for; nullptr if they cannot be had.
  class Now;
  void GiveUp() noexcept;
  // Into totals_. False if they cannot be had, or cannot be right.
  bool ReadTotals() noexcept;
  void Open(Entry& entry, Now& now) noexcept;
  void Close(Entry& entry, Now& now) noexcept;
  void AddIdle(Package& shared, Now& now) noexcept;
  void AccountShared(Entry& entry, uint64_t now_ns) noexcept;
  // Adds what happened since `start`; false if that is not to be believed.
  bool AddSince(const Total* start, Sum* sums, Now& now) noexcept;
  void JudgeLength(Entry& entry) noexcept;

  Segment& segment_;
  const uint32_t package_;
  Controllers controllers_;
  const std::vector<uint32_t> events_;
  std::vector<Total> totals_;  // of Now; under the mutex
  std::atomic<bool> gave_up_{false};
  uint64_t read_ns_ = 0;  // what reading costs: the least seen
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_INTERVALS_H_
