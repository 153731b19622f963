// SPDX-License-Identifier: BSD-3-Clause
//
// What an execution sampled, at the code that another one noted.
#ifndef ROOFMARK_COMMAND_RUN_SAMPLED_CODE_H_
#define ROOFMARK_COMMAND_RUN_SAMPLED_CODE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "command/nests/code.h"
#include "command/nests/idle.h"
#include "lib/found/executed.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

struct SampledCode {
  FoundCode code;
  std::vector<CodeOfFile> yields;     // in which threads are idle
  std::string idle;                   // what is to be said of these, a clause; empty: nothing
  Samples all;                        // of all ranks together, without those of idle threads
  std::vector<loops::Sample> shares;  // `all` at `code`

  // What is not known of code and samples, a clause each.
  std::vector<std::string> Notes() const;
};

// `executed` by all ranks, `samples` by rank: those of idle threads are taken out. `functions` as
// FindCode()'s `with_inlined`.
SampledCode LookAtSamples(const Executed& executed, bool functions,
                          std::map<uint32_t, Samples>& samples);

// Of all threads.
uint64_t CountSamples(const std::map<uint32_t, Samples>& by_rank);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_SAMPLED_CODE_H_
