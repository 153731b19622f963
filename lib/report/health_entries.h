// SPDX-License-Identifier: BSD-3-Clause
//
// What can make the figures of a run doubtful: each kind in a few words, and what it means. The
// sentence about a single run is health_words.h's.
#ifndef ROOFMARK_LIB_REPORT_HEALTH_ENTRIES_H_
#define ROOFMARK_LIB_REPORT_HEALTH_ENTRIES_H_

#include <span>
#include <string_view>

#include "lib/model/health.h"

namespace roofmark {

struct HealthEntry {
  HealthId id;
  std::string_view label;  // where there is room for one line
  std::string_view text;   // what it does to the figures, and the cure: whole sentences
};

std::span<const HealthEntry> HealthEntries();
const HealthEntry& InfoOf(HealthId id);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_HEALTH_ENTRIES_H_
