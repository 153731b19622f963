// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_NEST_NAMES_H_
#define ROOFMARK_LIB_LOOPS_NEST_NAMES_H_

#include <string>
#include <vector>

#include "lib/loops/nests.h"

namespace roofmark::loops {

// Gives every nest its name.
void NameNests(const Input& input, std::vector<Nest>& nests);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_NEST_NAMES_H_
