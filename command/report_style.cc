// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_style.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
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

// A number of columns, or the width of pictures. Says why it is neither.
std::string ReadWidth(const std::string& given, ReportStyle& style, ReportFiles& pictures) {
  const bool has_unit = !given.empty() && given.back() >= 'a' && given.back() <= 'z';
  if (has_unit) {
    const Result<PictureWidth> width = ParsePictureWidth(given);
    if (!width) return width.error();
    pictures.picture.width_mm = width->mm;
    pictures.dpi = width->dpi;
    return {};
  }
  size_t columns = 0;
  const char* end = given.data() + given.size();
  const auto read = std::from_chars(given.data(), end, columns);
  if (read.ec == std::errc() && read.ptr == end && columns >= kMinWidth && columns <= kMaxWidth) {
    style.width = columns;
    return {};
  }
  return fmt::format(
      "{} is neither a number of columns from {} to {} nor a width of pictures with its unit, like "
      "85mm",
      given.empty() ? "an empty text" : given, kMinWidth, kMaxWidth);
}

}  // namespace

void DeclareStyle(const Command& command, ReportStyle& style, ReportFiles& pictures,
                  const std::string& all_doc) {
  command
      .Read(
          "--width",
          fmt::format("Number of columns, at least {} (default: that of the terminal); with a unit "
                      "(mm, cm, in, px) the width of pictures: 85mm is one of two columns of a "
                      "paper",
                      kMinWidth),
          [&](const std::string& given) { return ReadWidth(given, style, pictures); },
          Command::Given::kRepeatedly)
      .Shown("N|LENGTH");
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
