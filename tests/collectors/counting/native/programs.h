// SPDX-License-Identifier: BSD-3-Clause
//
// Random programs: blocks of instructions of every kind that may be executed with any values, and
// the branches between them. Each ends.
//
// r14 points to the data, r15 counts iterations and holds targets, rsp points to the second half of
// the data; no random instruction writes them.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_PROGRAMS_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_PROGRAMS_H_

#include <Zydis/Zydis.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/collectors/counting/native/machine.h"

namespace roofmark {

constexpr size_t kDataAt = 16384;   // r14, from the begin of the data
constexpr size_t kStackAt = 49152;  // rsp

class Programs {
 public:
  Programs(const Arena& arena, uint64_t seed);

  // Writes a program to the arena, and returns the number of its blocks.
  int Make();
  // Random values in registers and data; the same for one seed.
  MachineState Start(uint64_t seed) const;
  // The program as hexadecimal bytes.
  std::string Text() const;

 private:
  // One instruction without a branch.
  void Add();
  std::vector<uint8_t> Draw();
  void AddMemory(std::vector<uint8_t>* bytes, int form);
  bool IsAllowed(const std::vector<uint8_t>& bytes, size_t place);
  bool Executes(ZydisMnemonic mnemonic, const std::vector<uint8_t>& bytes);
  void Call(size_t function);
  void Jump(size_t later);
  void End(size_t block, size_t blocks);
  void Body(unsigned most);
  void Loop();
  void Append(std::initializer_list<unsigned> bytes);
  void AppendTarget(size_t block);
  void AppendLea(size_t block);
  void AppendAddress(const void* address);
  unsigned Random(unsigned below) { return static_cast<unsigned>(random_() % below); }

  const Arena& arena_;
  std::mt19937_64 random_;
  ZydisDecoder decoder_;
  size_t at_ = 0;
  std::vector<size_t> block_at_;
  struct Fixup {
    size_t at;
    size_t block;
    bool absolute;
  };
  std::vector<Fixup> fixups_;
  std::map<std::pair<int, int>, bool> executes_;  // by mnemonic and encoding
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_PROGRAMS_H_
