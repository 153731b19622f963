// SPDX-License-Identifier: BSD-3-Clause
//
// Where loops stand in the source.
#ifndef ROOFMARK_LIB_LOOPS_PLACES_H_
#define ROOFMARK_LIB_LOOPS_PLACES_H_

#include <vector>

#include "lib/core/source_frame.h"
#include "lib/loops/forest.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

// By loop: the function that it is written in (loop_stems.h), with the line of the loop, and the
// calls by which that was inlined. Empty: not known.
//
// The line is that of the branch that begins the next iteration; compilers give it the line of the
// loop's condition. Of several the first line of the source counts. If none has a line in this
// function, it is that of the header, else of the branches that leave the loop, else the first line
// of its code. Of a loop whose iterations OpenMP divides GCC may keep no line: then it is that of
// the directive before it.
std::vector<SourceChain> FindPlaces(const Input& input, const Forest& forest);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_PLACES_H_
