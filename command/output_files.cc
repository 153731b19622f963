// SPDX-License-Identifier: BSD-3-Clause
#include "command/output_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "command/output.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"

namespace roofmark::cli {
namespace {

// Other names of an extension stand behind it.
constexpr std::string_view kHtml[] = {"html", "htm"};
constexpr std::string_view kMarkdown[] = {"md", "markdown"};

// Of files that other programs open by their name.
constexpr std::string_view kExtensions[] = {"svg",  "png", "jpg",      "jpeg", "gif", "webp",
                                            "pdf",  "eps", "ps",       "html", "htm", "csv",
                                            "xlsx", "md",  "markdown", "json"};

bool AreAlike(std::string_view a, std::string_view b) {
  const auto both_in = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), a) != std::end(names) &&
           std::find(std::begin(names), std::end(names), b) != std::end(names);
  };
  return a == b || both_in(kHtml) || both_in(kMarkdown);
}

// 0, or why it cannot be written.
int ErrnoOf(const std::string& file, const struct stat* there) {
  if (there != nullptr && S_ISDIR(there->st_mode)) return EISDIR;
  // Files are replaced by new ones, pipes and devices are written in place.
  const bool in_place = there != nullptr && !S_ISREG(there->st_mode);
  const std::string folder = std::filesystem::path(file).parent_path();
  const std::string asked = in_place ? file : folder.empty() ? "." : folder;
  return access(asked.c_str(), in_place ? W_OK : W_OK | X_OK) == 0 ? 0 : errno;
}

}  // namespace

std::string WhyMisnamed(const std::string& file, std::string_view extension) {
  std::filesystem::path path(file);
  std::string own = path.extension().string();
  own.erase(0, 1);
  std::transform(own.begin(), own.end(), own.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const bool is_known =
      std::find(std::begin(kExtensions), std::end(kExtensions), own) != std::end(kExtensions);
  if (!is_known || AreAlike(own, extension)) return {};
  return fmt::format("{} is no name for what is written: name it {}", file,
                     path.replace_extension(std::string(extension)).string());
}

bool MayWrite(const std::string& file, const bool* force) {
  if (file.empty() || file == "-" || DescriptorNamed(file)) return true;
  struct stat info;
  const bool exists = stat(file.c_str(), &info) == 0;
  if (const int error = ErrnoOf(file, exists ? &info : nullptr); error != 0) {
    Say(message::kCannotWrite, file, std::strerror(error));
    return false;
  }
  if (!exists || !S_ISREG(info.st_mode) || (force != nullptr && *force)) return true;
  Say(message::kFileExists, file,
      force != nullptr ? ", remove it, or use --force" : " or remove it");
  return false;
}

}  // namespace roofmark::cli
