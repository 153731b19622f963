// SPDX-License-Identifier: BSD-3-Clause
//
// What the processes of an execution wrote of samples and of executed code.
#ifndef ROOFMARK_COMMAND_RUN_FOUND_FILES_H_
#define ROOFMARK_COMMAND_RUN_FOUND_FILES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/programs.h"
#include "lib/core/result.h"
#include "lib/found/executed.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

// By rank. A command may start several programs: of each rank the file of `program`, or the largest
// one where none has its arguments. An error names the file.
Result<std::map<uint32_t, Samples>> ReadSamplesIn(const std::string& directory,
                                                  const std::optional<ProgramKey>& program);
Result<std::map<uint32_t, Executed>> ReadExecutedIn(const std::string& directory,
                                                    const std::optional<ProgramKey>& program);

template <typename T>
std::vector<T> ValuesOf(std::map<uint32_t, T> by_rank) {
  std::vector<T> values;
  for (auto& [rank, value] : by_rank) values.push_back(std::move(value));
  return values;
}

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_FOUND_FILES_H_
