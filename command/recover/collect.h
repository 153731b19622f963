// SPDX-License-Identifier: BSD-3-Clause
//
// The spools of one job: found, read, and told apart from those of processes that still run, of
// other jobs, and of the same process twice.
#ifndef ROOFMARK_COMMAND_RECOVER_COLLECT_H_
#define ROOFMARK_COMMAND_RECOVER_COLLECT_H_

#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/spool/read.h"

namespace roofmark::cli {

// `given`, or the one directory that this user's jobs have left in its default place. The error
// lists them if there are several.
Result<std::vector<std::string>> SpoolDirectories(const std::vector<std::string>& given);

struct FoundSpool {
  spool::Spool spool;
  spool::Life life = spool::Life::kDead;  // of a copy: kDead, for it does not change
};

struct Collected {
  std::vector<FoundSpool> spools;  // at most one of each rank, by rank
  std::vector<std::string> notes;  // sentences: what was left out or is lost, and why
};

struct CollectOptions {
  std::vector<std::string> directories;
  std::vector<std::string> jobs;  // ids; empty: all must be of one
  bool live = false;              // take processes that still run, too
};

// Errors: a directory that cannot be read, nothing found, several jobs and none chosen.
Result<Collected> CollectSpools(const CollectOptions& options);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_COLLECT_H_
