// SPDX-License-Identifier: BSD-3-Clause
//
// Advice as an order: what to do, why, and where. Once for tables and sentences. No full stops.
#ifndef ROOFMARK_LIB_REPORT_DEED_WORDS_H_
#define ROOFMARK_LIB_REPORT_DEED_WORDS_H_

#include <string>

#include "lib/model/advice.h"
#include "lib/report/report.h"

namespace roofmark {

struct Deed {
  std::string deed;   // "Vectorise"
  std::string why;    // the number behind it: "1.2 of 8.0 lanes used"
  std::string means;  // by what: "non-temporal stores"; may be empty
  std::string place;  // "stencil.cc:177"; empty where it is not known, or the region's name has it
  // Nothing that was counted tells the cause: it has to be found first.
  bool is_question = false;
};

// Of the region's own work. Without a place.
Deed DeedOf(const Ceiling& ceiling, const RuntimeModel& region);
Deed DeedOf(const Advice& advice, const ReportJob& job);

// "Vectorise (1.2 of 8.0 lanes used): this region's work up to 3.9x faster": not its waits.
std::string AdviceSentence(const Ceiling& ceiling, const RuntimeModel& region);
// "Vectorise (1.2 of 8.0 lanes used): saves 0.21 s to 0.71 s": of this run.
std::string AdviceSentence(const Advice& advice, const ReportJob& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DEED_WORDS_H_
