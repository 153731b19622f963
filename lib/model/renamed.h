// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that have another name in another run: rules OLD=NEW of whole paths, or of the first
// regions of paths. `\=` is a = of a name.
#ifndef ROOFMARK_LIB_MODEL_RENAMED_H_
#define ROOFMARK_LIB_MODEL_RENAMED_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/result.h"

namespace roofmark {

class RenameMap {
 public:
  // The error is a clause about `rule`: "has no =; give OLD=NEW".
  Result<bool> Add(std::string_view rule);
  // A rule in each line; empty lines and those that begin with # are none. The error names the
  // line.
  Result<bool> AddLines(std::string_view text);

  // The path that `path` has in the other run: by the longest rule that fits.
  std::string Renamed(std::string_view path) const;
  // Rules, as given, whose OLD is in none of `paths`.
  std::vector<std::string> Unused(const std::vector<std::string>& paths) const;

 private:
  struct Rule {
    std::string old_path, new_path;
    bool Fits(std::string_view path) const;
  };
  std::vector<Rule> rules_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_RENAMED_H_
