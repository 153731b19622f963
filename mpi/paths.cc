// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/paths.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "lib/core/hash.h"

namespace roofmark::mpi {
namespace {

constexpr auto kLastKind = static_cast<RegionKind>(kRegionKindNames.size() - 1);

// As long as `text`, and most often as short as two bytes: how much of it `last` begins with, and
// the rest.
void PutAfter(ByteWriter& writer, const std::string& last, const std::string& text) {
  const auto [end, unused] = std::mismatch(text.begin(), text.end(), last.begin(), last.end());
  const auto common = static_cast<size_t>(end - text.begin());
  writer.PutVarint(common);
  writer.PutVarint(text.size() - common);
  writer.PutBytes(text.data() + common, text.size() - common);
}

std::string GetAfter(ByteReader& reader, const std::string& last) {
  const uint64_t common = reader.GetVarint();
  if (common > last.size()) reader.Fail();
  const std::string_view rest = reader.GetBytes(reader.GetVarint());
  if (!reader.ok()) return "";
  return last.substr(0, common) + std::string(rest);
}

}  // namespace

// Each text closed by a byte that none contains.
uint64_t HashOfPaths(const std::vector<PathInfo>& paths) {
  uint64_t hash = kHashStart;
  for (const PathInfo& info : paths) {
    for (const std::string* text : {&info.path, &info.operation}) {
      hash = HashOf(std::string_view("\0", 1), HashOf(*text, hash));
    }
  }
  return hash;
}

void PutPaths(ByteWriter& writer, const std::vector<PathInfo>& paths) {
  writer.PutVarint(paths.size());
  const PathInfo none;
  const PathInfo* last = &none;
  for (const PathInfo& info : paths) {
    PutAfter(writer, last->path, info.path);
    PutAfter(writer, last->file, info.file);
    writer.PutVarint(info.line);
    writer.Put(info.kind);
    PutAfter(writer, last->operation, info.operation);
    PutAfter(writer, last->critical.file, info.critical.file);
    writer.PutVarint(info.critical.line);
    writer.PutVarint(info.critical.cycles);
    writer.PutVarint(info.critical.of_cycles);
    last = &info;
  }
}

std::vector<PathInfo> GetPaths(ByteReader& reader) {
  std::vector<PathInfo> paths;
  const PathInfo none;
  for (uint64_t left = reader.GetVarint(); left > 0 && reader.ok(); --left) {
    const PathInfo& last = paths.empty() ? none : paths.back();
    PathInfo info;
    info.path = GetAfter(reader, last.path);
    info.file = GetAfter(reader, last.file);
    info.line = static_cast<uint32_t>(reader.GetVarint());
    info.kind = reader.GetOneOf(kLastKind);
    info.operation = GetAfter(reader, last.operation);
    info.critical.file = GetAfter(reader, last.critical.file);
    info.critical.line = static_cast<uint32_t>(reader.GetVarint());
    info.critical.cycles = reader.GetVarint();
    info.critical.of_cycles = reader.GetVarint();
    if (!paths.empty() && info.path <= last.path) reader.Fail();
    paths.push_back(std::move(info));
  }
  return paths;
}

United UnitePaths(std::vector<PathInfo>& paths, std::vector<PathInfo> others) {
  United united;
  std::vector<PathInfo> all;
  all.reserve(paths.size() + others.size());
  auto own = paths.begin();
  for (auto other = others.begin(); own != paths.end() || other != others.end();) {
    const bool has_own = own != paths.end() && (other == others.end() || own->path <= other->path);
    const bool has_other = other != others.end() && (!has_own || own->path == other->path);
    if (has_own) united.own.push_back(all.size());
    if (has_other) united.others.push_back(all.size());
    PathInfo& info = all.emplace_back(std::move(has_own ? *own : *other));
    if (has_own && has_other && info.operation.empty()) {
      info.operation = std::move(other->operation);
    }
    if (has_own) ++own;
    if (has_other) ++other;
  }
  paths = std::move(all);
  return united;
}

}  // namespace roofmark::mpi
