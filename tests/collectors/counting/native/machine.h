// SPDX-License-Identifier: BSD-3-Clause
//
// Runs code from a given state of all registers, as native code and translated, and keeps the state
// that it ends with.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_MACHINE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_MACHINE_H_

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "collectors/counting/native/native.h"
#include "tests/collectors/counting/memory_fixture.h"

struct ucontext_t;

namespace roofmark {

// The first members are known to the assembly in machine.cc.
struct MachineState {
  uint64_t general[16] = {};  // by encoding; [4] is rsp
  uint64_t flags = 0x202;
  uint64_t save_mask = 0;
  alignas(64) std::array<uint8_t, 4096> vectors = {};  // as XSAVE has them
};

// Code and data of a program, close to each other: 64 KiB each, the code first.
class Arena {
 public:
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  static constexpr size_t kBytes = 1 << 16;
  uint8_t* code() const { return memory_; }
  uint8_t* data() const { return memory_ + kBytes; }

 private:
  uint8_t* memory_;
};

// Where programs end: they jump there.
const void* EndOfPrograms();

// mov rax, the end; jmp rax
std::vector<uint8_t> JumpToEnd();

// Bits of XSAVE's state that programs start from and end with: x87 to AVX-512.
uint64_t StateMask();
// All zero but for the stack pointer, in the arena's data, and what masks exceptions.
MachineState FreshState(const Arena& arena);

// False: a signal (SIGILL, SIGSEGV, SIGFPE, SIGBUS) ended it.
bool RunNatively(MachineState* state, const void* code);
bool RunTranslated(roof_native_area* area, MachineState* state, const void* code);
// Tells of every instruction in the arena, before it is executed.
using Step = std::function<void(const ucontext_t* context)>;
bool RunInSteps(MachineState* state, const void* code, const Arena& arena, const Step& step);

// Takes what translated code accessed.
using Records = std::vector<uint64_t>;
void TakeRecords(void* to, roof_native_area* area, const uint64_t* records, size_t count);
// The same of the segments that windows would take; area->user has the records.
const uint64_t* TakePieces(roof_native_area* area, const uint64_t* begin, const uint64_t* end);

// A translator of the code of an arena; with records it writes accesses down, in segments or not;
// blocks are told apart by their place or not.
class Translator {
 public:
  explicit Translator(const Arena& arena, uint64_t cache_bytes = 1 << 24,
                      Records* records = nullptr, bool in_pieces = false, bool noted = false);
  ~Translator();
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;
  roof_native_area* area() { return area_; }
  roof_native* native() { return native_; }
  std::array<uint64_t, ROOF_COUNTERS> Counts();

 private:
  Memory memory_;
  roof_native* native_;
  roof_native_area* area_;
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_MACHINE_H_
