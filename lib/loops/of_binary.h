// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_OF_BINARY_H_
#define ROOFMARK_LIB_LOOPS_OF_BINARY_H_

#include "lib/binary/binary.h"
#include "lib/loops/inlined.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

// What a file says of its code; blocks and edges are to be added. Valid as long as the file lives.
Input InputOf(binary::Binary& file);
InlinedSources InlinedSourcesOf(binary::Binary& file);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_OF_BINARY_H_
