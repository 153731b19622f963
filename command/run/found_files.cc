// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/found_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "command/pass_files.h"
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

// Of each rank those that its programs wrote, in this order.
std::map<uint32_t, std::vector<File>> FilesOf(const std::string& directory, std::string_view kind) {
  std::map<uint32_t, std::vector<File>> files;
  std::error_code error;  // what cannot be read is not there
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const auto rank = RankIn(entry.path().filename().string(), kind);
    const uintmax_t bytes = rank ? entry.file_size(error) : 0;
    if (rank && !error) files[*rank].push_back({entry.path(), bytes});
  }
  for (auto& [rank, of_rank] : files) {
    std::sort(of_rank.begin(), of_rank.end(),
              [](const File& a, const File& b) { return IsEarlier(a.name, b.name); });
  }
  return files;
}

size_t Largest(const std::vector<File>& files) {
  const auto largest = std::max_element(
      files.begin(), files.end(), [](const File& a, const File& b) { return a.bytes < b.bytes; });
  return static_cast<size_t>(largest - files.begin());
}

const std::vector<std::string>& CommandOf(const Executed& executed) { return executed.command; }
const std::vector<std::string>& CommandOf(const Samples& samples) {
  static const std::vector<std::string> kNone;
  return samples.processes.empty() ? kNone : samples.processes.front().command;
}

// Which of several is the program's; nothing if none is.
template <typename T>
std::optional<size_t> IndexOf(const ProgramKey& program, const std::vector<T>& all) {
  std::vector<std::vector<std::string>> commands;
  for (const T& one : all) commands.push_back(CommandOf(one));
  return FindKey(program, KeysOf(commands));
}

template <typename T>
Result<std::map<uint32_t, T>> ReadAll(const std::string& directory, std::string_view kind,
                                      const std::optional<ProgramKey>& program, size_t most_bytes,
                                      Result<T> (*read)(std::string_view, const std::string&)) {
  std::map<uint32_t, T> all;
  for (auto& [rank, files] : FilesOf(directory, kind)) {
    const size_t largest = Largest(files);
    if (!program) files = {files[largest]};
    std::vector<T> of_rank;
    for (const File& file : files) {
      const Result<std::string> text = ReadFound(file.name, most_bytes);
      if (!text) return Error{text.error()};
      Result<T> one = read(*text, file.name);
      if (!one) return Error{one.error()};
      of_rank.push_back(std::move(*one));
    }
    const bool several = of_rank.size() > 1;
    const size_t chosen = several ? IndexOf(*program, of_rank).value_or(largest) : 0;
    all.emplace(rank, std::move(of_rank[chosen]));
  }
  return all;
}

}  // namespace

Result<std::map<uint32_t, Samples>> ReadSamplesIn(const std::string& directory,
                                                  const std::optional<ProgramKey>& program) {
  return ReadAll<Samples>(directory, ".samples", program, limits::kSamplesBytes, SamplesFromJson);
}

Result<std::map<uint32_t, Executed>> ReadExecutedIn(const std::string& directory,
                                                    const std::optional<ProgramKey>& program) {
  return ReadAll<Executed>(directory, ".executed", program, limits::kRooflineBytes,
                           ExecutedFromJson);
}

}  // namespace roofmark::cli
