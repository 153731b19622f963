// SPDX-License-Identifier: BSD-3-Clause
//
// What compiled code writes down of accesses to an array, whatever instruction makes them.
#include "tests/collectors/counting/native/accesses.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "collectors/counting/cache/record.h"
#include "tests/collectors/counting/native/machine.h"

extern "C" char __executable_start, etext;

namespace roofmark {
namespace {

bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

// In segments or not.
class NativeAccesses : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
    const roof_memory hooks = memory_.Hooks();
    int error = 0;
    native_ = roof_native_create(&hooks, 4096);
    ASSERT_TRUE(roof_native_allow(native_, reinterpret_cast<uint64_t>(&__executable_start),
                                  reinterpret_cast<uint64_t>(&etext), 1 << 24, &error));
  }
  void TearDown() override {
    if (native_ != nullptr) roof_native_destroy(native_);
  }

  // Kind, place in `array` and size of each access to it, in their order.
  template <typename Array, typename Call>
  std::string Trace(const Array& array, const Call& call, uint32_t shift = 0) {
    records_.clear();
    roof_native_trace(native_, shift, TakeRecords, &records_);
    if (GetParam()) roof_native_keep_code(native_, TakePieces);
    roof_native_area* area = roof_native_area_create(native_, nullptr);
    area->user = &records_;
    roof_native_enter(area);
    call();
    roof_native_leave();
    roof_native_flush(area);
    EXPECT_EQ(area->exits[ROOF_LEAVE_STOP], 1u);
    roof_native_area_destroy(area);
    const auto begin = reinterpret_cast<uint64_t>(&array[0]);
    std::string text;
    for (const uint64_t record : records_) {
      const uint64_t place = ROOF_RECORD_ADDRESS(record) - begin;
      if (place >= sizeof array) continue;
      text += record >> 63 ? 'N' : record >> ROOF_RECORD_ADDRESS_BITS & 1 ? 'S' : 'L';
      text += std::to_string(place) + ":" + std::to_string(ROOF_RECORD_EXTENT(record) + 1) + " ";
    }
    return text;
  }

  Memory memory_;
  roof_native* native_ = nullptr;
  Records records_;
};

TEST_P(NativeAccesses, OfAvx512AreThoseOfActiveLanes) {
  if (!HasAvx512()) GTEST_SKIP() << "the CPU has no AVX-512";
  alignas(64) double x[64] = {}, out[8];
  alignas(64) float f[64] = {}, outs[16];
  alignas(64) uint8_t bytes[64] = {};
  const int64_t index[8] = {3, 60, 1, 0, 60, 63, 60, 60};
  int32_t numbers[16] = {};
  numbers[0] = 7, numbers[5] = 9, numbers[10] = 7, numbers[15] = 1;
  EXPECT_EQ(Trace(x, [&] { access_gather512(x, index, out); }), "L24:8 L8:8 L0:8 L504:8 ");
  EXPECT_EQ(Trace(f, [&] { access_scatter512(f, numbers); }), "S28:4 S36:4 S28:4 S4:4 ");
  EXPECT_EQ(Trace(x, [&] { access_compress512(x); }), "S0:8 S8:8 S16:8 S24:8 ");
  EXPECT_EQ(Trace(f, [&] { access_expand512(f, outs); }),
            "L0:4 L4:4 L8:4 L12:4 L16:4 L20:4 L24:4 L28:4 ");
  EXPECT_EQ(Trace(bytes, [&] { access_bytes512(bytes); }), "S0:1 S32:1 S63:1 ");
}

TEST_P(NativeAccesses, OfAvx2AreThoseOfLanesWithASign) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the CPU has no AVX2";
  alignas(32) double x[8] = {}, out[4];
  alignas(32) float f[8] = {};
  const int32_t index[4] = {1, 2, -1, 3};
  EXPECT_EQ(Trace(x, [&] { access_gather256(x + 1, index, out); }), "L16:8 L0:8 L32:8 ");
  EXPECT_EQ(Trace(f, [&] { access_masked256(f); }), "S4:4 S8:4 S28:4 ");
  EXPECT_EQ(Trace(x, [&] { access_stream(x); }), "N0:32 ");
}

TEST_P(NativeAccesses, OfRepeatedInstructionsAreThoseOfEachRepetition) {
  uint8_t bytes[16] = {};
  uint64_t words[8] = {};
  uint32_t halves[4] = {};
  EXPECT_EQ(Trace(bytes, [&] { access_move(bytes + 8, bytes, 3); }),
            "L0:1 S8:1 L1:1 S9:1 L2:1 S10:1 ");
  EXPECT_EQ(Trace(bytes, [&] { access_move(bytes + 8, bytes, 0); }), "");
  EXPECT_EQ(Trace(words, [&] { access_move_back(words + 4, words, 2); }), "L8:8 S40:8 L0:8 S32:8 ");
  EXPECT_EQ(Trace(halves, [&] { access_set(halves, 3); }), "S0:4 S4:4 S8:4 ");
  bytes[2] = 1;
  size_t left = 0;
  EXPECT_EQ(Trace(bytes, [&] { left = access_compare(bytes, bytes + 8, 8); }),
            "L8:1 L0:1 L9:1 L1:1 L10:1 L2:1 ");
  EXPECT_EQ(left, 5u);
}

// As where a library is unloaded and loaded again: it is translated anew.
TEST_P(NativeAccesses, CodeThatComesAgainTakesNoMoreMemory) {
  const auto begin = reinterpret_cast<uint64_t>(&__executable_start);
  const auto end = reinterpret_cast<uint64_t>(&etext);
  uint64_t words[4] = {};
  size_t taken = 0;
  for (int turn = 0; turn < 3; ++turn) {
    const uint64_t translated = roof_native_code_bytes(native_);
    EXPECT_EQ(Trace(words, [&] { access_change(words); }), "L0:8 S0:8 L8:8 S8:8 ");
    EXPECT_GT(roof_native_code_bytes(native_), translated);
    if (turn == 0) taken = memory_.bytes;
    roof_native_forget(native_, begin, end);
    int error = 0;
    ASSERT_TRUE(roof_native_allow(native_, begin, end, 1 << 24, &error));
  }
  EXPECT_EQ(memory_.bytes, taken);
}

TEST_P(NativeAccesses, OfOtherInstructions) {
  uint8_t table[256] = {};
  uint64_t words[4] = {};
  table[200] = 5;
  uint64_t found = 0;
  EXPECT_EQ(Trace(table, [&] { found = access_table(table, 0x12C8); }), "L200:1 ");
  EXPECT_EQ(found, 0x1205u);
  EXPECT_EQ(Trace(words, [&] { access_through_stack(words, words + 2); }), "L0:8 S16:8 ");
  EXPECT_EQ(Trace(words, [&] { access_change(words); }), "L0:8 S0:8 L8:8 S8:8 ");
  auto& own = *reinterpret_cast<std::array<int64_t, 4>*>(access_own(0));
  EXPECT_EQ(Trace(own, [&] { access_own(3); }), "L24:8 S24:8 ");
}

// Zydis takes the exchange as pause, and so do some processors.
TEST_P(NativeAccesses, OfCodeWithAnExchangeThatLooksLikePause) {
  uint64_t x[1] = {5}, result = 0;
  const uint64_t natively = access_exchange(x);
  Trace(x, [&] { result = access_exchange(x); });
  EXPECT_EQ(result, natively);
}

// A block ends where it has no two registers left.
TEST_P(NativeAccesses, OfCodeThatUsesAllRegisters) {
  uint64_t x[16] = {}, sum = 0;
  std::string expected;
  for (uint64_t i = 0; i < 14; ++i) {
    expected += "L" + std::to_string(8 * i) + ":8 ";
    sum += x[i] = i * i + 1;
  }
  EXPECT_EQ(Trace(x, [&] { access_all_registers(x); }), expected + "S112:8 S120:8 ");
  EXPECT_EQ(x[15], sum);
}

TEST_P(NativeAccesses, OfLoopsAreThoseOfTheIterationsThatWereExecuted) {
  static double x[64], y[64];
  static uint64_t from[64], to[64];
  for (size_t n = 0; n <= 40; ++n) {
    std::string loads, stores, changes;
    for (size_t i = 0; i < n; ++i) {
      const std::string at = std::to_string(8 * i) + ":8 ";
      loads += "L" + at;
      stores += "S" + at;
      changes += "L" + at + "S" + at;
    }
    EXPECT_EQ(Trace(x, [&] { access_loop(x, y, n); }), loads);
    EXPECT_EQ(Trace(y, [&] { access_loop(x, y, n); }), stores);
    if (n == 0) continue;
    EXPECT_EQ(Trace(to, [&] { access_carry(from, to, n); }), changes);
  }
  for (uint64_t& word : from) word = ~uint64_t{0};
  for (uint64_t& word : to) word = 1;
  Trace(to, [&] { access_carry(from, to, 64); });
  EXPECT_EQ(to[0], 0u);
  EXPECT_EQ(to[63], 1u) << "the carry is lost";
}

// More than the trail holds at once.
TEST_P(NativeAccesses, OfLongLoopsAreAllThere) {
  static double x[100'003], y[100'003];
  static uint64_t from[50'001], to[50'001];
  Trace(x, [&] { access_loop(x, y, 100'003); });
  ASSERT_GE(records_.size(), 200'006u);
  size_t place = 0;
  for (const uint64_t record : records_) {
    const uint64_t at = ROOF_RECORD_ADDRESS(record) - reinterpret_cast<uint64_t>(x);
    if (at >= sizeof x) continue;
    ASSERT_EQ(at, 8 * place++);
  }
  EXPECT_EQ(place, 100'003u);
  for (uint64_t& word : from) word = ~uint64_t{0};
  for (uint64_t& word : to) word = 1;
  Trace(to, [&] { access_carry(from, to, 50'001); });
  EXPECT_EQ(to[50'000], 1u) << "the carry is lost";
}

// Of what is written down, those in sampled lines; and all that cross lines.
TEST_P(NativeAccesses, OfSampledLines) {
  if (GetParam()) GTEST_SKIP() << "windows want every line";
  alignas(64) static double x[40'000], y[40'000];
  uint8_t* bytes = reinterpret_cast<uint8_t*>(y);
  for (const uint32_t shift : {1u, 4u, 8u}) {
    Trace(
        x, [&] { access_loop(x, y, 40'000); }, shift);
    Trace(
        y, [&] { access_move(bytes, bytes, 0); }, shift);
    Trace(
        x, [&] { access_loop(x, y, 40'000); }, shift);
    Records expected;
    for (const double& each : x)
      if (ROOF_SAMPLE_SELECTED(reinterpret_cast<uint64_t>(&each), shift))
        expected.push_back(reinterpret_cast<uint64_t>(&each) | ROOF_RECORD_TAG(ROOF_LOAD, 8));
    Records seen;
    for (const uint64_t record : records_)
      if (ROOF_RECORD_ADDRESS(record) - reinterpret_cast<uint64_t>(x) < sizeof x)
        seen.push_back(record);
    EXPECT_EQ(seen, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Segments, NativeAccesses, testing::Bool());

}  // namespace
}  // namespace roofmark
