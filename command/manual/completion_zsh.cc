// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/manual/completion.h"

namespace roofmark::cli {
namespace {

// Text within brackets of a specification of _arguments.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : FirstLine(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string ZshValue(const OptionPage& option) {
  const std::string name = Escaped(option.positional ? option.names[0] : option.value);
  switch (KindOf(option)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kWords:
      return fmt::format(":value:({})", Joined(option.words, " "));
    case ValueKind::kFile:
      return fmt::format(":{}:_files", name);
    case ValueKind::kDirectory:
      return fmt::format(":{}:_files -/", name);
    case ValueKind::kOther:
      return fmt::format(":{}: ", name);
  }
  return "";
}

// One specification for each name, so that either may stand anywhere.
std::string Specifications(const CommandPage& page) {
  std::string text;
  for (const OptionPage& option : page.options) {
    if (option.positional) continue;
    for (const std::string& name : option.names) {
      const std::string value = option.optional_value ? "" : ZshValue(option);
      text += " \\\n        " + Quoted(name + "[" + Escaped(option.text) + "]" + value);
    }
  }
  return text;
}

}  // namespace

std::string ZshCompletion(const std::vector<CommandPage>& pages) {
  std::string subcommands, cases, own;
  for (const CommandPage& page : pages) {
    if (page.name.empty()) {
      own = Specifications(page);
      continue;
    }
    subcommands += "    " + Quoted(page.name + ":" + Escaped(page.about)) + "\n";
    cases += fmt::format("    {})\n      _arguments -S{} \\\n        '*:file:_files'\n      ;;\n",
                         page.name, Specifications(page));
  }
  return "#compdef roofmark\n"
         "# Completion of roofmark for zsh. Made from the tables of `roofmark --help`.\n"
         "_roofmark() {\n  local curcontext=$curcontext state line\n  local -a subcommands=(\n" +
         subcommands + "  )\n  _arguments -C" + own +
         " \\\n        '1: :->subcommand' '*:: :->rest'\n"
         "  case $state in\n  subcommand) _describe subcommand subcommands ;;\n  rest)\n"
         "    case $words[1] in\n" +
         cases + "    esac\n    ;;\n  esac\n}\n_roofmark \"$@\"\n";
}

}  // namespace roofmark::cli
