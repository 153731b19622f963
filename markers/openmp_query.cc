// SPDX-License-Identifier: BSD-3-Clause
#include "markers/openmp_query.h"

#include <dlfcn.h>

#include <algorithm>

namespace roofmark::markers {

void OpenMpQuery::Find() noexcept {
  level_ = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "omp_get_level"));
  threads_ = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
}

uint32_t OpenMpQuery::Threads() noexcept {
  Find();
  const Query threads = threads_.load(std::memory_order_relaxed);
  return threads == nullptr ? 1 : static_cast<uint32_t>(std::max(threads(), 1));
}

}  // namespace roofmark::markers
