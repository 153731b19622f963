// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOUND_CHANGED_CODE_H_
#define ROOFMARK_LIB_FOUND_CHANGED_CODE_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lib/found/executed.h"

namespace roofmark {

// Which code two executions of a program did not execute equally often: by the places in it, since
// each execution may be cut into other blocks.
class ChangedCode {
 public:
  // Both sums of their processes.
  ChangedCode(const Executed& before, std::span<const Executed* const> after);

  // Of these bytes of a module's code: the share by which executions of each differ, of the larger
  // number, summed. 0: all alike; `bytes`: none of it was executed in one of both.
  double DifferingBytes(const std::string& file, uint64_t begin, uint32_t bytes) const;

 private:
  struct Stretch {
    uint64_t begin = 0;  // its end is where the next one begins
    double share = 0;
  };
  std::map<std::string, std::vector<Stretch>> by_file_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_CHANGED_CODE_H_
