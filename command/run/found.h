// SPDX-License-Identifier: BSD-3-Clause
//
// --auto: regions of the loops and functions that take the time, in a program without markers.
#ifndef ROOFMARK_COMMAND_RUN_FOUND_H_
#define ROOFMARK_COMMAND_RUN_FOUND_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "command/nests/idle.h"
#include "command/passes.h"
#include "command/run/options.h"
#include "lib/found/counted_places.h"
#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"
#include "lib/found/same_work.h"
#include "lib/profile/hot_loops.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

// What the time pass and an execution that notes the executed code say.
struct FoundRegions {
  std::map<uint32_t, Samples> samples;  // by rank, without those of idle threads
  std::string why_none;                 // a sentence; empty: regions were found
  std::vector<std::string> notes;       // of the code and the samples, a sentence each
  Executed executed;                    // by all ranks
  NestPlan plan;                        // of the regions
  std::vector<CodeOfFile> yields;       // in which threads are idle
  std::vector<ChosenPlace> places;      // to be counted in an execution for time
  // That execution and its samples; empty: there was none, or it did not end well.
  std::map<uint32_t, Samples> counted_samples;
  PassResult counted;
};

// Executes the command to see which code it executes; chooses; `work` makes regions of what was
// chosen. That there is none is said. Nothing if that execution did not end well: no other one
// should follow. `end` is how it ended. Where the native engine cannot follow the program,
// `options` and `work` have Valgrind's from then on.
std::optional<FoundRegions> FindRegions(RunOptions& options, const PassDirectory& directory,
                                        const JobProfile& time, Child& work, ChildEnd& end);

// Executes the command for time once more, while `found.places` are counted. Not where no place can
// be counted. If that execution ends otherwise than the one before, or is interrupted, the places
// are not counted; it is said. Whether it was executed.
bool CountPlaces(const RunOptions& options, const PassDirectory& directory, const Child& time_child,
                 const PassResult& time, FoundRegions& found);

// What the program executed in the work pass, by rank. That it does not say so is said.
std::map<uint32_t, Executed> ReadWorkCode(const PassDirectory& directory,
                                          const std::optional<ProgramKey>& program);

// What the time pass sampled of it, by rank; nothing where no samples were asked for. What cannot
// be read is said.
std::map<uint32_t, Samples> ReadSamplesAloud(const PassDirectory& directory,
                                             const std::optional<ProgramKey>& program);

// The work pass, which executed `executed`, compared with the execution in which places were
// counted, or with what is known of the time pass where none was made. Where these did not do
// equally much, that execution takes the place of `time`, and its samples that of those before:
// only of it is known how much it did. Otherwise it does not, because counting takes time.
SameWork CompareWithWork(const std::map<uint32_t, Executed>& executed, FoundRegions& found,
                         PassResult& time);

// Says in the file why there are no regions.
void ExplainNone(const FoundRegions& found, JobProfile& job);

// Gives the regions their times, and says in the file how they were found.
void TimeRegions(const FoundRegions& found, const std::map<uint32_t, Executed>& executed,
                 const SameWork& work, JobProfile& job);

// Of what the work pass executed and the execution that is timed sampled.
HotLoops FindHotLoops(std::map<uint32_t, Executed> executed, std::map<uint32_t, Samples> samples,
                      const JobProfile& job);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_FOUND_H_
