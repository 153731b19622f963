// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a file is read before it is written is asked of inotify(7), which the program does not
// notice. A watch with IN_ONESHOT tells of the first of both, and is gone then.
#include "command/work_folder.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "command/child.h"
#include "lib/core/clock.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 20'000, kMostWatched = 2'000;
constexpr int kMostDepth = 4;
constexpr uint64_t kMostScanNs = 500'000'000;

// Of roofmark itself, and what compilers and interpreters keep, which changes no work.
bool IsLeftOut(const fs::path& path) {
  const std::string name = path.filename();
  return name.find(".passes.") != std::string::npos || name == "__pycache__" || name == ".git";
}

}  // namespace

Result<std::shared_ptr<WorkFolder>> WorkFolder::OfThisProcess(bool fresh) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  std::shared_ptr<WorkFolder> folder(new WorkFolder(error ? "" : here.string(), fresh));
  if (!fresh) return folder;
  Result<std::string> pristine = folder->NewCopy(folder->path_);
  if (!pristine) return Error{pristine.error()};
  folder->pristine_ = *pristine;
  folder->LinkCode();
  return folder;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  for (const std::string* copy : {&pristine_, &copy_}) {
    if (!copy->empty()) fs::remove_all(*copy, ignored);
  }
  if (inotify_ >= 0) close(inotify_);
}

Result<std::string> WorkFolder::Begin() {
  const bool first = executions_++ == 0;
  if (path_.empty()) return std::string();
  if (fresh_) {
    if (first) return std::string();
    Result<std::string> copy = NewCopy(pristine_);
    if (copy) copy_ = *copy;
    return copy;
  }
  first ? void(before_ = Scan(before_whole_)) : Watch();
  return std::string();
}

std::vector<std::string> WorkFolder::End() {
  if (!copy_.empty()) {
    std::error_code ignored;
    fs::remove_all(copy_, ignored);
    copy_.clear();
  }
  if (executions_ > 1) return Unwatch();
  if (!fresh_ && !path_.empty()) FindWritten();
  return {};
}

// A program or library of the directory is the same file in all executions: its code is known by
// where it lies.
void WorkFolder::LinkCode() const {
  std::error_code error;
  std::vector<fs::path> code;
  for (fs::recursive_directory_iterator entries(pristine_, error);
       !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->is_symlink() || !entries->is_regular_file(error)) continue;
    char magic[SELFMAG] = {};
    std::ifstream(entries->path(), std::ios::binary).read(magic, sizeof magic);
    if (std::memcmp(magic, ELFMAG, sizeof magic) == 0) code.push_back(entries->path());
  }
  for (const fs::path& file : code) {
    const fs::path original = path_ / file.lexically_relative(pristine_);
    if (fs::remove(file, error)) fs::create_symlink(original, file, error);
  }
}

WorkFolder::Files WorkFolder::Scan(bool& whole) const {
  Files files;
  whole = true;
  const uint64_t begun_ns = NowNs();
  std::error_code error;
  fs::recursive_directory_iterator entries(path_, fs::directory_options::skip_permission_denied,
                                           error);
  for (size_t seen = 0; !error && entries != fs::recursive_directory_iterator();
       entries.increment(error), ++seen) {
    if (seen == kMostFiles || NowNs() - begun_ns > kMostScanNs) {
      whole = false;
      break;
    }
    if (IsLeftOut(entries->path()) || entries.depth() >= kMostDepth) {
      entries.disable_recursion_pending();
    }
    struct stat info;
    if (lstat(entries->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    // A program that is built on the way is the same one.
    if ((info.st_mode & S_IXUSR) != 0) continue;
    files[entries->path()] = {info.st_ino, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size};
  }
  whole = whole && !error;
  return files;
}

void WorkFolder::FindWritten() {
  bool whole = false;
  for (const auto& [name, state] : Scan(whole)) {
    const auto known = before_.find(name);
    const bool is_new = known == before_.end() && before_whole_;
    const bool changed = known != before_.end() && !(known->second == state);
    if ((is_new || changed) && state.bytes > 0) written_.push_back(name);
  }
  before_.clear();
}

void WorkFolder::Watch() {
  if (written_.empty()) return;
  if (inotify_ < 0) inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  for (size_t i = 0; inotify_ >= 0 && i < std::min(written_.size(), kMostWatched); ++i) {
    const int watch =
        inotify_add_watch(inotify_, written_[i].c_str(), IN_ACCESS | IN_MODIFY | IN_ONESHOT);
    if (watch >= 0) watched_[watch] = written_[i];
  }
}

std::vector<std::string> WorkFolder::Unwatch() {
  std::vector<std::string> read_first;
  if (watched_.empty()) return read_first;
  alignas(inotify_event) char events[16 << 10];
  ssize_t bytes = 0;
  while ((bytes = read(inotify_, events, sizeof events)) > 0) {
    for (ssize_t at = 0; at < bytes;) {
      inotify_event event;
      std::memcpy(&event, events + at, sizeof event);
      at += static_cast<ssize_t>(sizeof event + event.len);
      const auto file = watched_.find(event.wd);
      if (file == watched_.end() || (event.mask & IN_ACCESS) == 0) continue;
      read_first.push_back(fs::path(file->second).lexically_relative(path_));
    }
  }
  // The next execution is watched anew.
  close(inotify_);
  inotify_ = -1;
  watched_.clear();
  return read_first;
}

// Beside the directory, so that ".." is the same.
Result<std::string> WorkFolder::NewCopy(const std::string& from) const {
  const fs::path here(path_);
  std::string name =
      here.parent_path() / fmt::format(".{}.roofmark.XXXXXX", here.filename().string());
  if (path_.empty() || here == here.root_path() || mkdtemp(name.data()) == nullptr) {
    return Error{fmt::format("no copy of {} can be made beside it: {}", path_,
                             std::strerror(path_.empty() ? ENOENT : errno))};
  }
  Child copy;
  copy.command = {"cp", "-a", "--reflink=auto", "--", from + "/.", name};
  const ChildEnd end = RunChild(copy);
  if (end.status == 0 && !end.interrupted) return name;
  std::error_code ignored;
  fs::remove_all(name, ignored);
  return Error{fmt::format("{} cannot be copied to {}", path_, name)};
}

}  // namespace roofmark::cli
