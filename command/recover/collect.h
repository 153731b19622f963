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

struct FoundSpool {
  spool::Spool spool;
  spool::Life life = spool::Life::kDead;  // of a copy: kDead, for it does not change
  // Beside it, of processes that had its rank before and have ended: files that it stands for.
  std::vector<std::string> earlier{};
};

// With the life of its process now. Error: the process has ended since the spool was read, and has
// removed it.
Result<FoundSpool> WithItsLife(spool::Spool spool);
// The spool in this file, with the life of its process now. Errors: of reading, and as above.
Result<FoundSpool> ReadFoundSpool(const std::string& file);
// As spool::FoldSpool; a process that still runs on this node has run until now.
JobProfile FoldFound(const FoundSpool& found);

struct Collected {
  std::vector<FoundSpool> spools;  // at most one of each rank, by rank
  std::vector<std::string> notes;  // sentences: what was left out or is lost, and why
};

struct CollectOptions {
  std::vector<std::string> directories;
  std::vector<std::string> jobs = {};  // ids; empty: all must be of one
  bool live = false;                   // take processes that still run, too
};

// At most one spool of each rank, by rank; a sentence in `notes` where another process's was left.
std::vector<FoundSpool> OneOfEachRank(std::vector<FoundSpool> found,
                                      std::vector<std::string>& notes);

// Errors: a directory that cannot be read, nothing found, several jobs and none chosen.
Result<Collected> CollectSpools(const CollectOptions& options);

// Removes the spools of processes that have ended, with those that they stand for, and the
// directories that are empty then.
void RemoveSpools(const std::vector<FoundSpool>& spools);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_COLLECT_H_
