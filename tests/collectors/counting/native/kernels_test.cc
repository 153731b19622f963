// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled code, entered and left in the middle of a program, on one thread and on several.
#include "tests/collectors/counting/native/kernels.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/collectors/counting/native/machine.h"

// The program's own code, as the linker has it.
extern "C" char __executable_start, etext;

namespace roofmark {
namespace {

using Counters = std::array<uint64_t, ROOF_COUNTERS>;

bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

// Memory for several threads at once is not asked for here: areas are made before.
class NativeKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
    const roof_memory hooks = memory_.Hooks();
    int error = 0;
    native_ = roof_native_create(&hooks, 4096);
    ASSERT_TRUE(roof_native_allow(native_, reinterpret_cast<uint64_t>(&__executable_start),
                                  reinterpret_cast<uint64_t>(&etext), 1 << 24, &error))
        << error;
  }
  void TearDown() override {
    if (native_) roof_native_destroy(native_);
  }
  roof_native_area* Area() { return roof_native_area_create(native_, nullptr); }

  // Calls it translated, and checks that counting lasted to the end.
  template <typename Call>
  static void Translate(roof_native_area* area, const Call& call) {
    roof_native_enter(area);
    call();
    roof_native_leave();
  }
  template <typename Call>
  Counters Count(const Call& call) {
    roof_native_area* area = Area();
    Translate(area, call);
    Counters counters = {};
    roof_native_fold(area, counters.data());
    for (unsigned reason = 0; reason < ROOF_LEAVE_REASONS; ++reason)
      EXPECT_EQ(area->exits[reason], reason == ROOF_LEAVE_STOP ? 1u : 0u)
          << roof_native_reason_text(reason);
    roof_native_area_destroy(area);
    return counters;
  }

  Memory memory_;
  roof_native* native_ = nullptr;
};

TEST_F(NativeKernels, RecursiveCalls) {
  double result = 0;
  const Counters counts = Count([&] { result = kernel_tree(10); });
  EXPECT_EQ(result, 1024);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)], 1023u);
}

// As on kernels that do not let programs use the instruction; all of them have the system call.
TEST_F(NativeKernels, WithoutAnInstructionForGs) {
  for (const int instruction : {0, roof_native_gs_by_instruction}) {
    roof_native_gs_by_instruction = instruction;
    double result = 0;
    const Counters counts = Count([&] { result = kernel_tree(10); });
    EXPECT_EQ(result, 1024) << instruction;
    EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)], 1023u) << instruction;
  }
}

// Then code goes on as it is.
TEST_F(NativeKernels, WhereNothingMaySetGsItSaysSo) {
  roof_native_area* area = Area();
  const int child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    sock_filter refuse[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program = {4, refuse};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
      _exit(77);
    }
    roof_native_gs_by_instruction = 0;
    const int refused = roof_native_enter(area);
    _exit(refused != 0 && area->dispatches == 0 && kernel_tree(3) == 8 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no filter of system calls can be set here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  roof_native_area_destroy(area);
}

TEST_F(NativeKernels, CallsThroughPointers) {
  double result = 0;
  const Counters counts = Count([&] { result = kernel_through_pointers(1001); });
  EXPECT_EQ(result, 1501);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)], 1001u);
}

TEST_F(NativeKernels, ScalarLoops) {
  const std::vector<double> a(1003, 2), b(1003, 3);
  double result = 0;
  const Counters counts = Count([&] { result = kernel_scalar(a.data(), b.data(), 1003); });
  EXPECT_EQ(result, 6 * 1003);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)], 1003u);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_MUL)], 1003u);
}

// What a call itself loads and stores is the same for every size.
TEST_F(NativeKernels, MaskedRemaindersCountTheirLanes) {
  if (!HasAvx512()) GTEST_SKIP() << "the CPU has no AVX-512";
  const std::vector<double> a(64, 2), b(64, 3);
  const auto count = [&](size_t n) {
    return Count([&] { (void)kernel_dot512(a.data(), b.data(), n); });
  };
  const Counters none = count(0);
  for (size_t n = 1; n <= 40; ++n) {
    const Counters counts = count(n);
    EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_512, ROOF_FMA)], 2 * n);
    EXPECT_EQ(counts[ROOF_C_LOAD_BYTES] - none[ROOF_C_LOAD_BYTES], 16 * n);
  }
}

TEST_F(NativeKernels, MasksOfComparisons) {
  if (!HasAvx512()) GTEST_SKIP() << "the CPU has no AVX-512";
  std::vector<float> x(160), y(160);
  for (size_t i = 0; i < x.size(); ++i) x[i] = i % 5 == 0 ? 1.F : -1.F;
  const auto count = [&](size_t n) {
    return Count([&] { kernel_positive512(x.data(), y.data(), n); });
  };
  const Counters first = count(16), counts = count(160);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_SP, ROOF_512, ROOF_MUL)], 32u);
  EXPECT_EQ(counts[ROOF_C_STORE_BYTES] - first[ROOF_C_STORE_BYTES], 28u * 4);
  EXPECT_EQ(counts[ROOF_C_LOAD_BYTES] - first[ROOF_C_LOAD_BYTES], 144u * 4);
}

// The instruction clears its mask, so it is read before.
TEST_F(NativeKernels, MaskedGathers) {
  if (!HasAvx512()) GTEST_SKIP() << "the CPU has no AVX-512";
  const std::vector<double> x(64, 1);
  std::vector<int64_t> index(64);
  std::iota(index.begin(), index.end(), 0);
  const auto count = [&](size_t n) {
    return Count([&] { (void)kernel_gather512(x.data(), index.data(), n); });
  };
  const Counters none = count(0), counts = count(64);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_512, ROOF_ADD)], 64u);
  EXPECT_EQ(counts[ROOF_C_LOAD_BYTES] - none[ROOF_C_LOAD_BYTES], 64u * 8 + 32u * 8);
}

TEST_F(NativeKernels, DotProductsOfBytes) {
  if (!__builtin_cpu_supports("avx512vnni")) GTEST_SKIP() << "the CPU has no AVX512-VNNI";
  for (const unsigned lanes : {1u, 5u, 16u}) {
    int32_t result = 0;
    const Counters counts = Count([&] { result = kernel_bytes512(100, lanes); });
    EXPECT_EQ(result, 101 * 8);
    EXPECT_EQ(counts[ROOF_C_VNNI_OPERATIONS], 100u * 128 + lanes * 8) << lanes;
    EXPECT_EQ(counts[ROOF_C_BF16_FLOPS], 0u);
  }
}

TEST_F(NativeKernels, DotProductsOfBf16) {
  if (!__builtin_cpu_supports("avx512bf16")) GTEST_SKIP() << "the CPU has no AVX512-BF16";
  for (const unsigned lanes : {1u, 5u, 16u}) {
    float result = 0;
    const Counters counts = Count([&] { result = kernel_bf16_512(100, lanes); });
    EXPECT_EQ(result, 101 * 4);
    EXPECT_EQ(counts[ROOF_C_BF16_FLOPS], 100u * 64 + lanes * 4) << lanes;
    EXPECT_EQ(counts[ROOF_C_VNNI_OPERATIONS], 0u);
  }
}

TEST_F(NativeKernels, MaskedLoadsOfAvx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the CPU has no AVX2";
  const std::vector<float> x(8, 1);
  const auto count = [&](int n) { return Count([&] { (void)kernel_few_avx2(x.data(), n); }); };
  const Counters none = count(0);
  for (int n = 1; n <= 8; ++n)
    EXPECT_EQ(count(n)[ROOF_C_LOAD_BYTES] - none[ROOF_C_LOAD_BYTES], 4u * static_cast<size_t>(n));
}

// All begin at once, so that blocks are translated and linked while others execute.
TEST_F(NativeKernels, ThreadsShareTranslatedCode) {
  constexpr size_t kThreads = 8;
  std::vector<roof_native_area*> areas;
  for (size_t i = 0; i < kThreads; ++i) areas.push_back(Area());
  const std::vector<double> a(1000, 2), b(1000, 3);
  std::vector<std::thread> threads;
  for (roof_native_area* area : areas)
    threads.emplace_back([&, area] {
      for (int visit = 0; visit < 50; ++visit)
        Translate(area, [&] {
          (void)kernel_tree(8);
          (void)kernel_through_pointers(100);
          (void)kernel_scalar(a.data(), b.data(), 1000);
        });
    });
  for (std::thread& thread : threads) thread.join();
  for (roof_native_area* area : areas) {
    Counters counters = {};
    roof_native_fold(area, counters.data());
    EXPECT_EQ(counters[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)], 50u * (255 + 100 + 1000));
    EXPECT_EQ(counters[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_MUL)], 50u * 1000);
    EXPECT_EQ(area->exits[ROOF_LEAVE_STOP], 50u);
    EXPECT_EQ(area->exits[ROOF_LEAVE_OUTSIDE], 0u);
    roof_native_area_destroy(area);
  }
}

}  // namespace
}  // namespace roofmark
