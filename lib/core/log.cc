// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/log.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "lib/core/descriptor.h"
#include "lib/core/terminal_text.h"

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

const KnownDescriptor& Stderr() noexcept {
  static const KnownDescriptor stream(STDERR_FILENO);
  return stream;
}

// A reader that takes nothing (a stopped terminal, a full pipe) does not hold the application up
// for longer.
constexpr int kPipePatienceMs = 1000;

void Print(std::string_view sentence) {
  if (!Stderr().IsOpen()) return;
  std::string line = "roofmark: ";
  line.append(PrintableLines(sentence)).append("\n");
  WriteWithPatience(Stderr().number(), line, kPipePatienceMs);
}

}  // namespace

void OpenLog() noexcept { Stderr(); }

void SetSpeaker(bool speaks, bool quiet) noexcept {
  g_speaks = speaks;
  g_quiet = quiet;
}

void Note(std::string_view sentence) noexcept try {
  if (g_speaks && !g_quiet) Print(sentence);
} catch (...) {
}

void ComplainFormatted(fmt::string_view text, fmt::format_args values) noexcept try {
  PassOn(fmt::vformat(text, values));
} catch (...) {
}

void PassOn(std::string_view sentence) noexcept try {
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

void ComplainInHandler(const Message& message) noexcept {
  if (!g_speaks || !Stderr().IsOpen()) return;
  constexpr std::string_view kBefore = "roofmark: ";
  char line[kBefore.size() + kLongestInHandler + 1];
  const std::string_view text = message.text.substr(0, kLongestInHandler);
  char* end = std::copy(kBefore.begin(), kBefore.end(), line);
  end = std::copy(text.begin(), text.end(), end);
  *end++ = '\n';
  WriteWithPatience(Stderr().number(), {line, static_cast<size_t>(end - line)}, kPipePatienceMs);
}

std::string ComplaintsAsLines() {
  Said& said = GetSaid();
  const std::lock_guard lock(said.mutex);
  return said.lines;
}

}  // namespace roofmark
