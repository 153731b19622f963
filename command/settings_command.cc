// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/commands.h"
#include "command/output.h"
#include "lib/core/settings.h"

namespace roofmark::cli {

void AddSettingsCommand(CommandLine& line) {
  const Command command =
      line.Add("settings", "List the environment variables that the library reads");
  auto markdown = std::make_shared<bool>(false);
  command.Flag("--markdown", *markdown, "Print Markdown, as in docs/settings.md");
  command.Runs([markdown] {
    if (*markdown) {
      Print(SettingsMarkdown());
      return 0;
    }
    for (const SettingInfo& info : AllSettings()) {
      Print("{} = {}   (default {})\n    {}\n", VariableName(info.key), info.values,
            info.default_text, info.doc);
    }
    return 0;
  });
}

}  // namespace roofmark::cli
