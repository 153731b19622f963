// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_UNIQUE_NAMES_H_
#define ROOFMARK_LIB_CORE_UNIQUE_NAMES_H_

#include <set>
#include <string>

namespace roofmark {

// Names of which no two are alike.
class UniqueNames {
 public:
  // `name` if nobody took it before, else with a number from 2 on: "sum", then "sum 2", or with
  // brackets "sum (2)".
  std::string Take(const std::string& name, const char* before = " ", const char* after = "") {
    std::string own = name;
    for (int number = 2; !taken_.insert(own).second; ++number) {
      own = name + before + std::to_string(number) + after;
    }
    return own;
  }

 private:
  std::set<std::string> taken_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_UNIQUE_NAMES_H_
