// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_style.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "command/output.h"

namespace roofmark::cli {
namespace {

constexpr size_t kMaxWidth = 1000;

bool LocaleIsUtf8() {
  std::setlocale(LC_CTYPE, "");
  return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// A variable that is empty is none.
std::string_view TextOfVariable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string_view() : text;
}

bool TerminalHasColors() {
  const std::string_view terminal = TextOfVariable("TERM");
  return isatty(STDOUT_FILENO) != 0 && !terminal.empty() && terminal != "dumb" &&
         TextOfVariable("NO_COLOR").empty();
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
  command.Choice<ColorChoice>("--color", style.color,
                              {{"auto", ColorChoice::kAuto},
                               {"always", ColorChoice::kAlways},
                               {"never", ColorChoice::kNever}},
                              "Colours of limits in the terminal (default: auto; NO_COLOR)");
  if (!all_doc.empty()) command.Flag("--all", style.all, all_doc);
}

TextStyle Resolve(const ReportStyle& style) {
  TextStyle text;
  text.width =
      static_cast<int>(style.width != 0 ? style.width : std::min<size_t>(TerminalColumns(80), 120));
  text.unicode = !style.ascii && LocaleIsUtf8();
  text.color = style.color == ColorChoice::kAlways ||
               (style.color == ColorChoice::kAuto && TerminalHasColors());
  UseTones(text.color);
  text.detail = style.all ? Detail::kAll : Detail::kShort;
  return text;
}

}  // namespace roofmark::cli
