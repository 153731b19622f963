// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace roofmark::spool {
namespace {

constexpr char kMemory[] = "/dev/shm";
// The sticky bit means nothing to a directory that only its owner can enter: it tells the last
// process that it may remove the directory.
constexpr mode_t kOurs = S_ISVTX | 0700;

std::string OwnPrefix() { return fmt::format("roofmark-{}-", geteuid()); }

std::string WithoutSlashes(std::string text) {
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

// Empty if it exists, is a directory, and no other user can replace its files.
std::string WhyUnsafe(const std::string& directory) {
  struct stat info;
  if (stat(directory.c_str(), &info) != 0) {
    return fmt::format("{}: {}", directory, std::strerror(errno));
  }
  if (!S_ISDIR(info.st_mode)) return fmt::format("{} is not a directory", directory);
  const bool for_all = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (info.st_uid != geteuid() && info.st_uid != 0) {
    return fmt::format("{} belongs to another user", directory);
  }
  if (for_all && (info.st_mode & S_ISVTX) == 0) {
    return fmt::format("{} can be written by others", directory);
  }
  return {};
}

}  // namespace

std::string DefaultDirectory(const std::string& job) {
  const std::string key = job.empty() ? fmt::format("pid{}", getpid()) : WithoutSlashes(job);
  return fmt::format("{}/{}{}", kMemory, OwnPrefix(), key);
}

std::vector<std::string> DefaultDirectories() {
  std::vector<std::string> found;
  std::error_code error;
  const std::string prefix = OwnPrefix();
  for (const auto& entry : std::filesystem::directory_iterator(kMemory, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind(prefix, 0) == 0 && entry.is_directory(error)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string FileName(uint32_t rank, const std::string& host, uint32_t pid) {
  return fmt::format("rank{}.{}.{}{}", rank, WithoutSlashes(host), pid, kExtension);
}

Result<NewFile> MakeFile(const std::string& directory, const std::string& name) {
  NewFile made;
  // Another process of the job may remove the directory, when it is empty, at any moment.
  for (int attempt = 0; attempt < 100 && made.fd < 0; ++attempt) {
    mkdir(directory.c_str(), kOurs);
    const std::string unsafe = WhyUnsafe(directory);
    if (!unsafe.empty() && errno == ENOENT && attempt < 99) continue;
    if (!unsafe.empty()) return Error{unsafe};
    made.path = fmt::format("{}/{}", directory, name);
    if (attempt > 0) {
      made.path.insert(made.path.size() - std::strlen(kExtension), fmt::format(".{}", attempt));
    }
    made.fd = open(made.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made.fd < 0 && errno != EEXIST && errno != ENOENT) break;
  }
  if (made.fd < 0) return Error{fmt::format("{}: {}", made.path, std::strerror(errno))};
  return made;
}

void RemoveDirectory(const std::string& directory) noexcept {
  struct stat info;
  if (lstat(directory.c_str(), &info) != 0 || info.st_uid != geteuid()) return;
  if (S_ISDIR(info.st_mode) && (info.st_mode & 07777) == kOurs) rmdir(directory.c_str());
}

Result<std::vector<std::string>> ListSpools(const std::string& directory) {
  std::error_code error;
  std::filesystem::directory_iterator entries(directory, error);
  if (error) {
    return Error{fmt::format(
        "{}: {}; give the directory of ROOFMARK_SPOOL, or that of ROOFMARK_OUTPUT for snapshots",
        directory, error.message())};
  }
  std::vector<std::string> found;
  for (const auto& entry : entries) {
    if (entry.path().extension() == kExtension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace roofmark::spool
