// SPDX-License-Identifier: BSD-3-Clause
//
// What limits regions, and what they wait for, as sentences. No full stops.
#ifndef ROOFMARK_LIB_REPORT_ADVICE_WORDS_H_
#define ROOFMARK_LIB_REPORT_ADVICE_WORDS_H_

#include <string>
#include <vector>

#include "lib/model/advice.h"
#include "lib/model/waiting.h"

namespace roofmark {

// "one stream: one core draws 14 GB/s so, 31 GB/s from 4". `streams` has a count.
std::string StreamsDraw(const MemoryStreams& streams);

// It does other work than floating point, and nothing tells how long that takes at least.
bool IsUncounted(const PathAnalysis& path);

// "0.21 s to 0.71 s", "up to 1.2 s", "1.2 s".
std::string IntervalText(const TimeInterval& interval);

// The region's one verdict: "DRAM bandwidth limits it: its work needs at least 0.9 s of 1.0 s (90
// %)"; of phases "60 % of its time is limited by computation, 40 % by DRAM bandwidth". Empty where
// nothing is known of it.
std::string LimitSentence(const PathAnalysis& path);

// "its critical path spends 48 % of its cycles at symgs.cpp:92"; empty where dependences do not
// limit the region, or no source line of them is known.
std::string CriticalSentence(const PathAnalysis& path, const CriticalPlace& place);

// What MPI does where it works, and whether a rank waits for another.
std::string WorkOfMpi(const Waiting& waiting);

// What the operating system does for the region is to supply pages of memory.
bool SuppliesPages(const PathAnalysis& path);
// How much of its time the operating system works for it, and for what. `path` has such time.
std::string KernelSentence(const PathAnalysis& path);

// What it means that a region waits, and what can be behind time that is not explained: as far as
// there is any.
std::vector<std::string> LimitNotes(const JobAnalysis& analysis);

// "moving right (more FLOPs per byte of DRAM) makes this region's work at most 2.1x faster"; empty
// if nothing is gained.
std::string MovesSentence(const RuntimeModel& region);

// Why the only thread of a job did not run, and for how long; empty where it is not known.
std::string IdleText(const Waiting& waiting);
// What the region waits for; empty where it does not wait.
std::string WaitingSentence(const Waiting& waiting);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_ADVICE_WORDS_H_
