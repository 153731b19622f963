// SPDX-License-Identifier: BSD-3-Clause
//
// What one core draws from DRAM through so many streams side by side (memory level parallelism of
// section A.1.2 of the 2008 roofline report): prefetchers run only so far ahead of each, in pages
// of 4 KiB no further than to where the page ends.
#ifndef ROOFMARK_LIB_MODEL_MEMORY_STREAMS_H_
#define ROOFMARK_LIB_MODEL_MEMORY_STREAMS_H_

#include <array>
#include <string>

#include "lib/model/machine.h"
#include "lib/model/value.h"

namespace roofmark {

// As many as `roofmark machine` reads at once.
inline constexpr std::array kStreamCounts = {1, 2, 4, 8};

enum class PageSize { kHuge, kSmall };  // 2 MiB or more; 4 KiB

// "bandwidth.DRAM.streams_4"; in small pages "bandwidth.DRAM.streams_4.small_pages".
std::string StreamCeilingId(int streams, PageSize pages = PageSize::kHuge);

// The curve of one core.
class StreamCurve {
 public:
  StreamCurve(const Machine& machine, PageSize pages);

  bool known() const { return known_; }
  // GB/s at most. Between two points the higher one, and no more than so many times what one stream
  // draws; what another measurement may differ by is added. Infinite where more streams would not
  // help: then they are not what limits. 0: not known.
  double Limit(double streams) const;
  // The same as measured, wherever it stands.
  double Measured(double streams) const;
  // The least count that draws as much as any, and how much.
  int enough() const { return enough_; }
  double most_gbs() const { return most_; }

 private:
  bool known_ = false;
  std::array<double, kStreamCounts.size()> measured_ = {}, limit_ = {};
  int enough_ = 0;
  double most_ = 0;
};

// How a region's lines come from DRAM, and what one core draws in that way.
struct MemoryStreams {
  Value count;
  double core_gbs = 0, enough_gbs = 0;
  int enough = 0;  // streams, with which one core draws `enough_gbs`
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MEMORY_STREAMS_H_
