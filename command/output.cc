// SPDX-License-Identifier: BSD-3-Clause
#include "command/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "command/options.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/terminal_text.h"
#include "lib/core/tone.h"

namespace roofmark::cli {
namespace {

struct Output {
  std::string pending;
  bool tones = false;
  int error = 0;                    // the first errno; nothing is written after it
  struct sigaction inherited = {};  // for SIGPIPE
};
Output& GetOutput() {
  static auto& output = *new Output;
  return output;
}

}  // namespace

void TakeStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    // The lowest free number is this one. It stays unusable, and executed programs find it closed.
    [[maybe_unused]] const int taken =
        open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &GetOutput().inherited);
}

void HandBackStreams() { sigaction(SIGPIPE, &GetOutput().inherited, nullptr); }

void Print(std::string_view text) { GetOutput().pending += text; }

void PrintFormatted(fmt::string_view format, fmt::format_args values) {
  fmt::vformat_to(std::back_inserter(GetOutput().pending), format, values);
}

void UseTones(bool use) { GetOutput().tones = use; }

size_t TerminalColumns(size_t otherwise) {
  winsize size = {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

void ClearTerminal() {
  if (isatty(STDOUT_FILENO) == 0 || !FlushOutput()) return;
  if (!WriteAll(STDOUT_FILENO, "\033[H\033[2J")) GetOutput().error = errno;
}

bool FlushOutput() {
  Output& output = GetOutput();
  if (isatty(STDOUT_FILENO) != 0 && !IsPrintable(output.pending)) {
    output.pending = PrintableLines(output.pending);
  }
  if (output.tones) output.pending = WithToneSequences(output.pending);
  if (output.error == 0 && !WriteAll(STDOUT_FILENO, output.pending)) output.error = errno;
  output.pending.clear();
  return output.error == 0;
}

void PassOn(std::string_view sentence) {
  FlushOutput();
  std::string shown;
  if (!IsPrintable(sentence)) sentence = shown = PrintableLines(sentence);
  const auto part = [](std::string_view text) {
    return iovec{const_cast<char*>(text.data()), text.size()};
  };
  // One call, so that lines of several processes do not mix.
  const iovec line[] = {part("roofmark: "), part(sentence), part("\n")};
  [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, line, std::size(line));
}

void SayFormatted(fmt::string_view text, fmt::format_args values) {
  PassOn(fmt::vformat(text, values));
}

int FinishOutput(int status) {
  FlushOutput();
  Output& output = GetOutput();
  // A file system over a network, or a quota, may refuse only here.
  if (close(STDOUT_FILENO) != 0 && output.error == 0) output.error = errno;
  if (output.error == 0) return status;
  if (output.error != EPIPE) {
    Say(message::kOutputFailed, std::strerror(output.error));
  }
  if (status != 0) return status;
  return output.error == EPIPE ? 128 + SIGPIPE : kFailure;
}

}  // namespace roofmark::cli
