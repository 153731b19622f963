// SPDX-License-Identifier: BSD-3-Clause
#include "command/pass_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <new>
#include <regex>
#include <string_view>

#include "command/output.h"
#include "command/pass_files.h"
#include "lib/core/file_name.h"
#include "lib/core/messages/command_run.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

struct PassKindName {
  PassKind kind;
  std::string_view name;  // without a dot
};
constexpr PassKindName kPassKinds[] = {{PassKind::kTime, "time"},
                                       {PassKind::kCounters, "counters"},
                                       {PassKind::kTurns, "turns"},
                                       {PassKind::kNoting, "noting"},
                                       {PassKind::kPlaces, "places"}};

std::string_view NameOfKind(PassKind kind) {
  return std::find_if(std::begin(kPassKinds), std::end(kPassKinds),
                      [kind](const PassKindName& row) { return row.kind == kind; })
      ->name;
}

int OpenFolder(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// 0 if it is not held; else errno, EWOULDBLOCK if it is.
int TryLock(const std::string& path) {
  const int lock = OpenFolder(path);
  if (lock < 0) return errno;
  const int error = flock(lock, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  close(lock);
  return error;
}

}  // namespace

Result<PassDirectory> PassDirectory::Beside(const std::string& output) {
  const fs::path target(output);
  const fs::path parent = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  std::error_code error;
  const fs::path absolute = fs::absolute(parent, error);
  std::string name = absolute / fmt::format(".{}.passes.XXXXXX", target.filename().string());
  if (mkdtemp(name.data()) == nullptr) {
    return Error{fmt::format("cannot write beside {}: {}; choose another place with -o", output,
                             std::strerror(errno))};
  }
  return PassDirectory(name);
}

PassDirectory::PassDirectory(std::string path) : path_(std::move(path)), lock_(OpenFolder(path_)) {
  // Who looks whether it is held has it for a moment.
  while (lock_ >= 0 && flock(lock_, LOCK_EX) != 0 && errno == EINTR) continue;
}

bool PassDirectory::IsName(const std::string& path) {
  static const std::regex& name = *new std::regex(R"(\..*\.passes\.[A-Za-z0-9]{6})");
  std::error_code error;
  fs::path directory(path);
  if (!directory.has_filename()) directory = directory.parent_path();
  return std::regex_match(directory.filename().string(), name) && fs::is_directory(path, error);
}

bool PassDirectory::IsInUse(const std::string& path) { return TryLock(path) == EWOULDBLOCK; }

std::vector<std::string> PassDirectory::LeftIn(const std::string& folder) {
  std::vector<std::string> left;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string path = entry.path();
    if (IsName(path) && TryLock(path) == 0) left.push_back(path);
  }
  return left;
}

PassDirectory::~PassDirectory() {
  if (lock_ >= 0) close(lock_);
  std::error_code error;
  try {
    if (path_.empty() || fs::remove(path_, error) || !fs::exists(path_, error)) return;
    Say(message::kPassesStay, path_);
  } catch (const std::bad_alloc&) {  // then without the sentence
  }
}

Result<std::string> PassDirectory::Inside(PassKind kind, uint32_t number) const {
  const std::string inside = fmt::format("{}/{}.{}", path_, NameOfKind(kind), number);
  if (mkdir(inside.c_str(), 0700) == 0) return inside;
  return Error{fmt::format("cannot make {}: {}; choose another place with -o", inside,
                           std::strerror(errno))};
}

std::optional<PassKind> PassDirectory::KindOf(const std::string& place) {
  const std::string_view name = FileName(place);
  for (const PassKindName& row : kPassKinds) {
    if (name.substr(0, name.find('.')) == row.name) return row.kind;
  }
  return std::nullopt;
}

std::vector<std::string> PassDirectory::PlacesInside(const std::string& path) {
  std::vector<std::string> places;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (entry.is_directory(error)) places.push_back(entry.path());
  }
  std::sort(places.begin(), places.end(), IsEarlier);
  return places;
}

void PassDirectory::Discard() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  path_.clear();
}

}  // namespace roofmark::cli
