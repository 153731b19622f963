// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_style.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstring>

namespace roofmark::cli {
namespace {

constexpr int kMaxWidth = 1000;

size_t TerminalWidth() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool LocaleIsUtf8() {
  std::setlocale(LC_CTYPE, "");
  return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

}  // namespace

void DeclareStyle(const Command& command, ReportStyle& style, const std::string& all_doc) {
  command
      .Value(
          "--width", style.width,
          fmt::format("Number of columns, at least {} (default: that of the terminal)", kMinWidth))
      .Shown("N")
      .Within(kMinWidth, kMaxWidth);
  command.Flag("--ascii", style.ascii, "Use only ASCII characters");
  if (!all_doc.empty()) command.Flag("--all", style.all, all_doc);
}

TextStyle Resolve(const ReportStyle& style) {
  TextStyle text;
  text.width =
      static_cast<int>(style.width != 0 ? style.width : std::min<size_t>(TerminalWidth(), 120));
  text.unicode = !style.ascii && LocaleIsUtf8();
  text.detail = style.all ? Detail::kAll : Detail::kShort;
  return text;
}

}  // namespace roofmark::cli
