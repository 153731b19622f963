// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/branch_load.h"

#include <bit>

namespace roofmark {
namespace {

constexpr uint64_t kSeed = 0x9E3779B97F4A7C15, kAllBits = 0xFFFFFFFF, kEverySecond = 0x55555555;

#if defined(__x86_64__)
// Adds the bits of `word` that are set. A branch has 32 bytes of code of its own: more of them in a
// line of code than predictors have places for would cost something by themselves.
inline void AddBits(uint64_t word, uint64_t one, uint64_t& sum) {
  asm volatile(
      ".irp bit,0x1,0x2,0x4,0x8,0x10,0x20,0x40,0x80,0x100,0x200,0x400,0x800,0x1000,0x2000,0x4000,"
      "0x8000,0x10000,0x20000,0x40000,0x80000,0x100000,0x200000,0x400000,0x800000,0x1000000,"
      "0x2000000,0x4000000,0x8000000,0x10000000,0x20000000,0x40000000,0x80000000\n"
      ".balign 32\n"
      "testl $\\bit, %k[word]\n"
      "jz 1f\n"
      "add %[one], %[sum]\n"
      "1:\n"
      ".endr\n"
      : [sum] "+r"(sum)
      : [word] "r"(word), [one] "r"(one)
      : "cc");
}
#else
inline void AddBits(uint64_t word, uint64_t one, uint64_t& sum) {
  sum += one * static_cast<uint64_t>(std::popcount(word));
}
#endif

}  // namespace

bool HasBranchLoad() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

BranchLoad::BranchLoad(Outcomes outcomes)
    : bits_(outcomes == Outcomes::kRandom ? Bits{kSeed, kAllBits, 0}
                                          : Bits{kSeed, 0, kEverySecond}),
      before_(bits_) {}

uint64_t BranchLoad::Bits::Next() {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return ((state * 0x2545F4914F6CDD1D) >> 32 & random) | fixed;
}

// A number is made while the branches of the one before it are executed.
uint64_t BranchLoad::Branches(Bits& bits, uint64_t repeats) {
  uint64_t sum = 0, one = 1, word = bits.Next();
  asm volatile("" : "+r"(one));
  for (uint64_t i = 0; i < repeats; ++i) {
    uint64_t next = bits.Next();
    asm volatile("" : "+r"(next));
    AddBits(word, one, sum);
    word = next;
  }
  return sum;
}

void BranchLoad::Execute(uint64_t repeats) {
  before_ = bits_;
  repeats_ = repeats;
  passed_ = Branches(bits_, repeats);
}

bool BranchLoad::Check(uint32_t) {
  Bits bits = before_;
  uint64_t expected = 0;
  for (uint64_t i = 0; i < repeats_; ++i) {
    expected += static_cast<uint64_t>(std::popcount(bits.Next()));
  }
  return passed_ == expected;
}

}  // namespace roofmark
