// SPDX-License-Identifier: BSD-3-Clause
#include "command/picture_converter.h"

#include <fmt/format.h>

#include "command/ended.h"
#include "command/own_child.h"
#include "lib/core/messages/command.h"

namespace roofmark::cli {
namespace {

constexpr char kConverter[] = "rsvg-convert";
constexpr int kConvertSeconds = 60;

// Its first line on standard error, or how it ended.
std::string WhyItFailed(const ChildOutput& output) {
  if (!output.error.empty()) return output.error;
  const std::string why = output.err.substr(0, output.err.find('\n'));
  return why.empty() ? "it " + EndedWith(output.status) : why;
}

}  // namespace

std::string WhyNoConverter() {
  const ChildOutput output = RunForOutput({kConverter, "--version"}, "", kConvertSeconds);
  return output.status == 0 ? "" : InWords(message::kNoPictureConverter, WhyItFailed(output));
}

// A pixel of SVG is a 96th of an inch, and so is one of rsvg-convert.
Result<std::string> Converted(const std::string& svg, PictureFormat format, double dpi) {
  std::vector<std::string> words = {kConverter, "--format=pdf"};
  if (format == PictureFormat::kPng) {
    words = {kConverter, "--format=png", fmt::format("--zoom={:.6g}", dpi / 96)};
  }
  ChildOutput output = RunForOutput(std::move(words), svg, kConvertSeconds);
  if (output.status != 0 || output.out.empty()) {
    return Error{InWords(message::kPictureNotConverted, WhyItFailed(output))};
  }
  return std::move(output.out);
}

}  // namespace roofmark::cli
