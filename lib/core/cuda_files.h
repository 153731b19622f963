// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_CUDA_FILES_H_
#define ROOFMARK_LIB_CORE_CUDA_FILES_H_

#include <span>
#include <string>
#include <vector>

namespace roofmark {

// Where a library of the CUDA toolkit may be, to be tried one after the other: each name where the
// loader looks, then in these places of $CUDA_HOME, $CUDA_PATH and /usr/local/cuda.
std::vector<std::string> CudaFiles(std::span<const char* const> names,
                                   std::span<const char* const> places);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CUDA_FILES_H_
