// SPDX-License-Identifier: BSD-3-Clause
#include "command/cannot_start.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "command/elf_program.h"
#include "lib/core/shell_word.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

// Of what this command was built for.
#if defined(__x86_64__)
constexpr uint16_t kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kOwnMachine = EM_AARCH64;
#else
constexpr uint16_t kOwnMachine = EM_NONE;
#endif

bool IsThere(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string FirstBytes(const std::string& path, size_t count) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

// "#!/bin/sh -e" names /bin/sh.
std::string WhyNoScript(const std::string& bytes) {
  const std::string line = bytes.substr(2, bytes.find('\n') - 2);
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return "its #! line names no interpreter";
  const std::string interpreter = line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
  if (!IsThere(interpreter)) {
    return fmt::format("its interpreter {} is not there; install it, or correct its first line",
                       interpreter);
  }
  if (line.back() == '\r') {
    return "its lines end as those of Windows do; take the carriage returns out (dos2unix)";
  }
  return {};
}

std::string WhyNoBinary(const std::string& path, const std::string& bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return "it is cut off; copy or link it again";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (kOwnMachine != EM_NONE && header.e_machine != kOwnMachine) {
    return "it is a program for another kind of CPU; compile it for this one";
  }
  const std::optional<ElfProgram> program = ReadElfProgram(path);
  if (!program || program->loader.empty() || IsThere(program->loader)) return {};
  return fmt::format("its loader {} is not there; link it on this system", program->loader);
}

}  // namespace

bool IsBinary(const std::string& path) { return FirstBytes(path, SELFMAG) == ELFMAG; }

std::string WhyItCannotStart(const std::string& path) {
  std::error_code error;
  if (!IsThere(path)) return "there is no such file; check the path";
  if (fs::is_directory(path, error)) return "it is a directory; give the program in it";
  if (access(path.c_str(), X_OK) != 0) {
    return fmt::format("it may not be executed; chmod +x {}", ShellWord(path));
  }
  constexpr size_t kFirst = 512;
  const std::string bytes = FirstBytes(path, kFirst);
  if (bytes.empty()) return "it is empty; build it again";
  if (bytes.compare(0, 2, "#!") == 0) return WhyNoScript(bytes);
  return bytes.compare(0, SELFMAG, ELFMAG) == 0 ? WhyNoBinary(path, bytes) : "";
}

}  // namespace roofmark::cli
