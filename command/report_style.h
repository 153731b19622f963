// SPDX-License-Identifier: BSD-3-Clause
//
// How reports look in this terminal.
#ifndef ROOFMARK_COMMAND_REPORT_STYLE_H_
#define ROOFMARK_COMMAND_REPORT_STYLE_H_

#include <cstddef>

#include "command/options.h"
#include "lib/report/report.h"

namespace roofmark::cli {

struct ReportStyle {
  size_t width = 0;    // columns; 0: the terminal's, or 80
  bool ascii = false;  // also where the locale is not UTF-8
  bool all = false;    // also what takes less than 1 % of the run
};

// --width, --ascii and, if it has a doc, --all; `style` must outlive the command line.
void DeclareStyle(const Command& command, ReportStyle& style, const std::string& all_doc);

TextStyle Resolve(const ReportStyle& style);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_REPORT_STYLE_H_
