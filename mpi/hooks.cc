// SPDX-License-Identifier: BSD-3-Clause
//
// MPI's start and end, interposed. Signatures without handles are the same in every MPI, so mpi.h
// is not needed; each hook calls the next definition of its own name, so other tools keep working.
#include "lib/core/clock.h"
#include "lib/core/inside.h"
#include "markers/runtime/runtime.h"
#include "mpi/library.h"
#include "mpi/session.h"

#define ROOFMARK_HOOK extern "C" __attribute__((visibility("default")))

namespace {

using roofmark::Inside;
using roofmark::Ticks;
using roofmark::TicksBetween;
using roofmark::mpi::Next;
using roofmark::mpi::OnFinalizing;
using roofmark::mpi::OnInitialised;
using roofmark::mpi::OnInitialising;
using roofmark::mpi::OnNotInitialised;

constexpr int kSuccess = 0;        // MPI_SUCCESS, in every MPI
constexpr int kUnknownError = 14;  // reported if no MPI library follows; not MPI_SUCCESS

// What roofmark does before and after MPI's own function.
void Ours(void (*step)() noexcept) {
  const Inside inside;
  if (inside) step();
}

// MPI's own initialisation is time inside MPI. Where Fortran's calls C's, the inner one counts:
// what roofmark does after it is no time of MPI's.
class TimeInside {
 public:
  TimeInside() { t_inner_ = false; }
  ~TimeInside() {
    if (!t_inner_) roofmark::runtime::AddMpiTime(TicksBetween(begin_, Ticks()));
    t_inner_ = true;
  }
  TimeInside(const TimeInside&) = delete;
  TimeInside& operator=(const TimeInside&) = delete;

 private:
  static thread_local bool t_inner_;
  const uint64_t begin_ = Ticks();
};
thread_local bool TimeInside::t_inner_ = false;

// What the next definition of a name returns.
template <typename Function, typename... Arguments>
auto Timed(Function next, Arguments... arguments) {
  const TimeInside time;
  return next(arguments...);
}

int Initialised(int result) {
  Ours(result == kSuccess ? &OnInitialised : &OnNotInitialised);
  return result;
}

int Init(const char* name, int* argc, char*** argv) {
  Ours(&OnInitialising);
  const auto next = Next<int(int*, char***)>(name);
  return Initialised(next == nullptr ? kUnknownError : Timed(next, argc, argv));
}

int InitThread(const char* name, int* argc, char*** argv, int required, int* provided) {
  Ours(&OnInitialising);
  const auto next = Next<int(int*, char***, int, int*)>(name);
  return Initialised(next == nullptr ? kUnknownError : Timed(next, argc, argv, required, provided));
}

int Finalize(const char* name) {
  Ours(&OnFinalizing);
  const auto next = Next<int()>(name);
  return next == nullptr ? kUnknownError : next();
}

// Fortran's ierror is optional in mpi_f08.
void FortranInit(const char* name, int* error) {
  Ours(&OnInitialising);
  int own_error = kUnknownError;
  int* result = error == nullptr ? &own_error : error;
  if (const auto next = Next<void(int*)>(name)) Timed(next, result);
  Initialised(*result);
}

void FortranInitThread(const char* name, int* required, int* provided, int* error) {
  Ours(&OnInitialising);
  int own_error = kUnknownError;
  int* result = error == nullptr ? &own_error : error;
  if (const auto next = Next<void(int*, int*, int*)>(name)) {
    Timed(next, required, provided, result);
  }
  Initialised(*result);
}

void FortranFinalize(const char* name, int* error) {
  Ours(&OnFinalizing);
  int own_error = kUnknownError;
  if (const auto next = Next<void(int*)>(name)) next(error == nullptr ? &own_error : error);
}

}  // namespace

// PMPI_* too: a tool that is called before roofmark wraps MPI_Init and calls PMPI_Init.
#define ROOFMARK_C(init, init_thread, finalize)                                         \
  ROOFMARK_HOOK int init(int* argc, char*** argv) { return Init(#init, argc, argv); }   \
  ROOFMARK_HOOK int init_thread(int* argc, char*** argv, int required, int* provided) { \
    return InitThread(#init_thread, argc, argv, required, provided);                    \
  }                                                                                     \
  ROOFMARK_HOOK int finalize() { return Finalize(#finalize); }

ROOFMARK_C(MPI_Init, MPI_Init_thread, MPI_Finalize)
ROOFMARK_C(PMPI_Init, PMPI_Init_thread, PMPI_Finalize)

// The spellings that Fortran compilers give to one name, and mpi_f08's.
#define ROOFMARK_FORTRAN(init, init_thread, finalize)                        \
  ROOFMARK_HOOK void init(int* error) { FortranInit(#init, error); }         \
  ROOFMARK_HOOK void init_thread(int* required, int* provided, int* error) { \
    FortranInitThread(#init_thread, required, provided, error);              \
  }                                                                          \
  ROOFMARK_HOOK void finalize(int* error) { FortranFinalize(#finalize, error); }

ROOFMARK_FORTRAN(mpi_init, mpi_init_thread, mpi_finalize)
ROOFMARK_FORTRAN(mpi_init_, mpi_init_thread_, mpi_finalize_)
ROOFMARK_FORTRAN(mpi_init__, mpi_init_thread__, mpi_finalize__)
ROOFMARK_FORTRAN(MPI_INIT, MPI_INIT_THREAD, MPI_FINALIZE)
ROOFMARK_FORTRAN(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_)
