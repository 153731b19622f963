// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/manual/completion.h"

namespace roofmark::cli {
namespace {

// "-l output -s o"
std::string FishNames(const OptionPage& option) {
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.compare(0, 2, "--") == 0;
    text += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return text;
}

std::string FishValue(const OptionPage& option) {
  if (option.optional_value) return "";
  switch (KindOf(option)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kWords:
      return fmt::format(" -x -a '{}'", Joined(option.words, " "));
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kDirectory:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kOther:
      return " -x";
  }
  return "";
}

}  // namespace

std::string FishCompletion(const std::vector<CommandPage>& pages) {
  std::string text =
      "# Completion of roofmark for fish. Made from the tables of `roofmark --help`.\n"
      "complete -c roofmark -n __fish_use_subcommand -f\n";
  for (const CommandPage& page : pages) {
    std::string when = "__fish_use_subcommand";
    if (!page.name.empty()) {
      text += fmt::format("complete -c roofmark -n __fish_use_subcommand -a {} -d {}\n", page.name,
                          Quoted(page.about));
      when = fmt::format("'__fish_seen_subcommand_from {}'", page.name);
    }
    for (const OptionPage& option : page.options) {
      if (option.positional) continue;
      text += fmt::format("complete -c roofmark -n {}{}{} -d {}\n", when, FishNames(option),
                          FishValue(option), Quoted(option.text));
    }
  }
  return text;
}

}  // namespace roofmark::cli
