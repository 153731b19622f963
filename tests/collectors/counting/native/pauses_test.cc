// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of code that writes no trail ask the dispatcher once in many rounds, so that a thread goes
// on in another version however long its loop is.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "collectors/counting/native/trail.h"
#include "tests/collectors/counting/native/machine.h"

namespace roofmark {
namespace {

using Code = std::vector<uint8_t>;

Code Number(uint32_t number) {
  Code bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}
void Append(Code& code, const Code& more) { code.insert(code.end(), more.begin(), more.end()); }

struct Loop {
  const char* name;
  Code body;
  uint32_t at_once;  // rounds of one block
};

constexpr uint32_t kPauses = 5;

class Pauses : public testing::TestWithParam<Loop> {
 protected:
  Pauses() {
    if (roof_native_missing() != nullptr) return;
    roof_native_guide guide = {};
    guide.cookie = this;
    guide.arrive = [](void* self, roof_native_area* area, uint32_t, uint64_t) {
      area->version = static_cast<Pauses*>(self)->goes_on_ ? 0 : ROOF_NATIVE_QUIET;
      return area;
    };
    guide.full = [](void* self, roof_native_area*) {
      auto* test = static_cast<Pauses*>(self);
      return test->goes_on_ = ++test->asked_ == test->last_ ? 1 : 0;
    };
    roof_native_set_guide(translator_.native(), &guide);
  }
  uint32_t Rounds() const { return kPauses * ROOF_NATIVE_ROUNDS * GetParam().at_once + 100; }
  // mov ecx, rounds; the loop
  void Execute() {
    Code code = {0xB9};
    Append(code, Number(Rounds()));
    Append(code, GetParam().body);
    Append(code, JumpToEnd());
    std::memcpy(arena_.code(), code.data(), code.size());
    MachineState state = FreshState(arena_);
    ASSERT_TRUE(RunTranslated(translator_.area(), &state, arena_.code()));
    EXPECT_EQ(state.general[1], 0u) << "rcx";
  }
  uint64_t Instructions(uint32_t version) {
    std::array<uint64_t, ROOF_COUNTERS> counters = {};
    const roof_executor nobody = {0, ROOF_LAYER_OWN, 0};
    roof_native_fold_blocks(translator_.area(), version, &nobody, counters.data(), nullptr);
    return counters[ROOF_C_INSTRUCTIONS];
  }

  Arena arena_;
  Records records_;
  Translator translator_{arena_, 1 << 21, &records_};
  uint32_t asked_ = 0, last_ = 0;  // 0: it never goes on in the other version
  int goes_on_ = 0;
};

TEST_P(Pauses, ComeOnceInSoManyRounds) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  Execute();
  EXPECT_EQ(asked_, kPauses);
}

TEST_P(Pauses, AreWhereAThreadGoesOnInAnotherVersion) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  last_ = 2;
  Execute();
  EXPECT_GE(asked_, 2u);
  const uint64_t quiet = Instructions(ROOF_NATIVE_QUIET), other = Instructions(0);
  EXPECT_GT(quiet, 0u);
  EXPECT_GT(other, quiet);
  asked_ = last_ = 0;
  goes_on_ = 0;
  Execute();
  EXPECT_EQ(Instructions(ROOF_NATIVE_QUIET) + Instructions(0), quiet + other) << "each counts once";
}

// mov rdi, [rsp] in all but one. lahf reads flags, so that none may be changed before it.
INSTANTIATE_TEST_SUITE_P(
    Loops, Pauses,
    testing::Values(
        Loop{"OfOneBlock", {0x48, 0x8B, 0x3C, 0x24, 0xFF, 0xC9, 0x75, 0xF8}, ROOF_LOOP_COPIES},
        Loop{"ThatReadsFlags",
             {0x9F, 0x48, 0x8B, 0x3C, 0x24, 0xFF, 0xC9, 0x75, 0xF7},
             ROOF_LOOP_COPIES},
        Loop{"OfTwoBlocks", {0x48, 0x8B, 0x3C, 0x24, 0xEB, 0x00, 0xFF, 0xC9, 0x75, 0xF6}, 1},
        Loop{"ByCount", {0x48, 0x8B, 0x3C, 0x24, 0xE2, 0xFA}, 1},
        Loop{"WithoutAccesses", {0x90, 0xFF, 0xC9, 0x75, 0xFB}, ROOF_LOOP_COPIES}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace roofmark
