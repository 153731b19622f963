// SPDX-License-Identifier: BSD-3-Clause
#include "command/compilation.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace roofmark::cli {
namespace {

constexpr uint64_t kMostStrings = uint64_t{1} << 30;  // bytes
constexpr uint64_t kMostNameBytes = 16 << 20;         // of sections, bytes
constexpr size_t kMostOfString = 4096;  // options of a compilation beyond that are cut

// Reads exactly so much; false at the end of the file.
bool Read(std::ifstream& file, uint64_t offset, void* into, size_t size) {
  if (offset > static_cast<uint64_t>(INT64_MAX)) return false;
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(static_cast<char*>(into), static_cast<std::streamsize>(size)));
}

bool IsElf64(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shnum != 0 &&
         header.e_shstrndx < header.e_shnum;
}

// The section that holds the strings of the debug information, where it is not compressed.
std::optional<Elf64_Shdr> DebugStrings(std::ifstream& file) {
  Elf64_Ehdr header;
  if (!Read(file, 0, &header, sizeof header) || !IsElf64(header)) return std::nullopt;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!Read(file, header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr))) {
    return std::nullopt;
  }
  const Elf64_Shdr& named = sections[header.e_shstrndx];
  if (named.sh_size > kMostNameBytes) return std::nullopt;
  std::string names(named.sh_size, '\0');
  if (!Read(file, named.sh_offset, names.data(), names.size())) return std::nullopt;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_name >= names.size() || section.sh_type == SHT_NOBITS) continue;
    if (std::strcmp(names.c_str() + section.sh_name, ".debug_str") != 0) continue;
    if ((section.sh_flags & SHF_COMPRESSED) != 0) return std::nullopt;
    return section;
  }
  return std::nullopt;
}

// Calls take(string) for all of a section, cut to kMostOfString, until it returns false.
template <typename Take>
void ForEachString(std::ifstream& file, const Elf64_Shdr& section, Take take) {
  std::vector<char> chunk(size_t{1} << 20);
  std::string begun;
  uint64_t left = std::min<uint64_t>(section.sh_size, kMostStrings), at = section.sh_offset;
  while (left > 0) {
    const auto size = static_cast<size_t>(std::min<uint64_t>(left, chunk.size()));
    if (!Read(file, at, chunk.data(), size)) return;
    at += size;
    left -= size;
    std::string_view rest(chunk.data(), size);
    for (size_t end; (end = rest.find('\0')) != rest.npos; rest.remove_prefix(end + 1)) {
      const std::string_view whole = rest.substr(0, std::min(end, kMostOfString));
      if (!take(begun.empty() ? whole : std::string_view(begun += whole))) return;
      begun.clear();
    }
    if (begun.size() < kMostOfString) begun += rest.substr(0, kMostOfString);
  }
}

// Where the shell, or a launcher, finds the program on this machine.
std::string FindIn(const std::string& name, const std::string& directory) {
  if (name.find('/') != name.npos) return std::filesystem::path(directory) / name;
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path found = std::filesystem::path(rest.substr(0, end)) / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(found, ignored)) return found;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace

bool IsGccsDescription(std::string_view producer) {
  constexpr std::array kLanguages = {"GNU C", "GNU Fortran", "GNU F", "GNU GIMPLE"};
  return std::any_of(kLanguages.begin(), kLanguages.end(),
                     [&](const char* language) { return producer.starts_with(language); }) &&
         producer.find(" -m") != producer.npos;
}

bool IsOptimised(std::string_view producer) {
  const size_t last = producer.rfind(" -O");
  if (last == producer.npos) return false;
  return last + 3 == producer.size() || producer[last + 3] != '0';
}

bool CompiledWithoutOptimisation(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  const std::optional<Elf64_Shdr> section = DebugStrings(file);
  if (!section) return false;
  bool described = false, perhaps_optimised = false;
  ForEachString(file, *section, [&](std::string_view text) {
    // Of clang's parts nothing is known, nor of options that were cut.
    perhaps_optimised = text.find("clang version") != text.npos;
    if (IsGccsDescription(text)) {
      described = true;
      perhaps_optimised = IsOptimised(text) || text.size() >= kMostOfString;
    }
    return !perhaps_optimised;
  });
  return described && !perhaps_optimised;
}

void NoteCompilation(const std::string& directory, RunInfo& run) {
  for (PassInfo& pass : run.passes) {
    if (!pass.times_are_real || pass.command.empty()) continue;
    const std::string program = FindIn(pass.command[0], directory);
    if (!program.empty() && CompiledWithoutOptimisation(program)) {
      pass.facts[kCompiledFact] = kWithoutOptimisation;
    }
  }
}

}  // namespace roofmark::cli
