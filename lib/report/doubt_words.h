// SPDX-License-Identifier: BSD-3-Clause
//
// The words for counts that were extrapolated, and for those that contradict declared work.
#ifndef ROOFMARK_LIB_REPORT_DOUBT_WORDS_H_
#define ROOFMARK_LIB_REPORT_DOUBT_WORDS_H_

#include <string>

#include "lib/model/doubts.h"
#include "lib/report/report.h"

namespace roofmark {

// Of a value with an interval: "1.2 GB to 1.5 GB", or that its interval is not known.
std::string WithinText(const Value& value, const std::string& unit);

// Of one region's traffic; empty where nothing was extrapolated.
std::string ExtrapolatedSentence(const JobProfile& job, const PathAnalysis& path);

// The same of its FLOPs, and of its time.
std::string ScaledFlopsSentence(const PathAnalysis& path);
std::string ScaledTimeSentence(const PathAnalysis& path);

// What the mark beside numbers means, of traffic, and of FLOPs and times; empty where there is
// none.
std::string ExtrapolatedRemark(const JobProfile& job, const JobAnalysis& analysis);
std::string TakenInTurnsRemark(const JobAnalysis& analysis);

// Which regions were timed and counted how, if visits took turns; else empty.
std::string TurnsRemark(const JobProfile& job);

// Health: HealthId::kExtrapolated and kDeclaredDiffers.
std::string WideSentence(const std::vector<size_t>& paths, const ReportJob& job);
std::string ContradictionSentence(const std::vector<Contradiction>& all, const ReportJob& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DOUBT_WORDS_H_
