// SPDX-License-Identifier: BSD-3-Clause
//
// The files that commands write of what they show: tables for programs and pull requests, pictures,
// pages. Declared once for all of them.
#ifndef ROOFMARK_COMMAND_REPORT_FILES_H_
#define ROOFMARK_COMMAND_REPORT_FILES_H_

#include <functional>
#include <string>

#include "command/options.h"
#include "command/picture_size.h"
#include "lib/report/report.h"

namespace roofmark::cli {

struct ReportFiles {
  std::string csv, markdown, svg, pdf, png, html;  // empty: not wanted; "-": standard output
  PictureStyle picture;
  double dpi = kPrintDpi;  // of the PNG
  bool force = false;

  // What goes to standard output is for programs: nothing else goes there.
  bool ForPrograms() const;
};

// `files` must outlive the command line.
void DeclareTables(const Command& command, ReportFiles& files);    // --csv, --markdown
void DeclarePictures(const Command& command, ReportFiles& files);  // --svg and others, --html
void DeclareAspect(const Command& command, ReportFiles& files);
void DeclareNoTable(const Command& command, ReportFiles& files);
void DeclareForce(const Command& command, ReportFiles& files);

// Each is made where its file is wanted.
struct ReportTexts {
  std::function<std::string()> csv, markdown, svg, html;
};
// False after saying what could not be written.
bool SaveReports(const ReportFiles& files, const ReportTexts& texts);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_REPORT_FILES_H_
