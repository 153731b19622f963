// SPDX-License-Identifier: BSD-3-Clause
#include "command/programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "lib/core/file_name.h"
#include "lib/core/first_names.h"
#include "lib/core/messages/command_run.h"
#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

const PassInfo& PassOf(const RooflineFile& file) {
  static const PassInfo kNone;
  return file.job.run.passes.empty() ? kNone : file.job.run.passes[0];
}

std::string ExecutableOf(const std::vector<std::string>& command) {
  return command.empty() ? "" : command[0];
}

// 0 where it is not known: of processes that died, and in files of before.
double CpuNs(const RooflineFile& file) {
  const Cell& cpu = file.job.run.kernel.cpu_ns;
  return cpu.ranks > 0 ? cpu.SumAsDouble() : 0;
}

// Processes that died do not know their CPU time: the time until their last sign of life.
double TimeNs(const RooflineFile& file) {
  const double cpu = CpuNs(file);
  return cpu > 0 || file.job.run.recovered_ranks == 0 ? cpu : PassOf(file).wall_s * 1e9;
}

// Of those with regions, where there are some, the one with most CPU time. Where several are alike
// in that, the one that ran longest: it may have started the others.
size_t MostImportant(const std::vector<Program>& programs) {
  constexpr double kAlikeNs = 50e6, kAlikeShare = 0.5;
  const auto has_regions = [](const Program& one) { return !one.file.job.paths.empty(); };
  const bool any = std::any_of(programs.begin(), programs.end(), has_regions);
  double most_ns = 0;
  for (const Program& one : programs) {
    if (has_regions(one) == any) most_ns = std::max(most_ns, CpuNs(one.file));
  }
  const double least_ns = std::min(most_ns - kAlikeNs, most_ns * kAlikeShare);
  size_t chosen = programs.size();
  for (size_t i = 0; i < programs.size(); ++i) {
    const RooflineFile& file = programs[i].file;
    if (has_regions(programs[i]) != any || CpuNs(file) < least_ns) continue;
    const bool longer =
        chosen == programs.size() || PassOf(file).wall_s > PassOf(programs[chosen].file).wall_s;
    if (longer) chosen = i;
  }
  return chosen;
}

// "NAME", or "NAME:2" for the second one.
struct NameAndNumber {
  std::string name;
  size_t number = 1;
};

NameAndNumber ParseName(const std::string& text) {
  const size_t colon = text.rfind(':');
  size_t number = 0;
  if (colon != std::string::npos) {
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, number);
    if (read.ec == std::errc() && read.ptr == end && number > 0) {
      return {text.substr(0, colon), number};
    }
  }
  return {text};
}

bool IsNamed(const ProgramKey& key, const std::string& name) {
  return std::any_of(key.command.begin(), key.command.end(), [&name](const std::string& word) {
    return word == name || FileName(word) == name;
  });
}

// By its executable; of an interpreter by the script.
std::optional<size_t> NamedProgram(const std::string& text, const std::vector<Program>& programs) {
  const NameAndNumber wanted = ParseName(text);
  for (const bool by_executable : {true, false}) {
    size_t seen = 0;
    for (size_t i = 0; i < programs.size(); ++i) {
      ProgramKey key = programs[i].key;
      if (by_executable && key.command.size() > 1) key.command.resize(1);
      if (IsNamed(key, wanted.name) && ++seen == wanted.number) return i;
    }
  }
  return std::nullopt;
}

std::string List(const std::vector<Program>& programs) {
  constexpr size_t kNamed = 5;
  std::vector<std::string> names;
  for (const Program& program : programs) names.push_back(Shown(program.key));
  return FirstNames(names, kNamed);
}

}  // namespace

std::vector<ProgramKey> KeysOf(const std::vector<std::vector<std::string>>& commands) {
  std::map<std::vector<std::string>, uint32_t> alike;
  std::map<std::string, uint32_t> of_executable;
  std::vector<ProgramKey> keys;
  for (const std::vector<std::string>& command : commands) {
    keys.push_back({command, alike[command]++, of_executable[ExecutableOf(command)]++});
  }
  for (ProgramKey& key : keys) key.of_executable = of_executable[ExecutableOf(key.command)];
  return keys;
}

std::vector<Program> ProgramsOf(std::vector<RooflineFile> files) {
  std::stable_sort(files.begin(), files.end(), [](const RooflineFile& a, const RooflineFile& b) {
    return PassOf(a).start_time < PassOf(b).start_time;
  });
  std::vector<std::vector<std::string>> commands;
  for (const RooflineFile& file : files) {
    commands.push_back(PassOf(file).command);
    if (IsForked(file.job.run)) commands.back().emplace_back("(children)");
  }
  const std::vector<ProgramKey> keys = KeysOf(commands);
  std::vector<Program> programs;
  for (size_t i = 0; i < files.size(); ++i) programs.push_back({keys[i], std::move(files[i])});
  return programs;
}

std::optional<size_t> FindKey(const ProgramKey& key, const std::vector<ProgramKey>& keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].command == key.command && keys[i].nth == key.nth) return i;
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    const ProgramKey& other = keys[i];
    if (ExecutableOf(other.command) == ExecutableOf(key.command) &&
        other.nth_of_executable == key.nth_of_executable &&
        other.of_executable == key.of_executable) {
      return i;
    }
  }
  return std::nullopt;
}

const Program* FindProgram(const ProgramKey& key, const std::vector<Program>& programs) {
  std::vector<ProgramKey> keys;
  for (const Program& program : programs) keys.push_back(program.key);
  const std::optional<size_t> found = FindKey(key, keys);
  return found ? &programs[*found] : nullptr;
}

bool DeservesAFile(const Program& other, const RooflineFile& chosen) {
  constexpr double kShare = 0.1;
  const double own = TimeNs(other.file);
  return !other.file.job.paths.empty() || (own > 0 && own >= kShare * CpuNs(chosen));
}

bool IsOnTheWay(const Program& program, const std::vector<std::string>& command) {
  constexpr double kLongNs = 100e6;
  const std::string name = ExecutableOf(program.key.command);
  const bool is_named = std::any_of(command.begin(), command.end(), [&](const std::string& word) {
    return FileName(word) == FileName(name);
  });
  return program.file.job.paths.empty() && TimeNs(program.file) < kLongNs && !is_named;
}

size_t ProgramChoice::First(const std::vector<Program>& programs,
                            std::vector<std::string>& notes) const {
  if (!name_.empty()) {
    if (const std::optional<size_t> named = NamedProgram(name_, programs)) return *named;
    notes.push_back(InWords(message::kNoSuchProgram, name_, List(programs)));
  }
  return MostImportant(programs);
}

std::optional<size_t> ProgramChoice::In(const std::vector<Program>& programs,
                                        std::vector<std::string>& notes) {
  if (!key_) {
    const size_t first = First(programs, notes);
    key_ = programs[first].key;
    alone_ = programs.size() == 1;
    return first;
  }
  if (alone_ && programs.size() == 1) return 0;
  if (const Program* same = FindProgram(*key_, programs)) {
    return static_cast<size_t>(same - programs.data());
  }
  notes.push_back(InWords(message::kProgramIsMissing, Shown(*key_), List(programs)));
  return std::nullopt;
}

std::string NameOf(const ProgramKey& key) {
  const std::string name = ExecutableOf(key.command);
  return key.nth_of_executable == 0 ? name : fmt::format("{}:{}", name, key.nth_of_executable + 1);
}

std::string Shown(const ProgramKey& key) {
  constexpr size_t kWidth = 60;
  if (key.command.empty()) return "(unnamed)";
  const std::string words = Printable(fmt::format("{}", fmt::join(key.command, " ")));
  const std::string text = Shorten(words, kWidth, "...");
  return key.nth == 0 ? text : fmt::format("{} (number {})", text, key.nth + 1);
}

}  // namespace roofmark::cli
