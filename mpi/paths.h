// SPDX-License-Identifier: BSD-3-Clause
//
// The paths of a profile in a message. Neighbours in their order have much in common.
#ifndef ROOFMARK_MPI_PATHS_H_
#define ROOFMARK_MPI_PATHS_H_

#include <cstdint>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/profile/profile.h"

namespace roofmark::mpi {

// Of what all ranks of most codes have alike: names and operations.
uint64_t HashOfPaths(const std::vector<PathInfo>& paths);

// `paths` are sorted. What only the profile of one rank can say (unfinished visits, comparisons of
// its counts) does not travel.
void PutPaths(ByteWriter& writer, const std::vector<PathInfo>& paths);
// Sorted, without any twice; the reader fails where the message makes no sense.
std::vector<PathInfo> GetPaths(ByteReader& reader);

// Adds to `paths` what only `others` have: paths, and operations of paths. Both are sorted.
struct United {
  std::vector<size_t> own, others;  // where each of both stands now
};
United UnitePaths(std::vector<PathInfo>& paths, std::vector<PathInfo> others);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_PATHS_H_
