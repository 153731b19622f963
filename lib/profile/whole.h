// SPDX-License-Identifier: BSD-3-Clause
//
// The program as a whole, from its start to its end, and what of it lies outside of all regions.
// They are no regions: nothing that adds regions up, or ranks them, sees them.
#ifndef ROOFMARK_LIB_PROFILE_WHOLE_H_
#define ROOFMARK_LIB_PROFILE_WHOLE_H_

#include <cstddef>
#include <cstdint>

#include "lib/profile/profile.h"

namespace roofmark {

// Rows of JobProfile::whole, in the order of their names.
enum class WholeRow : uint8_t { kOutside, kProgram };
inline constexpr size_t kWholeRows = 2;

// The rows as the paths of a profile of their own, which is analysed as any other. Without paths
// where nothing is known of them.
JobProfile WholeOf(const JobProfile& job);

// Nothing is left where one of the two does not know: sums would lack its ranks.
void MergeWhole(CellTable& into, const CellTable& other);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_WHOLE_H_
