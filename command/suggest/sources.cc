// SPDX-License-Identifier: BSD-3-Clause
#include "command/suggest/sources.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "lib/core/file.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// From the folder on; empty if it is not in the folder.
std::string NameIn(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const fs::path base = fs::weakly_canonical(folder, error);
  const fs::path whole = fs::weakly_canonical(file, error);
  const fs::path name = whole.lexically_relative(base);
  return name.empty() || *name.begin() == ".." ? "" : name.string();
}

}  // namespace

void SourceFile::Add(const suggest::Marks& marks) {
  insertions_.insert(insertions_.end(), marks.insertions.begin(), marks.insertions.end());
  scoped_ |= marks.scoped;
}

std::string SourceFile::Difference() const {
  if (insertions_.empty()) return "";
  std::vector<suggest::Insertion> all = suggest::IncludeFor(structure_, scoped_);
  all.insert(all.end(), insertions_.begin(), insertions_.end());
  return suggest::UnifiedDifference(name_, source_, std::move(all));
}

Result<std::string> Sources::Find(const std::string& file) const {
  const fs::path folder(folder_), named = fs::path(file).lexically_normal();
  const fs::path direct = folder / named;  // an absolute name stays what it is
  if (IsFile(direct)) {
    std::string name = NameIn(folder, direct);
    if (!name.empty()) return name;
  }
  std::vector<fs::path> parts;
  for (const fs::path& part : named.relative_path()) {
    if (part != "..") parts.push_back(part);
  }
  for (size_t first = 0; first < parts.size(); ++first) {
    fs::path end;
    for (size_t i = first; i < parts.size(); ++i) end /= parts[i];
    if (!IsFile(folder / end)) continue;
    std::string name = NameIn(folder, folder / end);
    if (!name.empty()) return name;
  }
  return Error{fmt::format("{} is not in {}; --source names the folder of the sources", file,
                           folder_ == "." ? "this directory" : folder_)};
}

Result<SourceFile*> Sources::Open(const std::string& file) {
  const Result<std::string> name = Find(file);
  if (!name) return Error{name.error()};
  const auto known = files_.find(*name);
  if (known != files_.end()) return known->second.get();
  if (name->find_first_of("\n\t\"\\") != std::string::npos) {
    return Error{"a patch cannot name its file"};
  }
  Result<std::string> text = ReadFile((fs::path(folder_) / *name).string());
  if (!text) return Error{text.error()};
  auto& made = files_[*name];
  made = std::make_unique<SourceFile>(*name, std::move(*text));
  return made.get();
}

std::string Sources::Difference() const {
  std::string all;
  for (const auto& [name, file] : files_) all += file->Difference();
  return all;
}

}  // namespace roofmark::cli
