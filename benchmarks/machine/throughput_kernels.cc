// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/throughput_kernels.h"

#include <bit>

#if defined(__x86_64__)

namespace roofmark {
namespace {

constexpr uint64_t kSteps = 12;  // of one repeat
// Instructions of one step, on registers of either kind or on words of memory.
constexpr uint64_t kGeneral = 8, kVectors = 12, kLoads = 16, kStores = 8;

// What registers hold at first, and what instructions take.
struct Operands {
  uint64_t first, taken;
};
constexpr Operands kIntegers = {3, 5};
constexpr Operands kDoubles = {std::bit_cast<uint64_t>(2.0), std::bit_cast<uint64_t>(1.5)};

// The whole loop is one statement, in which no compiler can add, move or leave out anything. FIRST
// sets registers to %[first], STEP is repeated, and LAST leaves the result in %[sum]. STEP has
// %[taken], which is also in xmm15, and 16 words at %[words].
#define ROOF_LOOP(NAME, OPERANDS, FIRST, STEP, LAST)                                              \
  double NAME(uint64_t repeats) {                                                                 \
    const auto [first, taken] = OPERANDS;                                                         \
    alignas(64) uint64_t words[kLoads] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}; \
    uint64_t sum = 0;                                                                             \
    asm volatile("movq %[taken], %%xmm15\n" FIRST                                                 \
                 "test %[repeats], %[repeats]\n"                                                  \
                 "jz 2f\n"                                                                        \
                 ".balign 64\n"                                                                   \
                 "1:\n"                                                                           \
                 ".rept 12\n" STEP                                                                \
                 ".endr\n"                                                                        \
                 "dec %[repeats]\n"                                                               \
                 "jnz 1b\n"                                                                       \
                 "2:\n" LAST                                                                      \
                 : [repeats] "+r"(repeats), [sum] "+r"(sum)                                       \
                 : [first] "r"(first), [taken] "r"(taken), [words] "r"(words)                     \
                 : "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",  \
                   "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",      \
                   "xmm15", "cc", "memory");                                                      \
    return static_cast<double>(sum);                                                              \
  }

// One instruction for each general register (\r), each vector (\v is its number) and each word of
// a line (\w is its place). A result is used again, if at all, only in the next step.
#define ROOF_GENERAL(INSTRUCTION) ".irp r,r8,r9,r10,r11,r12,r13,r14,r15\n" INSTRUCTION "\n.endr\n"
#define ROOF_VECTORS(INSTRUCTION) ".irp v,0,1,2,3,4,5,6,7,8,9,10,11\n" INSTRUCTION "\n.endr\n"
#define ROOF_LINE(INSTRUCTION) ".irp w,0,8,16,24,32,40,48,56\n" INSTRUCTION "\n.endr\n"

// The sum of the registers; of vectors, of their lower halves.
#define ROOF_ON_GENERAL(NAME, INSTRUCTION)                                                   \
  ROOF_LOOP(NAME, kIntegers, ROOF_GENERAL("mov %[first], %%\\r"), ROOF_GENERAL(INSTRUCTION), \
            ROOF_GENERAL("add %%\\r, %[sum]"))
#define ROOF_ON_VECTORS(NAME, OPERANDS, INSTRUCTION, END)                                       \
  ROOF_LOOP(NAME, OPERANDS, ROOF_VECTORS("movq %[first], %%xmm\\v"), ROOF_VECTORS(INSTRUCTION), \
            ROOF_VECTORS("movq %%xmm\\v, %%r8\nadd %%r8, %[sum]") END)

ROOF_ON_GENERAL(AddIntegers, "add %[taken], %%\\r")
ROOF_ON_GENERAL(MultiplyIntegers, "imul %[taken], %%\\r")
ROOF_ON_GENERAL(MoveFromVector, "movq %%xmm15, %%\\r")
ROOF_ON_VECTORS(MoveToVector, kIntegers, "movq %[taken], %%xmm\\v", "")
ROOF_ON_VECTORS(Minimum, kDoubles, "minpd %%xmm15, %%xmm\\v", "")
ROOF_ON_VECTORS(ConvertVectors, kIntegers, "cvtdq2ps %%xmm15, %%xmm\\v", "")
ROOF_ON_VECTORS(ConvertIntegers, kIntegers, "cvtsi2sdq %[taken], %%xmm\\v", "")
ROOF_ON_VECTORS(AddVectors, kIntegers, "paddd %%xmm15, %%xmm\\v", "")
ROOF_ON_VECTORS(MultiplyVectors, kIntegers, "pmuludq %%xmm15, %%xmm\\v", "")
ROOF_ON_VECTORS(Shuffle, kIntegers, "pshufd $0x44, %%xmm15, %%xmm\\v", "")
ROOF_ON_VECTORS(ShuffleAcross, kIntegers, "vinserti128 $1, %%xmm15, %%ymm15, %%ymm\\v",
                "vzeroupper\n")
ROOF_LOOP(LoadWords, kIntegers, "xor %%r8d, %%r8d\n",
          ROOF_LINE("mov \\w(%[words]), %%r8") ROOF_LINE("mov 64+\\w(%[words]), %%r8"),
          "mov %%r8, %[sum]\n")
// Two words of one line may be written in a cycle where two of different lines are not.
ROOF_LOOP(StoreWords, kIntegers, "", ROOF_LINE("mov %[taken], \\w(%[words])"),
          ROOF_LINE("add \\w(%[words]), %[sum]"))
ROOF_LOOP(AddLocked, kIntegers, "", "lock addq %[taken], (%[words])\n", "mov (%[words]), %[sum]\n")

// Each of `registers` holds what `next` made of the value before, in each step.
template <uint64_t registers, typename Next>
double After(uint64_t repeats, Next next) {
  uint64_t each = kIntegers.first;
  for (uint64_t i = 0; i < repeats * kSteps; ++i) each = next(each, kIntegers.taken);
  return static_cast<double>(registers * each);
}

// Each was overwritten with the same in each step.
template <uint64_t registers>
double Overwritten(uint64_t repeats, uint64_t with, uint64_t first = kIntegers.first) {
  return static_cast<double>(registers * (repeats == 0 ? first : with));
}

template <uint64_t registers>
double Taken(uint64_t repeats) {
  return Overwritten<registers>(repeats, kIntegers.taken);
}

constexpr double PerRepeat(uint64_t of_a_step) { return static_cast<double>(kSteps * of_a_step); }

}  // namespace

std::vector<CoreKernel> ThroughputKernels() {
  constexpr double kOnGeneral = PerRepeat(kGeneral), kOnVectors = PerRepeat(kVectors);
  std::vector<CoreKernel> kernels = {
      {"int", "integer additions side by side", kOnGeneral, AddIntegers,
       [](uint64_t n) { return After<kGeneral>(n, [](uint64_t x, uint64_t y) { return x + y; }); }},
      {"int_mul", "integer multiplications side by side", kOnGeneral, MultiplyIntegers,
       [](uint64_t n) { return After<kGeneral>(n, [](uint64_t x, uint64_t y) { return x * y; }); }},
      {"compare", "minima of doubles side by side", kOnVectors, Minimum,
       [](uint64_t n) { return Overwritten<kVectors>(n, kDoubles.taken, kDoubles.first); }},
      {"convert", "conversions between vectors side by side", kOnVectors, ConvertVectors,
       [](uint64_t n) { return Overwritten<kVectors>(n, std::bit_cast<uint32_t>(5.0F)); }},
      {"convert_general", "conversions of integers to doubles side by side", kOnVectors,
       ConvertIntegers,
       [](uint64_t n) { return Overwritten<kVectors>(n, std::bit_cast<uint64_t>(5.0)); }},
      {"to_vector", "moves to vector registers side by side", kOnVectors, MoveToVector,
       Taken<kVectors>},
      {"from_vector", "moves from vector registers side by side", kOnGeneral, MoveFromVector,
       Taken<kGeneral>},
      {"vector_int", "integer additions in vectors side by side", kOnVectors, AddVectors,
       [](uint64_t n) {
         return After<kVectors>(
             n, [](uint64_t x, uint64_t y) { return uint64_t{static_cast<uint32_t>(x + y)}; });
       }},
      {"vector_int_mul", "integer multiplications in vectors side by side", kOnVectors,
       MultiplyVectors,
       [](uint64_t n) {
         return After<kVectors>(
             n, [](uint64_t x, uint64_t y) { return static_cast<uint32_t>(x) * y; });
       }},
      {"shuffle", "shuffles within 128 bits side by side", kOnVectors, Shuffle, Taken<kVectors>},
      {"load", "loads from L1 side by side", PerRepeat(kLoads), LoadWords,
       [](uint64_t n) { return Overwritten<1>(n, kLoads, 0); }},
      {"store", "stores to L1 side by side", PerRepeat(kStores), StoreWords,
       [](uint64_t n) { return n == 0 ? 1.0 * kStores * (kStores + 1) / 2 : Taken<kStores>(n); }}};
  if (__builtin_cpu_supports("avx2")) {
    kernels.push_back({"cross", "shuffles across 128 bits side by side", kOnVectors, ShuffleAcross,
                       Taken<kVectors>});
  }
  return kernels;
}

std::vector<CoreKernel> AtomicKernels() {
  return {{"atomic", "locked additions to a word in L1", PerRepeat(1), AddLocked,
           [](uint64_t n) { return static_cast<double>(1 + n * kSteps * kIntegers.taken); }}};
}

}  // namespace roofmark

#else

namespace roofmark {

std::vector<CoreKernel> ThroughputKernels() { return {}; }
std::vector<CoreKernel> AtomicKernels() { return {}; }

}  // namespace roofmark

#endif
