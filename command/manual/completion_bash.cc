// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/manual/completion.h"

namespace roofmark::cli {
namespace {

constexpr char kBegin[] =
    R"(# Completion of roofmark for bash. Made from the tables of `roofmark --help`.
_roofmark() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local subcommand= options= word
  local -a values=()
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [ "$word" = -- ]; then # the command that is run
      compopt -o default
      return
    fi
    [ -n "$subcommand" ] || [ "${word#-}" != "$word" ] || subcommand=$word
  done
)";

constexpr char kEnd[] = R"(  if [ ${#values[@]} -gt 0 ]; then
    COMPREPLY=($(compgen "${values[@]}" -- "$current"))
  elif [ -z "$subcommand" ] || [ "${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
  # The rest of a path follows.
  if [ ${#COMPREPLY[@]} -eq 1 ] && [ -d "${COMPREPLY[0]}" ]; then compopt -o filenames; fi 2>/dev/null
}
complete -F _roofmark roofmark
)";

// What compgen lists for the value of an option; empty: it takes none.
std::string Generator(const OptionPage& option) {
  switch (KindOf(option)) {
    case ValueKind::kNone:
      return {};
    case ValueKind::kWords:
      return fmt::format("-W '{}'", Joined(option.words, " "));
    case ValueKind::kFile:
      return "-f";
    case ValueKind::kDirectory:
      return "-d";
    case ValueKind::kOther:
      return "-W ''";
  }
  return {};
}

}  // namespace

std::string BashCompletion(const std::vector<CommandPage>& pages) {
  std::string options = "  case $subcommand in\n";
  std::string values = "  case \"$subcommand $before\" in\n";
  for (const CommandPage& page : pages) {
    const std::string more = page.name.empty() ? " " + SubcommandNames(pages) : "";
    options += fmt::format("    {}) options='{}{}' ;;\n", page.name.empty() ? "''" : page.name,
                           OptionNames(page), more);
    for (const OptionPage& option : page.options) {
      const std::string generator = Generator(option);
      if (option.positional || option.optional_value || generator.empty()) continue;
      std::string patterns;
      for (const std::string& name : option.names) {
        patterns += (patterns.empty() ? "" : "|") + fmt::format("'{} {}'", page.name, name);
      }
      values += fmt::format("    {}) values=({}) ;;\n", patterns, generator);
    }
  }
  return kBegin + options + "  esac\n" + values + "  esac\n" + kEnd;
}

}  // namespace roofmark::cli
