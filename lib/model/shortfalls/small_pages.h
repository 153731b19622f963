// SPDX-License-Identifier: BSD-3-Clause
//
// Memory in pages of 4 KiB (lib/model/small_pages.h). What it costs stands in resource_times.cc.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_SMALL_PAGES_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_SMALL_PAGES_H_

#include "lib/model/shortfall_rule.h"
#include "lib/model/small_pages.h"

namespace roofmark::shortfalls {

inline Value SmallPagesExtent(const RegionSource& source, RegionInputs& region) {
  const Value share = SmallPagesShare(source.job.run);
  if (!share) return share;
  const bool walks = region.dependences.Share(Dependence::kTlb) > 0;
  if (source.model.SmallPagesGbs(MemoryLevel::kDram) <= 0 && !walks) {
    return Value::None(Reason::kNoSmallPages, share.status);
  }
  region.small_pages = AllPagesAreSmall(share);
  region.huge_pages = HugePagesOf(source.job, source.path);
  region.unproven[Index(Shortfall::kSmallPages)] = region.huge_pages != HugePages::kOnDemand;
  region.l3_reads = source.Sum(metric::kL2ReadBytes);
  return share;
}

inline constexpr ShortfallRule kSmallPages = {SmallPagesExtent};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_SMALL_PAGES_H_
