// SPDX-License-Identifier: BSD-3-Clause
//
// Work and traffic that lie on few of the workers (2008 A.2). balance.h has what they cost.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_BALANCE_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_BALANCE_H_

#include "lib/model/shortfall_rule.h"

namespace roofmark::shortfalls {

inline constexpr ShortfallRule kThreadImbalance = {[](const RegionSource&, RegionInputs& region) {
  return region.work.as_is ? region.work.even_ranks : region.work.as_is;
}};
inline constexpr ShortfallRule kRankImbalance = {
    [](const RegionSource&, RegionInputs& region) { return region.work.even_threads; }};
inline constexpr ShortfallRule kConcurrency = {
    [](const RegionSource&, RegionInputs& region) { return region.traffic.as_is; }};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_BALANCE_H_
