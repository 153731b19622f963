// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/identity.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "lib/core/file.h"
#include "lib/core/file_name.h"
#include "lib/core/process_stat.h"

namespace roofmark::spool {
namespace {

template <size_t N>
void Keep(std::string_view text, char (&into)[N]) {
  const size_t length = std::min(text.size(), N - 1);
  std::memcpy(into, text.data(), length);
}

uint64_t PidNamespace() {
  struct stat info;
  return stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
}

std::string BootId() {
  const Result<std::string> text = ReadFile("/proc/sys/kernel/random/boot_id");
  return text ? text->substr(0, text->find('\n')) : "";
}

bool Maps(uint32_t pid, const std::string& file, uint64_t inode) {
  const Result<std::string> maps = ReadFile(fmt::format("/proc/{}/maps", pid));
  if (!maps) return errno != ENOENT && errno != ESRCH;  // no right to look: it lives, believe that
  // Some file systems show another device here than stat() does.
  const std::string number = fmt::format(" {} ", inode), name(FileName(file));
  for (size_t at = 0; at < maps->size();) {
    const size_t end = std::min(maps->find('\n', at), maps->size());
    const std::string_view line(maps->data() + at, end - at);
    if (line.find(number) != line.npos && line.find(name) != line.npos) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

bool Identity::operator==(const Identity& other) const {
  return std::strcmp(boot, other.boot) == 0 && std::strcmp(host, other.host) == 0 &&
         started == other.started && pid_namespace == other.pid_namespace && pid == other.pid;
}

Identity ThisProcess() noexcept {
  Identity self;
  try {
    Keep(BootId(), self.boot);
    gethostname(self.host, sizeof self.host - 1);
    self.started = ReadProcessStat("self").started;
    self.pid_namespace = PidNamespace();
  } catch (...) {
  }
  self.pid = static_cast<uint32_t>(getpid());
  self.uid = geteuid();
  return self;
}

Life LifeOf(const Identity& identity, const std::string& file) noexcept try {
  struct stat info;
  if (stat(file.c_str(), &info) == 0 && info.st_ino != identity.inode) return Life::kDead;
  const Identity self = ThisProcess();
  if (std::strcmp(identity.boot, self.boot) != 0) {
    // The same host has been started anew since; another one cannot be asked.
    return std::strcmp(identity.host, self.host) == 0 ? Life::kDead : Life::kUnknown;
  }
  if (identity.pid_namespace != self.pid_namespace) return Life::kUnknown;
  const ProcessStat process = ReadProcessStat(std::to_string(identity.pid));
  if (!process.Runs() || process.started != identity.started) return Life::kDead;
  return Maps(identity.pid, file, identity.inode) ? Life::kAlive : Life::kDead;
} catch (...) {
  return Life::kUnknown;
}

}  // namespace roofmark::spool
