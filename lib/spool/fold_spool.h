// SPDX-License-Identifier: BSD-3-Clause
//
// A spool as the profile that its process would have written.
#ifndef ROOFMARK_LIB_SPOOL_FOLD_SPOOL_H_
#define ROOFMARK_LIB_SPOOL_FOLD_SPOOL_H_

#include "lib/profile/profile.h"
#include "lib/spool/read.h"

namespace roofmark::spool {

// A job of one rank, folded as at a normal end (lib/fold). Visits that were not finished are not in
// it; PathInfo::unfinished counts them. Counts that the spool does not have are missing with the
// reason. Problems become warnings.
JobProfile FoldSpool(const Spool& spool);

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_FOLD_SPOOL_H_
