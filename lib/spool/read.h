// SPDX-License-Identifier: BSD-3-Clause
//
// A spool read by somebody else: after its process died, or beside it. Nothing in it is believed
// that cannot be right; what is left out is said, with the file's name.
#ifndef ROOFMARK_LIB_SPOOL_READ_H_
#define ROOFMARK_LIB_SPOOL_READ_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/clock.h"
#include "lib/core/result.h"
#include "lib/counts/kept_plan.h"
#include "lib/fold/fold.h"
#include "lib/profile/profile.h"
#include "lib/spool/identity.h"

namespace roofmark::spool {

struct Spool {
  std::string file;
  Identity identity;
  ClockPair born, latest;
  bool ticks_are_ns = false;
  uint64_t frozen_unix_s = 0;  // of a copy: when it was made; 0: the process's own file

  JobProfile described;                 // who, where, what is counted; without paths
  std::optional<JobProfile> handed_in;  // the process's whole profile, if it could not be written
  FoldInput input;                      // nodes, names, operations, threads, counts
  std::optional<counts::KeptPlan> counts;  // of the counts in `input`
  std::string why_no_counts;          // for metrics that were counted; empty if they were not kept
  std::vector<uint64_t> open;         // by path: visits begun and not finished
  std::vector<std::string> problems;  // one sentence each: what is lost, of which file
  std::vector<std::string> notes;     // the same of what is not lost, but not as it seems
};

// An error where nothing can be believed: a foreign file, another version, a damaged header, no
// description. `name` is the file's, for sentences.
Result<Spool> ParseSpool(std::string_view bytes, const std::string& name);
// Reads a file. While its process lives, accumulators that were read half-written are read again.
Result<Spool> ReadSpool(const std::string& file);

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_READ_H_
