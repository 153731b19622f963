// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOLD_THREAD_SUMS_H_
#define ROOFMARK_LIB_FOLD_THREAD_SUMS_H_

#include "lib/fold/path_sums.h"

namespace roofmark::fold {

// What markers, wrappers and the kernel say of threads, into `sums`: visits, times, waits, declared
// work and its kinds.
void SumThreads(const FoldInput& input, PathSums& sums);

}  // namespace roofmark::fold

#endif  // ROOFMARK_LIB_FOLD_THREAD_SUMS_H_
