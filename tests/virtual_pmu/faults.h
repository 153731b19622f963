// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the calls of this process and decides which of them go wrong.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_FAULTS_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_FAULTS_H_

#include <cstdint>

namespace vpmu {

enum class Call { kOpen, kRead, kIoctl, kMmap, kClose };
inline constexpr int kCalls = 5;

struct Fault {
  enum Kind { kNone, kErrno, kShort, kEndOfFile, kBackwards, kStale, kWrap };
  Kind kind = kNone;
  int error = 0;  // of kErrno
};

// Replaces all rules and starts the counting again. False if one cannot be understood. Not to be
// called while other threads are inside perf calls.
bool SetFaults(const char* rules);

// One more call: what goes wrong with it.
Fault Next(Call call);

uint64_t CountOf(Call call);

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_FAULTS_H_
