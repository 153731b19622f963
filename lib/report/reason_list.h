// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_REPORT_REASON_LIST_H_
#define ROOFMARK_LIB_REPORT_REASON_LIST_H_

#include <string>
#include <utility>
#include <vector>

#include "lib/model/value.h"

namespace roofmark {

// Why cells of a table are "-": each reason once, with the columns it concerns.
class ReasonList {
 public:
  // Nothing, if the value is there.
  void Note(const Value& value, const std::string& column);
  std::vector<std::string> Lines() const;

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason_;  // in order of sight
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_REASON_LIST_H_
