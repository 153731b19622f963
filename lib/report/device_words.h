// SPDX-License-Identifier: BSD-3-Clause
//
// What limits regions on accelerators, and what to do first there, as sentences without full stops.
#ifndef ROOFMARK_LIB_REPORT_DEVICE_WORDS_H_
#define ROOFMARK_LIB_REPORT_DEVICE_WORDS_H_

#include <string>
#include <vector>

#include "lib/model/device_advice.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"

namespace roofmark {

// "Let all lanes of a warp go the same way: 30 % of the lanes are active; saves 0.1 s to 0.7 s": of
// this run.
std::string DeviceGainSentence(const DeviceDerivation& of, const DeviceGain& gain);

// Of the regions that launches, copies or an idle device limit, the longest first; a few of them.
std::vector<std::string> DeviceLimitSentences(const std::vector<DeviceDerivation>& regions,
                                              const std::vector<Row>& rows);

inline constexpr char kFirstOnDevicesTitle[] = "What to do first on the GPUs";
// At most `most` of the run's advice on its devices, first things first, each with its region.
std::vector<std::string> FirstOnDevices(const ReportJob& job, size_t most);

// The same with what they consist of.
struct DeviceAdviceLine {
  DeviceAdvice advice;
  std::string sentence;
};
std::vector<DeviceAdviceLine> DeviceAdviceLines(const ReportJob& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DEVICE_WORDS_H_
