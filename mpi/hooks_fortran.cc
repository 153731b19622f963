// SPDX-License-Identifier: BSD-3-Clause
//
// The Fortran spellings: every compiler's mangling of mpif.h and `use mpi`, and the names that both
// MPIs give to `use mpi_f08`. Arguments are pointers; mpi_f08's ierror may be null.
#include "mpi/hooks.h"

namespace roofmark::mpi {
namespace {

using InitFunction = void(int*);
using InitThreadFunction = void(const int*, int*, int*);
using FinalizeFunction = void(int*);

void Fail(int* error) {
  if (error != nullptr) *error = kNoMpi;
}

void Init(InitFunction* next, int* error) noexcept {
  if (next == nullptr) return Fail(error);
  int code = 0;
  BeforeInit();
  next(error == nullptr ? &code : error);
  AfterInit(error == nullptr ? code : *error);
}

void InitThread(InitThreadFunction* next, const int* required, int* provided, int* error) noexcept {
  if (next == nullptr) return Fail(error);
  int code = 0;
  BeforeInit();
  next(required, provided, error == nullptr ? &code : error);
  AfterInit(error == nullptr ? code : *error);
}

void Finalize(FinalizeFunction* next, int* error) noexcept {
  if (next == nullptr) return Fail(error);
  BeforeFinalize();
  next(error);
}

}  // namespace
}  // namespace roofmark::mpi

#define ROOFMARK_FORTRAN_HOOKS(init, init_thread, finalize)                        \
  ROOFMARK_HOOK void init(int* error) {                                            \
    using namespace roofmark::mpi;                                                 \
    static auto* const next = NextOrComplain<InitFunction>(#init);                 \
    Init(next, error);                                                             \
  }                                                                                \
  ROOFMARK_HOOK void init_thread(const int* required, int* provided, int* error) { \
    using namespace roofmark::mpi;                                                 \
    static auto* const next = NextOrComplain<InitThreadFunction>(#init_thread);    \
    InitThread(next, required, provided, error);                                   \
  }                                                                                \
  ROOFMARK_HOOK void finalize(int* error) {                                        \
    using namespace roofmark::mpi;                                                 \
    static auto* const next = NextOrComplain<FinalizeFunction>(#finalize);         \
    Finalize(next, error);                                                         \
  }

ROOFMARK_FORTRAN_HOOKS(mpi_init, mpi_init_thread, mpi_finalize)
ROOFMARK_FORTRAN_HOOKS(mpi_init_, mpi_init_thread_, mpi_finalize_)
ROOFMARK_FORTRAN_HOOKS(mpi_init__, mpi_init_thread__, mpi_finalize__)
ROOFMARK_FORTRAN_HOOKS(MPI_INIT, MPI_INIT_THREAD, MPI_FINALIZE)
ROOFMARK_FORTRAN_HOOKS(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_)
