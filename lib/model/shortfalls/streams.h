// SPDX-License-Identifier: BSD-3-Clause
//
// Lines that come from DRAM in few streams: one core draws less from one than from several (2008
// A.1.2). Windows of executed instructions tell the streams, the machine file what they draw.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_STREAMS_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_STREAMS_H_

#include "lib/model/shortfall_rule.h"
#include "lib/model/small_pages.h"

namespace roofmark::shortfalls {

// The lines of all streams, over those of the busiest one: side by side, they take no less time
// than that one alone. What it costs stands in resource_times.cc.
inline Value StreamsExtent(const RegionSource& source, RegionInputs& region) {
  const Value all = source.Sum(metric::kWindowLines);
  const Value busiest = source.Sum(metric::kWindowStreamLines);
  Value& count = region.streams.count;
  count = all ? busiest : all;
  if (!count) return count;
  if (*busiest <= 0) return count = Value::None(Reason::kNoLineInWindow, all.status);
  if (source.model.StreamGbs(PageSize::kHuge, 1) <= 0) {
    return count = Value::None(Reason::kNoStreams, all.status);
  }
  const KindModel& kind = source.model.kinds.front();
  const bool small =
      kind.small_page_streams.known() && AllPagesAreSmall(SmallPagesShare(source.job.run));
  const StreamCurve& curve = small ? kind.small_page_streams : kind.streams;
  count = Value::Of(*all / *busiest, all.status, all.origin);
  region.streams.core_gbs = curve.Measured(*count);
  region.streams.enough_gbs = curve.most_gbs();
  region.streams.enough = curve.enough();
  return count;
}

inline constexpr ShortfallRule kStreams = {StreamsExtent};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_STREAMS_H_
