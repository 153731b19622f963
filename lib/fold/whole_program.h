// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOLD_WHOLE_PROGRAM_H_
#define ROOFMARK_LIB_FOLD_WHOLE_PROGRAM_H_

#include "lib/fold/path_sums.h"

namespace roofmark::fold {

// The profile's rows of the program as a whole and of what lies outside of all paths; needs
// FoldInput::program_ns. Their times and what the kernel did are set in `sums`.
void EmitWholeProgram(const FoldInput& input, PathSums& sums, JobProfile& profile);

}  // namespace roofmark::fold

#endif  // ROOFMARK_LIB_FOLD_WHOLE_PROGRAM_H_
