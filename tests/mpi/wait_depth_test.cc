// SPDX-License-Identifier: BSD-3-Clause
//
// Which calls the library counts that times MPI: outermost ones, in however many ways they end.
// Here another library stands for MPI's.
#include <gtest/gtest.h>
#include <pthread.h>
#include <setjmp.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

#include "lib/core/layer.h"
#include "tests/support/sanitizers.h"

extern "C" {
int MPI_Barrier(void (*meanwhile)());
void mpi_barrier_(void (*meanwhile)(), int* error);
__attribute__((visibility("default"))) void roofmark_mpi_time(uint64_t ticks, const void* frame,
                                                              const void* caller);
__attribute__((visibility("default"))) uint32_t roofmark_layer(uint32_t layer);
}

namespace {

std::atomic<int> g_timed{0};
std::atomic<uintptr_t> g_returns_to{0};
thread_local auto t_layer = static_cast<uint32_t>(roofmark::Layer::kWork);

}  // namespace

// In the place of libroofmark.so's. Without time it is an announcement.
extern "C" void roofmark_mpi_time(uint64_t ticks, const void* frame, const void* caller) {
  if (ticks > 0) ++g_timed;
  if (frame != nullptr) g_returns_to = reinterpret_cast<uintptr_t>(caller);
}

extern "C" uint32_t roofmark_layer(uint32_t layer) { return std::exchange(t_layer, layer); }

namespace {

using roofmark::Layer;
Layer Here() { return static_cast<Layer>(t_layer); }

template <typename Calls>
int Timed(Calls calls) {
  const int before = g_timed;
  calls();
  EXPECT_EQ(Here(), Layer::kWork) << "what follows a call is the program's";
  return g_timed - before;
}

TEST(MpiWait, EachCallCountsOnce) {
  EXPECT_EQ(Timed([] {
              MPI_Barrier(nullptr);
              MPI_Barrier(nullptr);
            }),
            2);
}

// Where it begins itself.
__attribute__((noinline)) uintptr_t CallAndTellWhere(bool fortran) {
  int error = 1;
  if (fortran) {
    mpi_barrier_(nullptr, &error);
  } else {
    MPI_Barrier(nullptr);
  }
  asm volatile("" : : "r"(error) : "memory");
  return reinterpret_cast<uintptr_t>(&CallAndTellWhere);
}

TEST(MpiWait, TheCallerIsKnown) {
  for (const bool fortran : {false, true}) {
    g_returns_to = 0;
    const uintptr_t function = CallAndTellWhere(fortran);
    EXPECT_GT(g_returns_to, function) << fortran;
    EXPECT_LT(g_returns_to, function + 1000) << fortran;
  }
}

TEST(MpiWait, WhatIsExecutedInACallIsMpis) {
  static Layer seen[3];
  MPI_Barrier(+[] {
    seen[0] = Here();
    MPI_Barrier(+[] { seen[1] = Here(); });
    seen[2] = Here();
  });
  for (const Layer layer : seen) EXPECT_EQ(layer, Layer::kMpi);
  EXPECT_EQ(Here(), Layer::kWork);
  t_layer = static_cast<uint32_t>(Layer::kRuntime);
  MPI_Barrier(nullptr);
  EXPECT_EQ(Here(), Layer::kRuntime) << "a call returns to where it was made";
  t_layer = static_cast<uint32_t>(Layer::kWork);
}

TEST(MpiWait, CallsInsideOfACallDoNotCount) {
  const auto nested = +[] {
    MPI_Barrier(nullptr);
    MPI_Barrier(nullptr);
  };
  EXPECT_EQ(Timed([&] { MPI_Barrier(nested); }), 1);
  int error = 1;
  EXPECT_EQ(Timed([&] { mpi_barrier_(nested, &error); }), 1);
  EXPECT_EQ(error, 0);
}

TEST(MpiWait, AnExceptionEndsACall) {
  const auto throws = +[] { throw std::runtime_error("not MPI's"); };
  EXPECT_EQ(Timed([&] { EXPECT_THROW(MPI_Barrier(throws), std::runtime_error); }), 1);
  EXPECT_EQ(Timed([] { MPI_Barrier(nullptr); }), 1);
}

jmp_buf g_place;

// Uses the stack that was used before, as any work does.
__attribute__((noinline)) void CallFromBelow(size_t depth) {
  char used[512];
  std::memset(used, static_cast<int>(depth), sizeof used);
  asm volatile("" : : "r"(used) : "memory");
  depth == 0 ? static_cast<void>(MPI_Barrier(nullptr)) : CallFromBelow(depth - 1);
  asm volatile("" : : "r"(used) : "memory");
}

__attribute__((noinline)) void Leave() {
  if (setjmp(g_place) == 0) MPI_Barrier(+[] { longjmp(g_place, 1); });
}

TEST(MpiWait, ACallThatWasLeftByALongJumpHasEnded) {
  if (ROOFMARK_TEST_ASAN) GTEST_SKIP() << "variables are not on the stack that is used again";
  Leave();
  EXPECT_EQ(Timed([] { MPI_Barrier(nullptr); }), 1) << "from the same place";
  Leave();
  EXPECT_EQ(Timed([] { CallFromBelow(0); }), 1);
  Leave();
  EXPECT_EQ(Timed([] { CallFromBelow(20); }), 1) << "from far below the call that was left";
  EXPECT_EQ(Timed([] { MPI_Barrier(nullptr); }), 1);
}

TEST(MpiWait, CancellationEndsACall) {
  EXPECT_EQ(Timed([] {
              std::thread cancelled([] {
                MPI_Barrier(+[] {
                  pthread_cancel(pthread_self());
                  pthread_testcancel();
                });
              });
              cancelled.join();
            }),
            1);
}

TEST(MpiWait, EachThreadHasItsOwn) {
  EXPECT_EQ(Timed([] { MPI_Barrier(+[] { std::thread([] { MPI_Barrier(nullptr); }).join(); }); }),
            2);
}

}  // namespace
