// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/why_nothing.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "command/cannot_start.h"
#include "command/elf_program.h"
#include "command/forward.h"
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
  const std::optional<ElfProgram> program = ReadElfProgram(path);
  return program && (program->type == ET_EXEC || program->type == ET_DYN) && !program->has_loader;
}

constexpr int kNotExecutable = 126, kNotFound = 127;  // as shells and loaders say

// The first word that is a program by its place, where that cannot be started: not one that a long
// option precedes, whose value it may be, nor a file of data.
std::string WhatCannotStart(const std::vector<std::string>& command, int status) {
  for (size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const bool is_value = i > 0 && command[i - 1].starts_with("--");
    if (word.starts_with('-') || word.find('/') == std::string::npos || is_value) continue;
    const std::string why = WhyItCannotStart(word);
    if (why.empty()) return {};  // what follows are its arguments
    const bool is_data = access(word.c_str(), F_OK) == 0 && access(word.c_str(), X_OK) != 0;
    if (is_data && status != kNotExecutable) continue;
    return fmt::format("{} cannot be started: {}", word, why);
  }
  return {};
}

bool IsOn(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

// Open MPI's launcher starts nothing for root, who has not allowed it in one of these ways.
bool RefusesRoot(const std::vector<std::string>& command, int status, uid_t user) {
  constexpr int kRefused = 1;
  if (user != 0 || status != kRefused || !IsOpenMpiLauncher(command[0])) return false;
  const bool allowed =
      std::find(command.begin(), command.end(), "--allow-run-as-root") != command.end() ||
      (IsOn("OMPI_ALLOW_RUN_AS_ROOT") && IsOn("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")) ||
      (IsOn("PRTE_ALLOW_RUN_AS_ROOT") && IsOn("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"));
  return !allowed;
}

std::string WhyItFailed(const std::vector<std::string>& command, int status, bool preloaded,
                        uid_t user) {
  if (RefusesRoot(command, status, user)) {
    return "Open MPI's launcher refuses to run as root, as its message above says; set "
           "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, or give it "
           "--allow-run-as-root, or be another user";
  }
  if (std::string what = WhatCannotStart(command, status); !what.empty()) return what;
  if (status == kNotFound) {
    return "a program or a shared library was not found, as the message above says; `ldd` lists "
           "the libraries that a program needs";
  }
  if (status == kNotExecutable) {
    return "a program was found, but cannot be executed, as the message above says";
  }
  if (preloaded) return "the program did not begin, as the message above may say";
  return "it failed before its first marker, or it is not linked with -lroofmark (see --preload)";
}

}  // namespace

std::string WhyNothing(const std::vector<std::string>& command, int status, bool preloaded,
                       uid_t user) {
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
    return fmt::format("{} recorded nothing (status {}): {}", command[0], status,
                       WhyItFailed(command, status, preloaded, user));
  }
  if (preloaded) {
    return fmt::format(
        "{} ran, but recorded nothing, though roofmark's library was preloaded: does it start its "
        "program with the variables that it was given (LD_PRELOAD, ROOFMARK_*), and on this kind "
        "of machine?",
        command[0]);
  }
  return fmt::format(
      "{} ran, but recorded nothing: is it linked with -lroofmark (or run with "
      "--preload), and does it reach a marker?",
      command[0]);
}

}  // namespace roofmark::cli
