// SPDX-License-Identifier: BSD-3-Clause
//
// Functions by their names as regions (ROOFMARK_FUNCTIONS).
#ifndef ROOFMARK_COLLECTORS_COUNTING_FUNCTIONS_PLAN_H_
#define ROOFMARK_COLLECTORS_COUNTING_FUNCTIONS_PLAN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "lib/core/function_choice.h"
#include "lib/found/nest_plan.h"

namespace roofmark::counting {

inline constexpr size_t kMostFunctions = 1000;

struct LoadedFile {
  std::string path;       // without links, as it is mapped
  std::string opened_as;  // as the loader knows it; libraries are opened by links
  bool is_executable = false;
};

// The executable and the libraries that this process has loaded.
std::vector<LoadedFile> LoadedFiles();

struct FunctionPlan {
  NestPlan plan;
  std::vector<std::string> notes;  // what was not found or left out, a clause each
};

// A function has its parts (cold code, clones, bodies of OpenMP constructs) in its region. Names
// are those of the symbols in the files, and the same as the source has them; what chooses a
// function at load (ifunc) is none. Reads the files that patterns choose, and no debug information.
FunctionPlan PlanFunctions(const FunctionChoice& choice, const std::vector<LoadedFile>& loaded);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_FUNCTIONS_PLAN_H_
