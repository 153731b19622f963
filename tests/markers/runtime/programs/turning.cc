// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that are visited often, of known FLOPs and with a held clock; the first argument chooses.
// Built without optimisation of Add(), so that one call is one addition an iteration.
#include "tests/markers/runtime/programs/turning.h"

#include <roofmark/roofmark.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/support/held_clock.h"

// As MPI's wrappers report the time inside it.
extern "C" void roofmark_mpi_time(uint64_t ticks, const void* frame, const void* caller);

namespace {

using namespace roofmark::test;

constexpr int kPages = 1024, kPageBytes = 4096;

volatile double g_one = 1.0, g_two = 2.0;
volatile double g_sink;

// n scalar double additions, each of which waits for the one before it.
[[gnu::noinline]] void Add(uint64_t n) {
  double sum = 0;
  const double one = g_one;
  for (uint64_t i = 0; i < n; ++i) {
    sum += one;
    asm volatile("" : "+x"(sum));
  }
  g_sink = sum;
}

double AddOne(double sum) { return sum + g_one; }
double AddTwo(double sum) { return sum + g_two; }
double (*volatile g_calls[2])(double) = {AddOne, AddTwo};

// A call through a pointer for each addition.
[[gnu::noinline]] void Call(uint64_t n) {
  double sum = 0;
  for (uint64_t i = 0; i < n; ++i) sum = g_calls[i & 1](sum);
  g_sink = sum;
}

// In the execution that times alone no visit takes longer.
const bool kInTurns = [] {
  const char* visits = std::getenv("ROOFMARK_VISITS");
  return visits != nullptr && std::string_view(visits) == "in-turns";
}();

// Called before the visit begins, so that all visits of a region execute the same.
[[gnu::noinline]] uint64_t NsOf(uint64_t visit, const Lasting& lasting) {
  const bool counted = IsCounted(visit) || (lasting.CostsLittle() && IsBoth(visit));
  return kInTurns && counted ? lasting.Counted() : lasting.ns;
}

// Inside a region that is visited once.
void Even() {
  ROOF_REGION_BEGIN("once");
  Add(1000);
  held_clock_pass(kOnceNs);
  for (uint64_t i = 0; i < kEvenVisits; ++i) {
    const uint64_t cheap = NsOf(i, kCheap), costly = NsOf(i, kCostly), inner = NsOf(i, kInner);
    ROOF_REGION_BEGIN("cheap");
    Add(20000);
    held_clock_pass(cheap);
    ROOF_REGION_END("cheap");
    ROOF_REGION_BEGIN("costly");
    Call(5000);
    held_clock_pass(costly);
    ROOF_REGION_BEGIN("inner");
    Add(1000);
    held_clock_pass(inner);
    ROOF_REGION_END("inner");
    ROOF_REGION_END("costly");
  }
  ROOF_REGION_END("once");
}

// Every visit has another number of additions; their mean is 2000.
void Uneven() {
  for (uint64_t i = 0; i < kUnevenVisits; ++i) {
    const uint64_t ns = NsOf(i, UnevenOf(i));
    ROOF_REGION_BEGIN("uneven");
    Call(AddsOf(i));
    held_clock_pass(ns);
    ROOF_REGION_END("uneven");
  }
}

// One region is visited twice, one inside it once.
void Seldom() {
  for (int i = 0; i < 2; ++i) {
    ROOF_REGION_BEGIN("twice");
    Add(1000);
    held_clock_pass(kMs);
    if (i == 0) {
      ROOF_REGION_BEGIN("once");
      Add(500);
      held_clock_pass(kMs);
      ROOF_REGION_END("once");
    }
    ROOF_REGION_END("twice");
  }
}

// The first visit does most of the work.
void Grids() {
  for (uint64_t i = 0; i < kGridVisits; ++i) {
    const uint64_t ns = i == 0 ? kFirstGridNs : NsOf(i, kGrid);
    ROOF_REGION_BEGIN("grid");
    Call(i == 0 ? 400000 : 2000);
    held_clock_pass(ns);
    ROOF_REGION_END("grid");
  }
}

// Visited twice, the first time much longer than all else; inside, a region that has one visit and
// then many, and one that comes late.
void Cold() {
  for (uint64_t i = 0; i < 2; ++i) {
    const uint64_t ns = i == 0 ? kFirstColdNs : NsOf(i, kCold);
    const uint64_t inner = NsOf(i, kInCold), late = NsOf(i, kLate);
    ROOF_REGION_BEGIN("cold");
    Call(i == 0 ? 400000 : 2000);
    held_clock_pass(ns);
    for (uint64_t j = 0; j < (i == 0 ? 1 : kInnerInSecond); ++j) {
      ROOF_REGION_BEGIN("inner");
      Add(1000);
      held_clock_pass(inner);
      ROOF_REGION_END("inner");
    }
    if (i == 1) {
      ROOF_REGION_BEGIN("late");
      Add(100000);
      held_clock_pass(late);
      ROOF_REGION_END("late");
    }
    ROOF_REGION_END("cold");
  }
}

// As Grids, but with time inside MPI.
void Waits() {
  roofmark_mpi_time(0, nullptr, nullptr);
  for (uint64_t i = 0; i < kGridVisits; ++i) {
    const uint64_t ns = i == 0 ? kFirstWaitNs : NsOf(i, kWait);
    ROOF_REGION_BEGIN("waits");
    Call(2000);
    held_clock_pass(ns);
    roofmark_mpi_time(i == 0 ? kFirstMpiNs : ns, nullptr, nullptr);
    ROOF_REGION_END("waits");
  }
}

void Touch(volatile char* pages) {
  for (int i = 0; i < kPages; ++i) pages[i * kPageBytes] = 1;
}

char* NewPages() {
  constexpr size_t kBytes = size_t{kPages} * kPageBytes;
  void* pages = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) std::exit(1);
  madvise(pages, kBytes, MADV_NOHUGEPAGE);
  return static_cast<char*>(pages);
}

// One region touches the same memory in each visit, one other memory.
void Touches() {
  char* same = NewPages();
  for (int i = 0; i < 20; ++i) {
    ROOF_REGION_BEGIN("same");
    Touch(same);
    Call(2000);
    held_clock_pass(kMs);
    ROOF_REGION_END("same");
    char* other = NewPages();
    ROOF_REGION_BEGIN("other");
    Touch(other);
    Call(2000);
    held_clock_pass(kMs);
    ROOF_REGION_END("other");
    munmap(other, size_t{kPages} * kPageBytes);
  }
}

// Threads of a team, and a region of the main thread alone.
void Team() {
  for (uint64_t i = 0; i < kEvenVisits; ++i) {
    const uint64_t ns = NsOf(i, kInner);
    ROOF_REGION_BEGIN("team");
#pragma omp parallel num_threads(2)
    {
      Add(10000);
      ROOF_REGION_BEGIN("own");
      Add(1000);
      ROOF_REGION_END("own");
    }
    held_clock_pass(ns);
    ROOF_REGION_END("team");
    ROOF_REGION_BEGIN("alone");
    Call(10000);
    held_clock_pass(ns);
    ROOF_REGION_END("alone");
  }
}

// Each visit inside another of its own.
void Nest(int depth) {
  ROOF_REGION_BEGIN("nest");
  Add(1000);
  held_clock_pass(kMs);
  if (depth > 1) Nest(depth - 1);
  ROOF_REGION_END("nest");
}

void Recursive() {
  for (int i = 0; i < 9; ++i) Nest(3);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "even";
  held_clock_reading_ns = 0;
  if (mode == "even") Even();
  if (mode == "uneven") Uneven();
  if (mode == "seldom") Seldom();
  if (mode == "grids") Grids();
  if (mode == "cold") Cold();
  if (mode == "waits") Waits();
  if (mode == "touches") Touches();
  if (mode == "team") Team();
  if (mode == "recursive") Recursive();
  held_clock_reading_ns = 1;
  std::puts("done");
  return 0;
}
