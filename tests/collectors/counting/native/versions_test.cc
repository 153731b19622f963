// SPDX-License-Identifier: BSD-3-Clause
//
// Versions of code in one area: the guide says which one a thread executes where it arrives. Code
// that lies in two mappings.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "tests/collectors/counting/native/machine.h"

namespace roofmark {
namespace {

// nop; the jump to the end
std::vector<uint8_t> Ending() {
  std::vector<uint8_t> code = JumpToEnd();
  code.insert(code.begin(), 0x90);
  return code;
}

// Two blocks: the first one jumps to the second one, which ends the program.
class VersionsTest : public testing::Test {
 protected:
  VersionsTest() {
    if (roof_native_missing() != nullptr) return;
    roof_native_guide guide = {};
    guide.cookie = this;
    guide.arrive = [](void* self, roof_native_area* area, uint32_t, uint64_t) {
      auto* test = static_cast<VersionsTest*>(self);
      area->version = test->versions_.at(test->arrivals_++);
      return area;
    };
    roof_native_set_guide(translator_.native(), &guide);
    Write(0, {0x90, 0x90, 0xE9, 0xF9, 0, 0, 0});  // nop; nop; jmp kSecond
    Write(kSecond, Ending());
  }
  void Write(size_t at, const std::vector<uint8_t>& bytes) {
    std::memcpy(arena_.code() + at, bytes.data(), bytes.size());
  }
  // In which version each arrival goes on.
  void Execute(std::vector<uint32_t> versions) {
    versions_ = std::move(versions);
    arrivals_ = 0;
    MachineState state = FreshState(arena_);
    ASSERT_TRUE(RunTranslated(translator_.area(), &state, arena_.code()));
    EXPECT_EQ(arrivals_, versions_.size());
  }
  uint64_t Instructions(uint32_t version) {
    std::array<uint64_t, ROOF_COUNTERS> counters = {};
    const roof_executor nobody = {0, ROOF_LAYER_OWN, 0};
    roof_native_fold_blocks(translator_.area(), version, &nobody, counters.data(), nullptr);
    return counters[ROOF_C_INSTRUCTIONS];
  }
  static constexpr size_t kSecond = 0x100;

  Arena arena_;
  Translator translator_{arena_};
  std::vector<uint32_t> versions_;
  size_t arrivals_ = 0;
};

// The team goes to another region while a thread is on the way: its jump leads there once.
TEST_F(VersionsTest, AJumpThatLedToAnotherOneDoesNotLeadThereAgain) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  Execute({0, 7});
  EXPECT_EQ(Instructions(0), 3u);
  EXPECT_EQ(Instructions(7), 3u);
  Execute({0, 0});
  EXPECT_EQ(Instructions(0), 6u);
  EXPECT_EQ(Instructions(7), 0u) << "what was folded is cleared";
  Execute({});  // every way is known
  EXPECT_EQ(Instructions(0), 6u);
}

// As where a library is unloaded and another one comes to its place; the program goes there through
// a register.
TEST(ForgottenCode, IsNotExecutedAgain) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  const Arena arena;
  Translator translator(arena);
  const auto begin = reinterpret_cast<uint64_t>(arena.code());
  const auto write = [&arena](size_t at, const std::vector<uint8_t>& bytes) {
    std::memcpy(arena.code() + at, bytes.data(), bytes.size());
  };
  // lea rax, [rip + 0x100]; jmp rax
  write(0, {0x48, 0x8D, 0x05, 0, 1, 0, 0, 0xFF, 0xE0});
  for (uint8_t number = 1; number < 4; ++number) {
    write(0x107, {0xB9, number, 0, 0, 0});  // mov ecx, number
    write(0x10C, JumpToEnd());
    for (int i = 0; i < 2; ++i) {  // the second time the table knows the way
      MachineState state = FreshState(arena);
      ASSERT_TRUE(RunTranslated(translator.area(), &state, arena.code()));
      EXPECT_EQ(state.general[1], number) << "rcx";
    }
    roof_native_forget(translator.native(), begin, begin + 1);
    int error = 0;
    ASSERT_TRUE(
        roof_native_allow(translator.native(), begin, begin + Arena::kBytes, 1 << 20, &error));
  }
}

// As after mprotect of the page behind it.
TEST(DividedCode, AnInstructionMayLieInTwoMappings) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  const Arena arena;
  const std::vector<uint8_t> code = Ending();
  std::memcpy(arena.code(), code.data(), code.size());
  for (size_t divided_at = 1; divided_at < code.size(); ++divided_at) {
    SCOPED_TRACE(divided_at);
    Memory memory;
    const roof_memory hooks = memory.Hooks();
    roof_native* native = roof_native_create(&hooks, 4096);
    const auto begin = reinterpret_cast<uint64_t>(arena.code());
    int error = 0;
    ASSERT_TRUE(roof_native_allow(native, begin, begin + divided_at, 1 << 20, &error));
    ASSERT_TRUE(
        roof_native_allow(native, begin + divided_at, begin + Arena::kBytes, 1 << 20, &error));
    roof_native_stop_at(native, reinterpret_cast<uint64_t>(EndOfPrograms()));
    roof_native_area* area = roof_native_area_create(native, nullptr);
    MachineState state = FreshState(arena);
    ASSERT_TRUE(RunTranslated(area, &state, arena.code()));
    std::array<uint64_t, ROOF_COUNTERS> counters = {};
    roof_native_fold(area, counters.data());
    EXPECT_EQ(counters[ROOF_C_INSTRUCTIONS], 3u);
    EXPECT_EQ(area->exits[ROOF_LEAVE_UNDECODABLE], 0u);
    roof_native_area_destroy(area);
    roof_native_destroy(native);
  }
}

}  // namespace
}  // namespace roofmark
