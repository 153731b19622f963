// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/commands.h"
#include "lib/core/settings.h"

namespace roofmark::cli {

void AddSettingsCommand(CLI::App& app, int&) {
  auto* command =
      app.add_subcommand("settings", "List the environment variables that the library reads");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "As docs/settings.md");
  command->callback([markdown] {
    if (*markdown) {
      fmt::print("{}", SettingsMarkdown());
      return;
    }
    for (const SettingInfo& info : AllSettings()) {
      fmt::print("{} = {}   (default {})\n    {}\n", VariableName(info.key), info.values,
                 info.default_text, info.doc);
    }
  });
}

}  // namespace roofmark::cli
