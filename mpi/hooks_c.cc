// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Init, MPI_Init_thread and MPI_Finalize, and their PMPI names: another tool's wrapper that
// stands before us calls those, and so does Open MPI's Fortran.
#include "mpi/hooks.h"

namespace roofmark::mpi {
namespace {

using InitFunction = int(int*, char***);
using InitThreadFunction = int(int*, char***, int, int*);
using FinalizeFunction = int();

int Init(InitFunction* next, int* argc, char*** argv) noexcept {
  if (next == nullptr) return kNoMpi;
  BeforeInit();
  const int code = next(argc, argv);
  AfterInit(code);
  return code;
}

int InitThread(InitThreadFunction* next, int* argc, char*** argv, int required,
               int* provided) noexcept {
  if (next == nullptr) return kNoMpi;
  BeforeInit();
  const int code = next(argc, argv, required, provided);
  AfterInit(code);
  return code;
}

int Finalize(FinalizeFunction* next) noexcept {
  if (next == nullptr) return kNoMpi;
  BeforeFinalize();
  return next();
}

}  // namespace
}  // namespace roofmark::mpi

#define ROOFMARK_C_HOOKS(P)                                                                     \
  ROOFMARK_HOOK int P##MPI_Init(int* argc, char*** argv) {                                      \
    using namespace roofmark::mpi;                                                              \
    static auto* const next = NextOrComplain<InitFunction>(#P "MPI_Init");                      \
    return Init(next, argc, argv);                                                              \
  }                                                                                             \
  ROOFMARK_HOOK int P##MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {  \
    using namespace roofmark::mpi;                                                              \
    static auto* const next = NextOrComplain<InitThreadFunction>(#P "MPI_Init_thread");         \
    return InitThread(next, argc, argv, required, provided);                                    \
  }                                                                                             \
  ROOFMARK_HOOK int P##MPI_Finalize() {                                                         \
    using namespace roofmark::mpi;                                                              \
    static auto* const next = NextOrComplain<FinalizeFunction>(#P "MPI_Finalize");              \
    return Finalize(next);                                                                      \
  }

ROOFMARK_C_HOOKS()
ROOFMARK_C_HOOKS(P)
