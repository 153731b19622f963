// SPDX-License-Identifier: BSD-3-Clause
//
// Which regions one flow of control (the team, or a thread on its own) is in, outermost first, and
// what changes when it goes on in another path.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CHAIN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CHAIN_H_

#include <array>
#include <cstdint>

namespace roofmark::package {

// Deeper regions are not told apart: they belong to the one at this depth.
inline constexpr uint32_t kMostDepth = 64;

class Chain {
 public:
  // Parents by path: parent(path) < path, 0 is the root. Calls close(path) from the innermost, then
  // open(path) from the outermost, for visits that are measured.
  template <typename Parent, typename Close, typename Open>
  void Enter(uint32_t path, bool measured, Parent parent, Close close, Open open) {
    std::array<uint32_t, kMostDepth> wanted;
    uint32_t depth = 0;
    for (uint32_t each = path; each != 0; each = parent(each)) ++depth;
    uint32_t left = depth;
    for (uint32_t each = path; each != 0; each = parent(each)) {
      if (--left < kMostDepth) wanted[left] = each;
    }
    if (depth > kMostDepth) depth = kMostDepth;
    uint32_t common = 0;
    while (common < depth && common < depth_ && wanted[common] == path_[common]) ++common;
    while (depth_ > common) {
      --depth_;
      if (counted_[depth_]) close(path_[depth_]);
    }
    for (; depth_ < depth; ++depth_) {
      path_[depth_] = wanted[depth_];
      counted_[depth_] = measured || depth_ + 1 < depth;
      if (counted_[depth_]) open(path_[depth_]);
    }
  }

  bool empty() const { return depth_ == 0; }

 private:
  uint32_t depth_ = 0;
  std::array<uint32_t, kMostDepth> path_;
  std::array<bool, kMostDepth> counted_;
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CHAIN_H_
