// SPDX-License-Identifier: BSD-3-Clause
//
// Whole files: read, and written so that a reader never sees half of one and no existing file is
// replaced by accident.
#ifndef ROOFMARK_LIB_CORE_FILE_H_
#define ROOFMARK_LIB_CORE_FILE_H_

#include <string>
#include <string_view>

#include "lib/core/result.h"

namespace roofmark {

// Errors: "FILE: No such file or directory" and the like.
Result<std::string> ReadFile(const std::string& path);

// "dir/run.json" with ".1" -> "dir/run.1.json"; at the end of a name without extension.
std::string BeforeExtension(const std::string& path, std::string_view text);

enum class IfExists {
  kRefuse,  // error "FILE exists already; ..."
  kReplace,
  kRename,  // write to FILE with .1, .2 ... before its extension instead
};

// Writes to a temporary name beside `path`, syncs and renames. Returns the name written.
Result<std::string> WriteFile(const std::string& path, std::string_view content, IfExists policy);

// Gives a whole file its name, as WriteFile does. On error it stays where it is.
Result<std::string> Publish(const std::string& temporary, const std::string& path, IfExists policy);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FILE_H_
