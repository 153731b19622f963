// SPDX-License-Identifier: BSD-3-Clause
#include "command/forward.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kList[] = "OMPI_MCA_mca_base_env_list";

std::set<std::string> Names(const Child& child) {
  std::set<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("ROOFMARK")) names.emplace(text.substr(0, text.find('=')));
  }
  for (const auto& [name, value] : child.environment) {
    value ? (void)names.insert(name) : (void)names.erase(name);
  }
  return names;
}

}  // namespace

std::string FindProgram(const std::string& program) {
  const auto can_be_executed = [](const std::string& file) {
    return access(file.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) return can_be_executed(program) ? program : "";
  const char* path = std::getenv("PATH");
  std::istringstream places(path == nullptr ? "" : path);
  for (std::string place; std::getline(places, place, ':');) {
    const std::string file = place + "/" + program;
    if (can_be_executed(file)) return file;
  }
  return "";
}

// A name like mpirun may be a link to it, or, from version 5 on, a program beside ompi_info.
bool IsOpenMpiLauncher(const std::string& program) {
  const std::string name = fs::path(program).filename();
  if (!name.starts_with("mpirun") && !name.starts_with("mpiexec") && name != "orterun")
    return false;
  std::error_code error;
  const fs::path file = fs::canonical(FindProgram(program), error);
  if (error || file.filename().string().find("hydra") != std::string::npos) return false;
  return file.filename() == "orterun" || fs::exists(file.parent_path() / "ompi_info", error);
}

void ForwardVariables(Child& child) {
  if (child.command.empty() || !IsOpenMpiLauncher(child.command[0])) return;
  const std::set<std::string> names = Names(child);
  std::vector<std::string>& command = child.command;
  if (std::find(command.begin(), command.end(), "-x") == command.end()) {
    const char* known = std::getenv(kList);
    const std::string before = known == nullptr || *known == '\0' ? "" : std::string(known) + ";";
    child.environment[kList] = before + fmt::format("{}", fmt::join(names, ";"));
    return;
  }
  // The options of each of several programs, which `:` divides, are its own.
  std::vector<std::string> forwarding;
  for (const std::string& word : command) {
    forwarding.push_back(word);
    if (forwarding.size() > 1 && word != ":") continue;
    for (const std::string& name : names) forwarding.insert(forwarding.end(), {"-x", name});
  }
  command = std::move(forwarding);
}

}  // namespace roofmark::cli
