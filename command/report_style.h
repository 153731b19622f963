// SPDX-License-Identifier: BSD-3-Clause
//
// How reports look in this terminal.
#ifndef ROOFMARK_COMMAND_REPORT_STYLE_H_
#define ROOFMARK_COMMAND_REPORT_STYLE_H_

#include <cstddef>
#include <string>

#include "command/options.h"
#include "command/report_files.h"
#include "lib/report/report.h"

namespace roofmark::cli {

// kAuto: where standard output is a terminal that knows colours, and NO_COLOR does not forbid them
// (no-color.org).
enum class ColorChoice { kAuto, kAlways, kNever };

struct ReportStyle {
  size_t width = 0;    // columns; 0: the terminal's, or 80
  bool ascii = false;  // also where the locale is not UTF-8
  bool all = false;    // also what takes less than 1 % of the run
  ColorChoice color = ColorChoice::kAuto;
};

// --width, which with a unit is that of the pictures, --ascii, --color and, if it has a doc, --all;
// both must outlive the command line.
void DeclareStyle(const Command& command, ReportStyle& style, ReportFiles& pictures,
                  const std::string& all_doc);

TextStyle Resolve(const ReportStyle& style);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_REPORT_STYLE_H_
