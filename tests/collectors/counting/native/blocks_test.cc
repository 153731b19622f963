// SPDX-License-Identifier: BSD-3-Clause
//
// Small programs whose counts are known.
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>

#include "tests/collectors/counting/native/machine.h"

namespace roofmark {
namespace {

// Appends bytes to the code of an arena.
class Writer {
 public:
  explicit Writer(const Arena& arena) : at_(arena.code()) {}
  Writer& operator()(std::initializer_list<int> bytes) {
    for (int byte : bytes) *at_++ = static_cast<uint8_t>(byte);
    return *this;
  }
  // jmp to the end.
  void End() {
    (*this)({0xFF, 0x25, 0, 0, 0, 0});
    const void* end = EndOfPrograms();
    std::memcpy(at_, &end, sizeof end);
    at_ += sizeof end;
  }
  uint8_t* at() const { return at_; }

 private:
  uint8_t* at_;
};

class NativeBlocks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  }
  // Runs the program translated, and compares all registers with what the native one gives.
  void Run() {
    MachineState native = start, translated = start;
    for (MachineState* state : {&native, &translated}) {
      state->save_mask = StateMask();
      state->vectors[0] = 0x7F;
      state->vectors[1] = 3;
      state->vectors[24] = 0x80;
      state->vectors[25] = 0x1F;
      state->vectors[512] = static_cast<uint8_t>(StateMask());
      state->general[4] = reinterpret_cast<uint64_t>(arena.data()) + 4096;
      state->general[14] = reinterpret_cast<uint64_t>(arena.data());
    }
    ASSERT_TRUE(RunNatively(&native, arena.code()));
    ASSERT_TRUE(RunTranslated(translator.area(), &translated, arena.code()));
    for (int i = 0; i < 16; ++i) EXPECT_EQ(native.general[i], translated.general[i]) << i;
    EXPECT_EQ(native.flags, translated.flags);
    counts = translator.Counts();
    end = translated;
  }
  Writer Code() { return Writer(arena); }
  void Put(size_t offset, std::initializer_list<int> bytes) {
    uint8_t* at = arena.code() + offset;
    for (int byte : bytes) *at++ = static_cast<uint8_t>(byte);
  }
  uint64_t Exits(unsigned reason) { return translator.area()->exits[reason]; }

  Arena arena;
  Translator translator{arena};
  MachineState start, end;
  std::array<uint64_t, ROOF_COUNTERS> counts = {};
};

TEST_F(NativeBlocks, StraightCode) {
  Code()({0x48, 0x01, 0xC8})({0xF2, 0x0F, 0x58, 0xC1}).End();  // add rax, rcx; addsd
  start.general[0] = 5;
  start.general[1] = 7;
  Run();
  EXPECT_EQ(end.general[0], 12u);
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 3u);
  EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)], 1u);
  EXPECT_EQ(counts[ROOF_C_FP_INSTRUCTIONS], 1u);
  EXPECT_EQ(counts[ROOF_C_BRANCH_INSTRUCTIONS], 1u);
  EXPECT_EQ(counts[ROOF_C_LOAD_BYTES], 8u);
  EXPECT_EQ(Exits(ROOF_LEAVE_STOP), 1u);
}

// Any number of iterations: the copies of the body count ahead, and exits take back.
TEST_F(NativeBlocks, LoopsOfOneBlockCountEachIteration) {
  Code()({0x66, 0x0F, 0x59, 0xC1})({0xFF, 0xC9})({0x75, 0xF8}).End();  // mulpd; dec; jnz
  for (uint64_t n = 1; n <= 40; ++n) {
    start.general[1] = n;
    Run();
    EXPECT_EQ(counts[ROOF_C_FLOPS(ROOF_DP, ROOF_128, ROOF_MUL)], 2 * n);
    EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 3 * n + 1);
  }
}

TEST_F(NativeBlocks, CallsPushTheProgramsAddresses) {
  Code()({0xE8, 14, 0, 0, 0}).End();        // call behind the end
  Put(19, {0x48, 0x8B, 0x04, 0x24, 0xC3});  // mov rax, [rsp]; ret
  Run();
  EXPECT_EQ(end.general[0], reinterpret_cast<uint64_t>(arena.code()) + 5);
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 4u);
  EXPECT_EQ(counts[ROOF_C_STORE_BYTES], 8u);
  EXPECT_EQ(counts[ROOF_C_LOAD_BYTES], 8u + 8 + 8);
}

// As a linker writes what was compiled as a call through its table (-fno-plt).
TEST_F(NativeBlocks, CallsMayHaveTheAddressPrefix) {
  Code()({0x67, 0xE8, 17, 0, 0, 0})({0x67, 0xEB, 0}).End();  // call behind the end; jmp
  Put(23, {0x0F, 0x1F, 0x00, 0xC3});                         // nop; ret
  Run();
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 5u);
  EXPECT_EQ(Exits(ROOF_LEAVE_STOP), 1u);
  EXPECT_EQ(Exits(ROOF_LEAVE_CONTROL), 0u);
}

TEST_F(NativeBlocks, FlagsLiveAcrossACallStay) {
  // cmp eax, ecx; call; setb al, where the function only moves and returns.
  Code()({0x39, 0xC8})({0xE8, 17, 0, 0, 0})({0x0F, 0x92, 0xC0}).End();
  Put(24, {0x89, 0xC3, 0xC3});
  start.general[0] = 1;
  start.general[1] = 2;
  Run();
  EXPECT_EQ(end.general[0], 1u);
}

// The count of the second block must not come before the shift as if that wrote the flags.
TEST_F(NativeBlocks, FlagsStayWhereAShiftByZeroLeavesThem) {
  // cmp eax, edx; jmp next; shl ebx, cl; setb al; add ebx, 1
  Code()({0x39, 0xD0})({0xEB, 0})({0xD3, 0xE3})({0x0F, 0x92, 0xC0})({0x83, 0xC3, 1}).End();
  start.general[0] = 1;
  start.general[1] = 32;
  start.general[2] = 2;
  Run();
  EXPECT_EQ(end.general[0], 1u);
}

TEST_F(NativeBlocks, ReturnsThatTakeArgumentsOffTheStack) {
  // push rcx; call f; end; f: ret 8
  Code()({0x51})({0xE8, 14, 0, 0, 0}).End();
  Put(20, {0xC2, 8, 0});
  Run();
  EXPECT_EQ(end.general[4], reinterpret_cast<uint64_t>(arena.data()) + 4096);
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 4u);
}

TEST_F(NativeBlocks, RepeatedStringsCountTheirBytes) {
  // mov rdi, r14; lea rsi, [r14 + 64]; mov ecx, n; rep movsq
  Code()({0x4C, 0x89, 0xF7})({0x49, 0x8D, 0x76, 0x40})({0xB9, 9, 0, 0, 0})({0xF3, 0x48, 0xA5})
      .End();
  Run();
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 5u);
  EXPECT_EQ(counts[ROOF_C_LOAD_INSTRUCTIONS], 2u);  // and the jump's
  EXPECT_EQ(counts[ROOF_C_STORE_INSTRUCTIONS], 1u);
  EXPECT_EQ(counts[ROOF_C_LOAD_BYTES], 8u * 9 + 8);
  EXPECT_EQ(counts[ROOF_C_STORE_BYTES], 8u * 9);
}

TEST_F(NativeBlocks, SearchesCountWhatTheyLookedAt) {
  // mov rdi, r14; mov ecx, 100; mov al, 1; repne scasb
  Code()({0x4C, 0x89, 0xF7})({0xB9, 100, 0, 0, 0})({0xB0, 1})({0xF2, 0xAE}).End();
  arena.data()[6] = 1;
  Run();
  EXPECT_EQ(end.general[1], 93u);
  EXPECT_EQ(counts[ROOF_C_LOAD_BYTES], 7u + 8);
}

TEST_F(NativeBlocks, UnknownBytesAreLeftWithAReason) {
  Code()({0x83, 0xC1, 1})({0x06}).End();  // add ecx, 1; no instruction
  MachineState state = start;
  state.save_mask = StateMask();
  state.general[4] = reinterpret_cast<uint64_t>(arena.data()) + 4096;
  EXPECT_FALSE(RunTranslated(translator.area(), &state, arena.code()));  // as native code
  EXPECT_EQ(Exits(ROOF_LEAVE_UNDECODABLE), 1u);
  EXPECT_EQ(translator.area()->left_at, reinterpret_cast<uint64_t>(arena.code()) + 3);
  EXPECT_EQ(translator.Counts()[ROOF_C_INSTRUCTIONS], 1u);
}

TEST_F(NativeBlocks, CodeThatUsesGsIsLeftForNativeCode) {
  Code()({0x83, 0xC1, 1})({0x8C, 0xE8}).End();  // add ecx, 1; mov eax, gs
  Run();
  EXPECT_EQ(Exits(ROOF_LEAVE_GS), 1u);
  EXPECT_EQ(Exits(ROOF_LEAVE_STOP), 0u);  // it went on natively to its end
}

TEST_F(NativeBlocks, CodeOutsideOfTheModuleIsLeft) {
  Writer writer(arena);
  // mov rax, data; jmp rax; there: jmp to the end.
  writer({0x48, 0xB8});
  const uint8_t* target = arena.data() + 8192;
  writer({0, 0, 0, 0, 0, 0, 0, 0});
  std::memcpy(arena.code() + 2, &target, sizeof target);
  writer({0xFF, 0xE0});
  uint8_t jump[14] = {0xFF, 0x25, 0, 0, 0, 0};
  const void* stop = EndOfPrograms();
  std::memcpy(jump + 6, &stop, sizeof stop);
  std::memcpy(arena.data() + 8192, jump, sizeof jump);
  Run();
  EXPECT_EQ(Exits(ROOF_LEAVE_OUTSIDE), 1u);
  EXPECT_EQ(translator.area()->left_at, reinterpret_cast<uint64_t>(target));
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 2u);
}

TEST_F(NativeBlocks, SystemCallsExecuteInPlace) {
  Code()({0xB8, 39, 0, 0, 0})({0x0F, 0x05}).End();  // getpid
  Run();
  EXPECT_EQ(end.general[1], reinterpret_cast<uint64_t>(arena.code()) + 7);
  EXPECT_EQ(counts[ROOF_C_INSTRUCTIONS], 3u);
  EXPECT_EQ(Exits(ROOF_LEAVE_SYSTEM_CALL), 0u);
}

TEST_F(NativeBlocks, SystemCallsThatChangeCodeAreLeft) {
  Code()({0xB8, 11, 0, 0, 0})({0x31, 0xFF, 0x31, 0xF6})({0x0F, 0x05}).End();  // munmap
  Run();
  EXPECT_EQ(Exits(ROOF_LEAVE_SYSTEM_CALL), 1u);
  EXPECT_EQ(translator.area()->left_at, reinterpret_cast<uint64_t>(arena.code()) + 9);
}

TEST_F(NativeBlocks, AFullCacheIsSaid) {
  Translator small(arena, 1 << 12);
  Code()({0x48, 0x01, 0xC8}).End();
  MachineState state = start;
  state.save_mask = StateMask();
  state.general[4] = reinterpret_cast<uint64_t>(arena.data()) + 4096;
  ASSERT_TRUE(RunTranslated(small.area(), &state, arena.code()));
  EXPECT_EQ(small.area()->exits[ROOF_LEAVE_NO_MEMORY], 1u);
}

}  // namespace
}  // namespace roofmark
