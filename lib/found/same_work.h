// SPDX-License-Identifier: BSD-3-Clause
//
// Did the execution that was timed do as much as the one that was counted? A program that runs
// until a time is over does less under the counting engine: its counts over its time are rates that
// it never had. What was counted in both executions says so. Pure.
#ifndef ROOFMARK_LIB_FOUND_SAME_WORK_H_
#define ROOFMARK_LIB_FOUND_SAME_WORK_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lib/found/counted_places.h"
#include "lib/found/executed.h"
#include "lib/profile/match_visits.h"
#include "lib/profile/profile.h"
#include "lib/samples/samples.h"

namespace roofmark {

// Of one process.
struct RankWork {
  const Samples* samples = nullptr;    // of the execution that was timed, with counted places
  const Executed* executed = nullptr;  // of the one that was counted, with parts
};

struct SameWork {
  enum class Answer : uint8_t { kUnknown, kSame, kDiffers } answer = Answer::kUnknown;
  std::string why_unknown;  // or, of kDiffers, why no place was compared
  size_t places = 0;        // that were compared
  size_t calls = 0;         // of kSame without places: those that call MPI, which were compared
  // Of kDiffers: each place by less than a half, so that the program does not run until a time is
  // over. An interpreter looks for its objects at other addresses in each execution.
  bool differs_little = false;
  // Of kDiffers: by the full name of a path, how often its code was executed in the execution that
  // was timed, over the other one. Only what was compared.
  FoundRatios ratios;
  // Executed bytes by path, children excluded; "" for what is in none. `unknown`: of which it is
  // not known how often the execution that was timed executed them, because nothing was compared
  // there, or only something around that was executed equally often. Where no place could be
  // counted, or all differ by little, those that two executions under the engine did not execute
  // equally often.
  std::map<std::string, double> executed, unknown;

  // It is not known how much of this path's work was done in the execution that was timed: more
  // than a twentieth of what it and the paths below it executed is unknown. "" asks for the program
  // as a whole.
  bool IsDoubtful(const std::string& path) const;
  // The same of what is in no path.
  bool IsOutsideDoubtful() const;

  // Whatever the answer is.
  bool IsMuchUnknown(const std::string& path) const;
  bool IsMuchUnknownOutside() const;
};

// `places` say for which regions they stand. `before`: what an earlier execution under the engine
// executed, all ranks together: it tells whether two executions under the engine differ. Where no
// places were counted and they do not, calls of MPI are compared (lib/found/same_calls.h).
SameWork CompareWork(std::span<const RankWork> ranks, std::span<const ChosenPlace> places,
                     const Executed& before);

// Nothing that was counted in the doubtful paths, or in the program if that is doubtful, is valid.
// Times stay.
void DropDoubtfulCounts(const SameWork& work, JobProfile& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_SAME_WORK_H_
