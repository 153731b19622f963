// SPDX-License-Identifier: BSD-3-Clause
//
// What limits a region, as the colour of its dot: the first thing that people see.
#ifndef ROOFMARK_LIB_REPORT_LIMIT_COLOR_H_
#define ROOFMARK_LIB_REPORT_LIMIT_COLOR_H_

#include <cstdint>
#include <string_view>

#include "lib/core/tone.h"
#include "lib/model/time_split.h"

namespace roofmark {

enum class LimitColor : uint8_t { kMemory, kCompute, kChain, kWaiting, kOther };

struct LimitColorInfo {
  LimitColor id;
  std::string_view css;   // class, as in page/chart.css
  std::string_view name;  // in legends
  Tone tone;              // in a terminal
};

const LimitColorInfo& InfoOf(LimitColor color);
// Of phases that of the largest.
LimitColor LimitColorOf(const Limit& limit);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LIMIT_COLOR_H_
