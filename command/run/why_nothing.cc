// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/why_nothing.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "lib/core/file_name.h"

namespace roofmark::cli {
namespace {

// Words that start a program with other variables than their own, so that it hears nothing of
// roofmark's.
struct ClearsVariables {
  std::string_view word;
  std::string_view option;  // behind it; empty: always
  std::string_view cure;
};

constexpr ClearsVariables kClear[] = {
    {"env", "-i", "leave out -i"},
    {"env", "-", "leave out -"},
    {"env", "--ignore-environment", "leave out --ignore-environment"},
    {"sudo", "", "run roofmark itself as that user: sudo roofmark run -- ..."},
    {"su", "", "run roofmark itself as that user"},
    {"ssh", "", "run roofmark there: ssh HOST roofmark run -- ..."},
    {"docker", "", "run roofmark inside of the container, where its library is"},
    {"podman", "", "run roofmark inside of the container, where its library is"},
    {"apptainer", "--cleanenv", "leave out --cleanenv"},
    {"singularity", "--cleanenv", "leave out --cleanenv"},
    {"srun", "--export=NONE", "leave out --export=NONE"},
};

const ClearsVariables* WhatClears(const std::vector<std::string>& command) {
  for (size_t i = 0; i < command.size(); ++i) {
    const std::string_view name = FileName(command[i]);
    for (const ClearsVariables& row : kClear) {
      if (name != row.word) continue;
      const bool has_option = std::find(command.begin() + static_cast<ptrdiff_t>(i), command.end(),
                                        row.option) != command.end();
      if (row.option.empty() || has_option) return &row;
    }
  }
  return nullptr;
}

// An executable that no dynamic linker loads. Files of another kind are none.
bool IsStatic(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  const auto read = [&file](void* into, size_t size) {
    return static_cast<bool>(
        file.read(static_cast<char*>(into), static_cast<std::streamsize>(size)));
  };
  if (!read(&header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return false;
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) return false;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read(&segment, sizeof segment) || segment.p_type == PT_INTERP) return false;
  }
  return true;
}

}  // namespace

std::string WhyNothing(const std::vector<std::string>& command, int status) {
  for (const std::string& word : command) {
    const bool is_path = word.find('/') != std::string::npos;
    if (is_path && IsStatic(word)) {
      return fmt::format(
          "{} recorded nothing: it is linked statically, and roofmark's library can neither be in "
          "it nor be preloaded; link it without -static",
          word);
    }
  }
  if (const ClearsVariables* row = WhatClears(command)) {
    return fmt::format(
        "{} recorded nothing: {} starts a program without the variables that roofmark sets for it; "
        "{}",
        command[0],
        row->option.empty() ? std::string(row->word) : fmt::format("{} {}", row->word, row->option),
        row->cure);
  }
  // A launcher that refuses to start the program ends with a status, and so does a program that
  // fails before its first marker.
  if (status != 0) {
    return fmt::format(
        "{} recorded nothing: it failed before its first marker, or it is not "
        "linked with -lroofmark (see --preload)",
        command[0]);
  }
  return fmt::format(
      "{} ran, but recorded nothing: is it linked with -lroofmark (or run with "
      "--preload), and does it reach a marker?",
      command[0]);
}

}  // namespace roofmark::cli
