// SPDX-License-Identifier: BSD-3-Clause
#include "command/elf_program.h"

#include <elf.h>

#include <cstring>
#include <fstream>

namespace roofmark::cli {

std::optional<ElfProgram> ReadElfProgram(const std::string& path) {
  constexpr uint64_t kLongestName = 4096;
  std::ifstream file(path, std::ios::binary);
  const auto read = [&file](void* into, size_t size) {
    return static_cast<bool>(
        file.read(static_cast<char*>(into), static_cast<std::streamsize>(size)));
  };
  Elf64_Ehdr header;
  if (!read(&header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return std::nullopt;
  }
  ElfProgram program;
  program.type = header.e_type;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum && !program.has_loader; ++i) {
    Elf64_Phdr segment;
    if (!read(&segment, sizeof segment)) return std::nullopt;
    if (segment.p_type != PT_INTERP) continue;
    program.has_loader = true;
    if (segment.p_filesz > kLongestName) continue;
    program.loader.resize(segment.p_filesz);
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    read(program.loader.data(), program.loader.size());
    program.loader = program.loader.c_str();  // without the zero at its end
  }
  return program;
}

}  // namespace roofmark::cli
