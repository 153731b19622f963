// SPDX-License-Identifier: BSD-3-Clause
//
// What names of regions and of operations may be, and the paths that they make: one rule for the
// markers, the spool, the merge and the readers of files.
#ifndef ROOFMARK_LIB_PROFILE_REGION_NAME_H_
#define ROOFMARK_LIB_PROFILE_REGION_NAME_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace roofmark {

inline constexpr std::string_view kUnnamed = "(unnamed)";
// Rows of reports that are no regions: see lib/profile/whole.h.
inline constexpr std::string_view kOutsideName = "(outside)", kProgramName = "(program)";

// The name that `given` becomes. Every text becomes one, and a name stays what it is. A text that
// is empty or blank becomes "(unnamed)", "(program)" becomes "region (program)", and so does
// "(outside)". Control characters and bytes that are not UTF-8 become \xHH. A text beyond
// limits::kNameBytes is cut at its end, which then has a checksum of the whole: different texts
// stay different.
std::string RegionName(std::string_view given);
// True if RegionName() would return the same: no allocation.
bool IsRegionName(std::string_view text);

// Escapes '/' and '\' in a region's name; the pieces of a path are joined by '/'.
std::string EscapeRegionName(std::string_view name);
// The path of the region `name` (not escaped) below `parent`.
std::string JoinPath(std::string_view parent, std::string_view name);
// The path without its last region; empty for a root.
std::string_view ParentPath(std::string_view path);
// The last region's name, unescaped.
std::string LeafName(std::string_view path);
// 0 for a root.
size_t PathDepth(std::string_view path);

// Why a text cannot be the path of a region, as a continuation of "PLACE ": "has 5000 bytes; ...".
// Empty if it can.
std::string WhyNoPath(std::string_view path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_REGION_NAME_H_
