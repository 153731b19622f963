// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/run_queue.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "lib/core/descriptor.h"

namespace roofmark {
namespace {

constexpr size_t kMostThreads = 1024;

// The second number of "time on a CPU, time in the run queue, times that it was on a CPU".
std::optional<uint64_t> WaitIn(int directory, const char* thread) {
  char path[300];  // a file name has at most 255 bytes
  std::snprintf(path, sizeof path, "%s/schedstat", thread);
  const int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char text[128];
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  if (size <= 0) return std::nullopt;
  const char* end = text + size;
  const auto* blank = static_cast<const char*>(std::memchr(text, ' ', static_cast<size_t>(size)));
  uint64_t wait = 0;
  if (blank == nullptr || std::from_chars(blank + 1, end, wait).ec != std::errc())
    return std::nullopt;
  return wait;
}

}  // namespace

RunQueueWaits ReadRunQueueWaits(const std::string& root) {
  RunQueueWaits waits;
  if (FilesAreFew()) return waits;
  DIR* tasks = opendir((root + "/proc/self/task").c_str());
  if (tasks == nullptr) return waits;
  while (const dirent* entry = readdir(tasks)) {
    pid_t thread = 0;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, thread).ptr != end || thread <= 0) continue;
    if (waits.size() == kMostThreads) break;
    if (const auto wait = WaitIn(dirfd(tasks), entry->d_name)) waits[thread] = *wait;
  }
  closedir(tasks);
  return waits;
}

std::optional<uint64_t> LongestWaitSince(const RunQueueWaits& then, const RunQueueWaits& now) {
  std::optional<uint64_t> longest;
  for (const auto& [thread, wait] : now) {
    const auto before = then.find(thread);
    const uint64_t start = before == then.end() ? 0 : before->second;
    // A number that was given to another thread meanwhile.
    const uint64_t own = wait >= start ? wait - start : wait;
    longest = std::max(longest.value_or(0), own);
  }
  return longest;
}

}  // namespace roofmark
