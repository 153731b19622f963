// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/build_id.h"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace roofmark {

std::string_view FindBuildId(std::string_view notes) noexcept {
  constexpr char kGnu[] = "GNU";  // its zero belongs to it
  const auto aligned = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr note;  // the same for 32 bits
    std::memcpy(&note, notes.data() + at, sizeof note);
    const uint64_t name = at + sizeof note;
    const uint64_t content = name + aligned(note.n_namesz);
    if (content + note.n_descsz > notes.size()) break;
    const bool is_gnu = notes.substr(name, note.n_namesz) == std::string_view(kGnu, sizeof kGnu);
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= kMostBuildIdBytes) {
      return notes.substr(content, note.n_descsz);
    }
    at = content + aligned(note.n_descsz);
  }
  return {};
}

std::string Hexadecimal(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace roofmark
