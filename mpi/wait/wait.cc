// SPDX-License-Identifier: BSD-3-Clause
//
// libroofmark_mpi_wait.so: time inside MPI, by region. Linked before libmpi or preloaded beside
// libroofmark.so, it stands in front of the calls of calls.h, in C and in Fortran.
//
// One library serves every MPI: arguments are handed on as the machine words they came in. All of
// them are integers or pointers, and on the 64-bit Linux ABIs each takes one register or one stack
// slot, whether a handle is an int (MPICH) or a pointer (Open MPI). So nothing depends on whose
// mpi.h this was compiled with, and the wrong one cannot be preloaded.
//
// The next definition of each name is called, not PMPI's, so that other tools keep working. Open
// MPI's Fortran functions call PMPI, MPICH's call MPI: only the outermost call of a thread counts.
// Cost of a call: two readings of the clock and one addition in thread-local memory; with hardware
// counters, two readings of them as well; with samples, a look at the addresses to which the
// callers return.
#include <dlfcn.h>

#include <atomic>
#include <cstdint>

#include "lib/core/clock.h"
#include "lib/core/follow_layer.h"
#include "lib/core/stack_bounds.h"
#include "mpi/next_symbol.h"
#include "mpi/wait/calls.h"

#define ROOFMARK_WRAPPER extern "C" __attribute__((visibility("default")))

// Of libroofmark.so; missing where the program runs without.
extern "C" __attribute__((weak)) void roofmark_mpi_time(uint64_t ticks, const void* frame,
                                                        const void* caller);

namespace {

using Word = uintptr_t;
static_assert(sizeof(Word) == 8, "the arguments of 32-bit ABIs are not one word each");

constexpr Word kUnknownError = 14;  // if no MPI library follows; not MPI_SUCCESS

// The outermost call of this thread: a word of its frame, and what that holds while the call lasts.
// longjmp leaves a call without a trace, so it is asked for at every call from below it.
struct Outermost {
  const volatile uint64_t* word;  // nullptr: none
  uint64_t content;
};
__thread Outermost t_outermost __attribute__((tls_model("initial-exec"))) = {nullptr, 0};

// The calling thread is in an MPI call already. What lies below the frame that asks has ended;
// above it another frame may have taken the place of one that has ended. A stack that is not the
// thread's may be gone altogether: it is not read.
bool IsInside(const void* frame) {
  const auto word = reinterpret_cast<uintptr_t>(t_outermost.word);
  const auto here = reinterpret_cast<uintptr_t>(frame);
  if (__builtin_expect(word == 0, 1) || word < here) return false;
  const roofmark::StackBounds& stack = roofmark::StackBoundsOfThisThread();
  return !stack.Has(here) || !stack.Has(word) || *t_outermost.word == t_outermost.content;
}

// One call, also where it is left by an exception or by cancellation.
class Outer {
 public:
  Outer(const void* frame, const void* caller)
      : frame_(frame), caller_(caller), start_(roofmark::Ticks()) {
    t_outermost = {&start_, start_};
  }
  ~Outer() {
    const uint64_t ticks = roofmark::TicksBetween(start_, roofmark::Ticks());
    start_ = 0;
    t_outermost = {nullptr, 0};
    roofmark::FollowBack(before_);
    roofmark_mpi_time(ticks, frame_, caller_);
  }
  Outer(const Outer&) = delete;
  Outer& operator=(const Outer&) = delete;

 private:
  // What longjmp left is no call any more.
  static uint32_t EnterCall() {
    const uint32_t before = roofmark::FollowInto(roofmark::Layer::kMpi);
    return before == kMpi ? static_cast<uint32_t>(roofmark::Layer::kWork) : before;
  }
  static constexpr auto kMpi = static_cast<uint32_t>(roofmark::Layer::kMpi);

  const void *const frame_, *const caller_;
  const uint32_t before_ = EnterCall();
  volatile uint64_t start_;
};

// The next definition of one name.
struct Next {
  const char* const name;
  std::atomic<void*> function{nullptr};

  void* Get() {
    void* known = function.load(std::memory_order_relaxed);
    if (__builtin_expect(known == nullptr, 0)) {
      known = roofmark::mpi::NextSymbol(name);
      function.store(known, std::memory_order_relaxed);
    }
    return known;
  }
};

// `caller`: the address to which the wrapper returns.
template <typename... Words>
Word Timed(const void* caller, Next& next, Words... words) {
  const auto call = reinterpret_cast<Word (*)(Words...)>(next.Get());
  if (__builtin_expect(call == nullptr, 0)) return kUnknownError;
  if (roofmark_mpi_time == nullptr || IsInside(__builtin_frame_address(0))) {
    return call(words...);
  }
  const Outer outer(__builtin_frame_address(0), caller);
  return call(words...);
}

// Where MPI is loaded behind this library, its calls will come here. MPI that a program has linked
// into itself is not seen, and one that is loaded later announces itself by its first call.
__attribute__((constructor)) void Announce() {
  if (roofmark_mpi_time == nullptr || dlsym(RTLD_NEXT, "PMPI_Barrier") == nullptr) return;
  roofmark_mpi_time(0, nullptr, nullptr);
}

}  // namespace

#define ROOFMARK_PARAMS_1 Word a
#define ROOFMARK_PARAMS_2 ROOFMARK_PARAMS_1, Word b
#define ROOFMARK_PARAMS_3 ROOFMARK_PARAMS_2, Word c
#define ROOFMARK_PARAMS_4 ROOFMARK_PARAMS_3, Word d
#define ROOFMARK_PARAMS_5 ROOFMARK_PARAMS_4, Word e
#define ROOFMARK_PARAMS_6 ROOFMARK_PARAMS_5, Word f
#define ROOFMARK_PARAMS_7 ROOFMARK_PARAMS_6, Word g
#define ROOFMARK_PARAMS_8 ROOFMARK_PARAMS_7, Word h
#define ROOFMARK_PARAMS_9 ROOFMARK_PARAMS_8, Word i
#define ROOFMARK_PARAMS_10 ROOFMARK_PARAMS_9, Word j
#define ROOFMARK_PARAMS_11 ROOFMARK_PARAMS_10, Word k
#define ROOFMARK_PARAMS_12 ROOFMARK_PARAMS_11, Word l
#define ROOFMARK_ARGS_1 a
#define ROOFMARK_ARGS_2 ROOFMARK_ARGS_1, b
#define ROOFMARK_ARGS_3 ROOFMARK_ARGS_2, c
#define ROOFMARK_ARGS_4 ROOFMARK_ARGS_3, d
#define ROOFMARK_ARGS_5 ROOFMARK_ARGS_4, e
#define ROOFMARK_ARGS_6 ROOFMARK_ARGS_5, f
#define ROOFMARK_ARGS_7 ROOFMARK_ARGS_6, g
#define ROOFMARK_ARGS_8 ROOFMARK_ARGS_7, h
#define ROOFMARK_ARGS_9 ROOFMARK_ARGS_8, i
#define ROOFMARK_ARGS_10 ROOFMARK_ARGS_9, j
#define ROOFMARK_ARGS_11 ROOFMARK_ARGS_10, k
#define ROOFMARK_ARGS_12 ROOFMARK_ARGS_11, l

#define ROOFMARK_WRAP_C(call, n)                                        \
  ROOFMARK_WRAPPER Word call(ROOFMARK_PARAMS_##n) {                     \
    static Next next{#call};                                            \
    return Timed(__builtin_return_address(0), next, ROOFMARK_ARGS_##n); \
  }
// One argument more: ierror, last.
#define ROOFMARK_WRAP_F(call, n)                                         \
  ROOFMARK_WRAPPER void call(ROOFMARK_PARAMS_##n, Word ierror) {         \
    static Next next{#call};                                             \
    Timed(__builtin_return_address(0), next, ROOFMARK_ARGS_##n, ierror); \
  }

// The spellings that Fortran compilers give to one name, and mpi_f08's: with a choice buffer,
// MPICH's take a descriptor and are called f08ts.
#define ROOFMARK_WRAP(call, lower, upper, n) \
  ROOFMARK_WRAP_C(call, n)                   \
  ROOFMARK_WRAP_F(lower, n)                  \
  ROOFMARK_WRAP_F(lower##_, n)               \
  ROOFMARK_WRAP_F(lower##__, n)              \
  ROOFMARK_WRAP_F(lower##_f08_, n)           \
  ROOFMARK_WRAP_F(lower##_f08ts_, n)         \
  ROOFMARK_WRAP_F(upper, n)
#define ROOFMARK_WRAP_LARGE(call, lower, upper, n) \
  ROOFMARK_WRAP(call, lower, upper, n)             \
  ROOFMARK_WRAP_C(call##_c, n)

ROOFMARK_MPI_CALLS(ROOFMARK_WRAP, ROOFMARK_WRAP_LARGE)
