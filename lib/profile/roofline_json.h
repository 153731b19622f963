// SPDX-License-Identifier: BSD-3-Clause
//
// The roofline file as text: versioned JSON, described by docs/roofline.schema.json. Unknown newer
// fields are ignored; a newer major version is refused with a sentence that says so.
#ifndef ROOFMARK_LIB_PROFILE_ROOFLINE_JSON_H_
#define ROOFMARK_LIB_PROFILE_ROOFLINE_JSON_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"
#include "lib/profile/hot_loops.h"
#include "lib/profile/profile.h"

namespace roofmark {

struct RooflineFile {
  JobProfile job;
  std::vector<std::string> machines;  // embedded machine files: one of each kind of node known
  HotLoops hot = {};                  // of the whole job; empty where nobody looked
};

inline constexpr int kRooflineVersion = 1;

// Pretty-printed, keys in a stable order, numbers never NaN or inf. A text of
// `file.machines` that is no JSON object is left out. Paths beyond what readers take
// (lib/core/limits.h) are left out, and a warning in the file says so.
std::string RooflineToJson(const RooflineFile& file);

// `name` is the file's name for error messages: "FILE is no roofline file: ...", "FILE ends in the
// middle (byte N): ...", "FILE is of version 2; this roofmark reads up to 1: ...".
Result<RooflineFile> RooflineFromJson(std::string_view text, const std::string& name);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_ROOFLINE_JSON_H_
