// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/counting/native/programs.h"

#include <cstring>

#include "tests/collectors/counting/native/allowed.h"

namespace roofmark {
namespace {

constexpr int kMemoryForms = 3;  // [r14 + distance], [rip + distance], [rsp + distance]
constexpr size_t kMostCode = 16384;

}  // namespace

Programs::Programs(const Arena& arena, uint64_t seed) : arena_(arena), random_(seed) {
  ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

void Programs::Append(std::initializer_list<unsigned> bytes) {
  for (unsigned byte : bytes) arena_.code()[at_++] = static_cast<uint8_t>(byte);
}

// ModRM and what follows. Distances to vectors are aligned.
void Programs::AddMemory(std::vector<uint8_t>* bytes, int form) {
  const auto reg = static_cast<uint8_t>(Random(8) << 3);
  const auto distance = static_cast<int32_t>(Random(128) * 64) - 4096;
  const auto* raw = reinterpret_cast<const uint8_t*>(&distance);
  switch (form) {
    case 0:
      bytes->push_back(0x86 | reg);
      bytes->insert(bytes->end(), raw, raw + 4);
      break;
    case 1:  // patched once the length is known
      bytes->push_back(0x05 | reg);
      bytes->insert(bytes->end(), {0, 0, 0, 0});
      break;
    default:
      bytes->insert(bytes->end(),
                    {static_cast<uint8_t>(0x44 | reg), 0x24, static_cast<uint8_t>(Random(16) * 8)});
      break;
  }
}

// Random bits in a valid frame: prefixes, opcode, operands, immediates.
std::vector<uint8_t> Programs::Draw() {
  std::vector<uint8_t> bytes;
  const unsigned frame = Random(10);
  const int form = Random(3) == 0 ? static_cast<int>(Random(kMemoryForms)) : -1;
  const bool base_is_high = form < 0 ? Random(2) : form == 0;
  const auto opcode = static_cast<uint8_t>(Random(256));
  if (frame < 4) {  // legacy
    static constexpr uint8_t kPrefixes[] = {0x66, 0xF2, 0xF3};
    if (Random(3) == 0) bytes.push_back(kPrefixes[Random(3)]);
    if (Random(2) || form == 0)
      bytes.push_back(static_cast<uint8_t>(0x40 | (Random(8) << 1 & 0xC) | (base_is_high ? 1 : 0)));
    if (frame > 0) bytes.push_back(0x0F);
    if (frame == 3) bytes.push_back(Random(2) ? 0x38 : 0x3A);
  } else if (frame < 7) {  // VEX, three bytes
    bytes.push_back(0xC4);
    bytes.push_back(static_cast<uint8_t>((Random(8) << 5 & 0xC0) | (base_is_high ? 0 : 0x20) |
                                         (1 + Random(3))));
    bytes.push_back(static_cast<uint8_t>(Random(256)));
    if (Random(3) == 0) bytes.back() |= 0x78;
  } else {  // EVEX
    bytes.push_back(0x62);
    bytes.push_back(static_cast<uint8_t>((Random(16) << 4 & 0xD0) | (base_is_high ? 0 : 0x20) |
                                         (1 + Random(3))));
    bytes.push_back(static_cast<uint8_t>(Random(256) | 4));
    bytes.push_back(static_cast<uint8_t>(Random(256)));
    if (form >= 0) bytes[1] |= 0x40;
  }
  bytes.push_back(opcode);
  if (form < 0) {
    bytes.push_back(static_cast<uint8_t>(0xC0 | Random(64)));
  } else {
    AddMemory(&bytes, form);
  }
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(Random(256)));
  return bytes;
}

// Whether the CPU has it: tried alone, once for each mnemonic and encoding.
bool Programs::Executes(ZydisMnemonic mnemonic, const std::vector<uint8_t>& bytes) {
  const auto key = std::make_pair(static_cast<int>(mnemonic), bytes[0] == 0x62 ? 1 : 0);
  const auto known = executes_.find(key);
  if (known != executes_.end()) return known->second;
  const size_t at = at_;
  at_ = kMostCode * 2;
  uint8_t* begin = arena_.code() + at_;
  std::memcpy(begin, bytes.data(), bytes.size());
  at_ += bytes.size();
  Append({0xFF, 0x25, 0, 0, 0, 0});
  AppendAddress(EndOfPrograms());
  at_ = at;
  MachineState state = Start(1);
  return executes_[key] = RunNatively(&state, begin);
}

bool Programs::IsAllowed(const std::vector<uint8_t>& bytes, size_t place) {
  ZydisDecodedInstruction in;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes.data(), bytes.size(), &in, operands)))
    return false;
  if (IsExcluded(in) || !HasAllowedOperands(in, operands)) return false;
  std::vector<uint8_t> exact(bytes.begin(), bytes.begin() + in.length);
  if (in.attributes & ZYDIS_ATTRIB_IS_RELATIVE) {
    const auto distance =
        static_cast<int32_t>(Arena::kBytes + kDataAt + Random(64) * 64 - (place + in.length));
    if (in.raw.disp.size != 32) return false;
    std::memcpy(&exact[in.raw.disp.offset], &distance, sizeof distance);
    // Tried alone it would be elsewhere: by another form of its memory operand.
    const auto known = executes_.find({in.mnemonic, bytes[0] == 0x62 ? 1 : 0});
    if (known == executes_.end()) return false;
  }
  if (!Executes(in.mnemonic, exact)) return false;
  std::memcpy(arena_.code() + place, exact.data(), exact.size());
  at_ = place + exact.size();
  return true;
}

void Programs::Add() {
  while (!IsAllowed(Draw(), at_)) {
  }
}

void Programs::Body(unsigned most) {
  for (unsigned n = Random(most + 1); n > 0; --n) Add();
}

void Programs::AppendTarget(size_t block) {
  fixups_.push_back({at_, block, false});
  Append({0, 0, 0, 0});
}

void Programs::AppendAddress(const void* address) {
  std::memcpy(arena_.code() + at_, &address, sizeof address);
  at_ += sizeof address;
}

int Programs::Make() {
  const size_t blocks = 5 + Random(6);
  at_ = 0;
  block_at_.clear();
  fixups_.clear();
  for (size_t i = 0; i + 3 < blocks; ++i) {
    block_at_.push_back(at_);
    if (Random(3) == 0) Loop();
    Body(8);
    End(i, blocks);
  }
  block_at_.push_back(at_);
  Append({0xFF, 0x25, 0, 0, 0, 0});
  AppendAddress(EndOfPrograms());
  for (int i = 0; i < 2; ++i) {  // functions: what they push they take off
    block_at_.push_back(at_);
    if (i == 0) Append({0x50});
    Append({0x41, 0xBF, 1 + Random(9), 0, 0, 0, 0x41, 0xFF, 0xCF, 0x75, 0xFB});
    if (i == 0) Append({0x58});
    Append({0xC3});
  }
  for (const Fixup& fixup : fixups_) {
    const uint8_t* to = arena_.code() + block_at_[fixup.block];
    uint8_t* from = arena_.code() + fixup.at;
    const auto distance = static_cast<int32_t>(to - from - 4);
    if (fixup.absolute) {
      std::memcpy(from, &to, sizeof to);
    } else {
      std::memcpy(from, &distance, sizeof distance);
    }
  }
  return static_cast<int>(blocks);
}

MachineState Programs::Start(uint64_t seed) const {
  std::mt19937_64 random(seed);
  MachineState state;
  const size_t words = Arena::kBytes / sizeof(uint64_t);
  auto* data = reinterpret_cast<uint64_t*>(arena_.data());
  for (size_t i = 0; i < words; ++i) data[i] = random();
  for (uint64_t& value : state.general) value = random();
  state.general[4] = reinterpret_cast<uint64_t>(arena_.data()) + kStackAt;
  state.general[14] = reinterpret_cast<uint64_t>(arena_.data()) + kDataAt;
  state.flags = 0x202 | (random() & 0x8D5);
  state.save_mask = StateMask();
  for (size_t i = 32; i < 416; ++i) state.vectors[i] = static_cast<uint8_t>(random());
  for (size_t i = 576; i < state.vectors.size(); ++i)
    state.vectors[i] = static_cast<uint8_t>(random());
  state.vectors[0] = 0x7F;  // no x87 exception is raised
  state.vectors[1] = 0x03;
  state.vectors[24] = 0x80;  // nor one of SSE
  state.vectors[25] = 0x1F;
  for (size_t i = 0; i < 8; ++i)  // upper bytes of x87 registers
    std::memset(&state.vectors[32 + 16 * i + 10], 0, 6);
  state.vectors[512] = static_cast<uint8_t>(StateMask());
  return state;
}

std::string Programs::Text() const {
  std::string text;
  for (size_t i = 0; i < at_; ++i) {
    text += "0123456789abcdef"[arena_.code()[i] >> 4];
    text += "0123456789abcdef"[arena_.code()[i] & 15];
  }
  return text;
}

}  // namespace roofmark
