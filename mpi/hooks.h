// SPDX-License-Identifier: BSD-3-Clause
//
// What every hook does around the call it stands for. The signatures hold no MPI handle, so they are
// the same in every ABI and mpi.h is not needed.
#ifndef ROOFMARK_MPI_HOOKS_H_
#define ROOFMARK_MPI_HOOKS_H_

#include <string>

#include "lib/core/log.h"
#include "mpi/chain.h"
#include "mpi/session.h"

#define ROOFMARK_HOOK extern "C" __attribute__((visibility("default")))

namespace roofmark::mpi {

// An error code of every MPI: neither has one for a missing library.
inline constexpr int kNoMpi = 1;

// The function that would have been called without us; looked up once per hook.
template <typename Function>
Function* NextOrComplain(const char* name) noexcept {
  Function* next = Next<Function>(name);
  if (next == nullptr) Complain(std::string(name) + " was called, but no MPI library is loaded");
  return next;
}

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_HOOKS_H_
