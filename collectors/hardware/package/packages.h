// SPDX-License-Identifier: BSD-3-Clause
//
// The packages that this process runs on: who reads their controllers, which of the process's
// regions are open, what comes out of it. A part that collectors of hardware events embed.
//
// Owner of a package is the process that comes first; the others get its descriptors. What a region
// moved is known in package scope: from the first rank's entry to the last one's exit, whatever
// else the package did meanwhile. The process of a package that ends last hands it over, for all of
// them, so no process waits.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PACKAGES_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PACKAGES_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/package/chain.h"
#include "collectors/hardware/package/handover.h"
#include "collectors/hardware/package/intervals.h"
#include "collectors/hardware/package/plan.h"
#include "collectors/hardware/package/segment.h"

namespace roofmark::package {

class Packages {
 public:
  // `root` is put before /sys.
  Packages(Plan plan, bool sync_node, std::string root = "");
  ~Packages();
  Packages(const Packages&) = delete;
  Packages& operator=(const Packages&) = delete;

  // Opens the controllers of all packages that the process runs on, or takes them over. At most
  // `budget` descriptors. Says of every metric of the plan whether there will be values.
  std::vector<OfferedMetric> Open(size_t budget);
  bool counts() const { return counts_.load(std::memory_order_relaxed); }

  // As a Collector's.
  void DefinePath(uint32_t path, uint32_t parent, std::string_view name);
  void EnterTeam(uint32_t path, bool measured) noexcept;
  void EnterOwn(uint32_t path, bool measured) noexcept;

  // `misses`: last-level misses of this process by path, without those of inner regions; empty if
  // they were not counted.
  void Harvest(std::vector<uint64_t> misses, HarvestSink& sink);
  std::vector<Background> BackgroundTraffic() const { return background_; }
  std::map<std::string, std::string> Facts() const;

 private:
  struct Path;
  static constexpr uint32_t kPaths = 65536, kChunk = 64;

  std::string Take(uint32_t package);
  std::string Address() const;
  void GiveUp(uint32_t packages, Supply after);
  std::string OpenAsOwner(uint32_t package, Package& shared);
  std::string WaitForOwner(uint32_t package, const Package& shared) const;
  void Enter(Chain& chain, uint32_t path, bool measured) noexcept;
  void Switch(uint32_t path, bool open) noexcept;
  Path* PathOf(uint32_t path) noexcept;
  void Barrier(uint32_t path, bool begins) noexcept;
  bool IsLast(uint32_t package) const;
  bool SomebodyDied(uint32_t package) const;
  void HandOver(Intervals& intervals, HarvestSink& sink);
  void AddMisses(Intervals& intervals, const std::vector<uint64_t>& misses);
  void DetachInChild() noexcept;
  static void ForkedChild() noexcept;

  const Plan plan_;
  const bool sync_node_;
  const std::string root_;
  Place place_;
  uint32_t rank_ = 0;
  int member_ = -1;
  size_t budget_ = 0;
  uint32_t owned_ = 0;             // packages whose controllers this process opened, as bits
  std::vector<uint32_t> numbers_;  // of the node's packages, as the kernel says
  std::unique_ptr<Segment> segment_;
  std::vector<std::unique_ptr<Intervals>> mine_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::atomic<bool> counts_{false};
  Chain team_;
  std::atomic<uint32_t> team_path_{0};
  std::array<std::atomic<Path*>, kPaths / kChunk> paths_{};
  std::mutex define_mutex_, switch_mutex_;
  uint32_t roots_inside_ = 0;  // outermost regions that are open; with switch_mutex_
  uint32_t unrecorded_ = 0;    // paths that had no room
  std::vector<Background> background_;
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PACKAGES_H_
