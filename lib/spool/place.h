// SPDX-License-Identifier: BSD-3-Clause
//
// Where spools lie and what they are called.
#ifndef ROOFMARK_LIB_SPOOL_PLACE_H_
#define ROOFMARK_LIB_SPOOL_PLACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::spool {

inline constexpr char kExtension[] = ".spool";

// "/dev/shm/roofmark-<uid>-<job>"; `job` as NodeJobKey() gives it, the process id without one.
std::string DefaultDirectory(const std::string& job);
// The directories of this user's jobs that exist, of running and of dead ones.
std::vector<std::string> DefaultDirectories();

// "rank3.node17.4711.spool": several nodes may share a directory.
std::string FileName(uint32_t rank, const std::string& host, uint32_t pid);

struct NewFile {
  int fd = -1;
  std::string path;
};
// Makes an empty file in a directory of this user's that others cannot write to. The directory is
// made if it is missing; a name that is taken gets a number. Both are made for their owner alone.
Result<NewFile> MakeFile(const std::string& directory, const std::string& name);

// A file in such a directory that processes of the job share: opened, or made. The caller closes
// it.
Result<int> OpenShared(const std::string& directory, const std::string& name);

// Removes a directory that these functions made, if nothing of a process is in it; others stay.
void RemoveDirectory(const std::string& directory) noexcept;

// Removes what killed jobs of this user left in memory and nobody needs: directories without a
// spool. Those of the last minute stay: their processes may be about to make one. Costs a look into
// each directory of the user's jobs.
void RemoveAbandoned() noexcept;

// Files with kExtension, sorted, with their paths. The error names the directory.
Result<std::vector<std::string>> ListSpools(const std::string& directory);

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_PLACE_H_
