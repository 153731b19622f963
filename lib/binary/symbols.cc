// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "lib/core/file_name.h"

namespace roofmark::binary {
namespace {

void ReadTable(const ElfFile& file, const Section& table, std::vector<Symbol>& symbols) {
  if (table.link >= file.sections().size()) return;
  const std::string entries = file.Read(table);
  const std::string names = file.Read(file.sections()[table.link]);
  uint32_t unit = 0;
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= entries.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym entry = {};
    std::memcpy(&entry, entries.data() + at, sizeof entry);
    const unsigned type = ELF64_ST_TYPE(entry.st_info);
    const unsigned binding = ELF64_ST_BIND(entry.st_info);
    if (type == STT_FILE) ++unit;
    const bool code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
    if (!code || entry.st_shndx == SHN_UNDEF || entry.st_shndx == SHN_ABS) continue;
    if (entry.st_name >= names.size()) continue;
    symbols.push_back({names.c_str() + entry.st_name, entry.st_value, entry.st_size,
                       type != STT_NOTYPE, type == STT_GNU_IFUNC, binding != STB_LOCAL,
                       binding == STB_WEAK, binding == STB_LOCAL ? unit : 0});
  }
}

// By address. Only damaged files have some.
std::vector<FrameExtent> WithoutOverlaps(std::vector<FrameExtent> code) {
  std::sort(code.begin(), code.end(),
            [](const FrameExtent& a, const FrameExtent& b) { return a.begin < b.begin; });
  std::vector<FrameExtent> kept;
  for (const FrameExtent& extent : code) {
    if (kept.empty() || extent.begin >= kept.back().end) kept.push_back(extent);
  }
  return kept;
}

}  // namespace

std::vector<Symbol> ReadSymbols(const ElfFile& file) {
  std::vector<Symbol> symbols;
  for (const Section& section : file.sections()) {
    if (section.type != SHT_SYMTAB && section.type != SHT_DYNSYM) continue;
    ReadTable(file, section, symbols);
  }
  return symbols;
}

std::vector<FrameExtent> ReadCode(const ElfFile& file) {
  std::vector<FrameExtent> code;
  const auto add = [&](uint64_t address, uint64_t bytes) {
    const bool sound = address >= file.base() && bytes != 0 && address + bytes > address;
    if (sound) code.push_back({address, address + bytes});
  };
  for (const Segment& segment : file.segments()) {
    if (file.sections().empty() && segment.executable) add(segment.address, segment.bytes);
  }
  for (const Section& section : file.sections()) {
    const bool executable = (section.flags & SHF_EXECINSTR) != 0;
    if (executable && !section.name.starts_with(".plt")) add(section.address, section.bytes);
  }
  return WithoutOverlaps(std::move(code));
}

FunctionInput ReadFunctionInput(const ElfFile& file) {
  FunctionInput input{
      std::string(FileName(file.path())), file.base(), ReadSymbols(file), {}, ReadCode(file)};
  if (const Section* frames = file.Find(".eh_frame")) {
    input.frames = ReadFrames(file.Read(*frames), frames->address);
  }
  return input;
}

}  // namespace roofmark::binary
