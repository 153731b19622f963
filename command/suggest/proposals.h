// SPDX-License-Identifier: BSD-3-Clause
//
// What `roofmark suggest` proposes, and how it shows it.
#ifndef ROOFMARK_COMMAND_SUGGEST_PROPOSALS_H_
#define ROOFMARK_COMMAND_SUGGEST_PROPOSALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "command/suggest/sources.h"
#include "lib/suggest/choose.h"

namespace roofmark::cli {

struct Proposal {
  suggest::Candidate candidate;
  std::string file;   // from the folder of sources on
  uint32_t line = 0;  // of the statement that is marked
  bool is_construct = false;
  std::string refused;  // why it cannot be marked, a clause; then there is no place
};

// In the order of the candidates. Marks are added to the sources.
std::vector<Proposal> Propose(const JobProfile& job, const suggest::Candidates& candidates,
                              Sources& sources);

// `ranking`: a sentence about the order.
std::string RenderProposals(const JobProfile& job, const suggest::Candidates& candidates,
                            const std::vector<Proposal>& proposals, const std::string& ranking);
// "sweep (solver.c:7): REASON" of all that cannot be marked.
std::vector<std::string> Refusals(const JobProfile& job, const std::vector<Proposal>& proposals);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SUGGEST_PROPOSALS_H_
