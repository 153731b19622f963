// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/log.h"

#include <unistd.h>

#include <atomic>
#include <mutex>

namespace roofmark {
namespace {

std::atomic<bool> g_speaks{true};
std::atomic<bool> g_quiet{false};

// Leaked on purpose: used until the last library destructor.
struct Said {
  std::mutex mutex;
  std::string lines;  // each ends in '\n'
};
Said& GetSaid() {
  static auto& said = *new Said;
  return said;
}

void Print(std::string_view sentence) {
  std::string line = "roofmark: ";
  line.append(sentence).append("\n");
  // One write, so that lines of several processes do not mix; stderr may be closed, and that is
  // fine.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

void SetSpeaker(bool speaks, bool quiet) noexcept {
  g_speaks = speaks;
  g_quiet = quiet;
}

void Note(std::string_view sentence) noexcept try {
  if (g_speaks && !g_quiet) Print(sentence);
} catch (...) {
}

void Complain(std::string_view sentence) noexcept try {
  Said& said = GetSaid();
  std::string line(sentence);
  line += '\n';
  {
    const std::lock_guard lock(said.mutex);
    if (said.lines.find(line) != std::string::npos) return;
    said.lines += line;
  }
  if (g_speaks) Print(sentence);
} catch (...) {
}

std::string ComplaintsAsLines() {
  Said& said = GetSaid();
  const std::lock_guard lock(said.mutex);
  return said.lines;
}

}  // namespace roofmark
