// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_files.h"

#include "command/files.h"
#include "command/output.h"
#include "command/picture_converter.h"

namespace roofmark::cli {
namespace {

// The picture in every form that is wanted.
bool SavePictures(const ReportFiles& files, const std::function<std::string()>& draw) {
  if (files.svg.empty() && files.pdf.empty() && files.png.empty()) return true;
  const std::string svg = draw();
  bool saved = files.svg.empty() || Save(files.svg, svg, files.force);
  const auto convert = [&](const std::string& file, PictureFormat format) {
    if (file.empty()) return;
    const Result<std::string> picture = Converted(svg, format, files.dpi);
    if (!picture) PassOn(picture.error());
    saved &= picture && Save(file, *picture, files.force);
  };
  convert(files.pdf, PictureFormat::kPdf);
  convert(files.png, PictureFormat::kPng);
  return saved;
}

}  // namespace

bool ReportFiles::ForPrograms() const {
  for (const std::string* file : {&csv, &markdown, &svg, &pdf, &png, &html}) {
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
  command.Output("--pdf", files.pdf, "The same as PDF, by rsvg-convert (Debian: librsvg2-bin)",
                 {.extension = "pdf", .force = &files.force, .why_not = &WhyNoConverter});
  command.Output("--png", files.png,
                 "The same as PNG, by rsvg-convert: 300 dots per inch, or --width in px",
                 {.extension = "png", .force = &files.force, .why_not = &WhyNoConverter});
  command.Choice<SvgTheme>("--theme", files.picture.theme,
                           {{"light", SvgTheme::kLight}, {"dark", SvgTheme::kDark}},
                           "Colours of pictures: dark for slides and pages that are dark");
  command.Flag("--no-title", files.picture.without_title, "Pictures without titles");
  command.Output("--html", files.html, "A self-contained HTML page",
                 {.extension = "html", .force = &files.force});
}

void DeclareAspect(const Command& command, ReportFiles& files) {
  command
      .Read("--aspect", "Width to height of each roofline in pictures, without its table: 4:3",
            [&files](const std::string& given) {
              const Result<double> aspect = ParseAspect(given);
              if (aspect) files.picture.aspect = *aspect;
              return aspect ? std::string() : aspect.error();
            })
      .Shown("W:H");
}

void DeclareNoTable(const Command& command, ReportFiles& files) {
  command.Flag("--no-table", files.picture.without_table, "Pictures without tables");
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
  saved &= SavePictures(files, texts.svg);
  save(files.html, texts.html);
  return saved;
}

}  // namespace roofmark::cli
