// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_files.h"

#include "command/files.h"

namespace roofmark::cli {
namespace {

constexpr double kLeastSvgMm = 60, kMostSvgMm = 1000;

}  // namespace

bool ReportFiles::ForPrograms() const {
  for (const std::string* file : {&csv, &markdown, &svg, &html}) {
    if (*file == "-") return true;
  }
  return false;
}

void DeclareTables(const Command& command, ReportFiles& files) {
  command.Output("--csv", files.csv, "CSV in long form for programs; - is standard output",
                 {.extension = "csv", .force = &files.force});
  command.Output("--markdown", files.markdown,
                 "Table for a pull request, as GitHub's Markdown; - is standard output",
                 {.extension = "md", .force = &files.force});
}

void DeclarePictures(const Command& command, ReportFiles& files) {
  command.Output("--svg", files.svg, "A picture", {.extension = "svg", .force = &files.force});
  command
      .Value("--svg-width", files.picture.width_mm,
             "Width of the picture in millimetres, for papers: 85 is one of two columns")
      .Shown("MM")
      .Within(kLeastSvgMm, kMostSvgMm);
  command.Choice<SvgTheme>("--svg-theme", files.picture.theme,
                           {{"light", SvgTheme::kLight}, {"dark", SvgTheme::kDark}},
                           "Colours of the picture: dark for slides and pages that are dark");
  command.Output("--html", files.html, "A self-contained HTML page",
                 {.extension = "html", .force = &files.force});
}

void DeclareForce(const Command& command, ReportFiles& files) {
  command.Flag("--force", files.force, "Replace existing files");
}

bool SaveReports(const ReportFiles& files, const ReportTexts& texts) {
  bool saved = true;
  const auto save = [&](const std::string& file, const std::function<std::string()>& text) {
    if (!file.empty()) saved &= Save(file, text(), files.force);
  };
  save(files.csv, texts.csv);
  save(files.markdown, texts.markdown);
  save(files.svg, texts.svg);
  save(files.html, texts.html);
  return saved;
}

}  // namespace roofmark::cli
