// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures as PDF and PNG, by rsvg-convert of the library librsvg: an external program, which
// understands the fonts of the machine.
#ifndef ROOFMARK_COMMAND_PICTURE_CONVERTER_H_
#define ROOFMARK_COMMAND_PICTURE_CONVERTER_H_

#include <cstdint>
#include <string>

#include "lib/core/result.h"

namespace roofmark::cli {

enum class PictureFormat : uint8_t { kPdf, kPng };

// Why it cannot be executed, as a sentence with the cure; empty: it can.
std::string WhyNoConverter();

// `svg` as a file of this format; `dpi` is of pictures made of dots.
Result<std::string> Converted(const std::string& svg, PictureFormat format, double dpi);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PICTURE_CONVERTER_H_
