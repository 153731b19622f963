// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "command/commands.h"
#include "command/manual/completion.h"
#include "command/manual/man_page.h"
#include "command/output.h"
#include "lib/core/file.h"

namespace roofmark::cli {
namespace {

// Files by their places below `folder`, as they are installed below share/.
int WriteManual(const std::vector<CommandPage>& pages, const std::string& version,
                const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"bash-completion/completions/roofmark", BashCompletion(pages)},
      {"zsh/vendor-completions/_roofmark", ZshCompletion(pages)},
      {"fish/vendor_completions.d/roofmark.fish", FishCompletion(pages)},
      {"man/man7/roofmark-settings.7", SettingsManPage(version)}};
  for (const CommandPage& page : pages) {
    const std::string name = page.name.empty() ? "roofmark" : "roofmark-" + page.name;
    files.emplace_back("man/man1/" + name + ".1", ManPage(page, pages, version));
  }
  for (const auto& [name, text] : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    const Result<std::string> written = WriteFile(path.string(), text, IfExists::kReplace);
    if (!written) {
      PassOn(written.error());
      return kFailure;
    }
  }
  return 0;
}

}  // namespace

void AddManualCommand(CommandLine& line) {
  auto folder = std::make_shared<std::string>();
  const Command command =
      line.Add("manual", "Write the manual pages and the completion of shells below a directory");
  command.Hidden();
  command.Value("DIR", *folder, "A directory as share/ of an installation").Required();
  command.Runs([folder, &line] { return WriteManual(line.Pages(), line.Version(), *folder); });
}

}  // namespace roofmark::cli
