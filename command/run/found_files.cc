// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/found_files.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/core/file.h"
#include "lib/core/limits.h"
#include "lib/found/found_json.h"
#include "lib/samples/samples_json.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

// 17 of "timer.samples17.json" and of "timer.samples17.1.json".
std::optional<uint32_t> RankIn(std::string_view name, std::string_view kind) {
  const size_t at = name.find(kind);
  if (at == std::string_view::npos || !name.ends_with(".json")) return std::nullopt;
  const std::string_view digits = name.substr(at + kind.size());
  uint32_t rank = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
  if (read.ec != std::errc() || *read.ptr != '.') return std::nullopt;
  return rank;
}

struct File {
  std::string name;
  uintmax_t bytes = 0;
};

std::map<uint32_t, File> FilesOf(const std::string& directory, std::string_view kind) {
  std::map<uint32_t, File> files;
  std::error_code error;  // what cannot be read is not there
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const auto rank = RankIn(entry.path().filename().string(), kind);
    const uintmax_t bytes = rank ? entry.file_size(error) : 0;
    if (!rank || error) continue;
    File& known = files[*rank];
    if (known.name.empty() || bytes > known.bytes) known = {entry.path(), bytes};
  }
  return files;
}

template <typename T>
Result<std::map<uint32_t, T>> ReadAll(const std::string& directory, std::string_view kind,
                                      size_t most_bytes,
                                      Result<T> (*read)(std::string_view, const std::string&)) {
  std::map<uint32_t, T> all;
  for (const auto& [rank, file] : FilesOf(directory, kind)) {
    const Result<std::string> text = ReadFound(file.name, most_bytes);
    if (!text) return Error{text.error()};
    Result<T> one = read(*text, file.name);
    if (!one) return Error{one.error()};
    all.emplace(rank, std::move(*one));
  }
  return all;
}

}  // namespace

Result<std::map<uint32_t, Samples>> ReadSamplesIn(const std::string& directory) {
  return ReadAll<Samples>(directory, ".samples", limits::kSamplesBytes, SamplesFromJson);
}

Result<std::map<uint32_t, Executed>> ReadExecutedIn(const std::string& directory) {
  return ReadAll<Executed>(directory, ".executed", limits::kRooflineBytes, ExecutedFromJson);
}

}  // namespace roofmark::cli
