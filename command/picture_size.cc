// SPDX-License-Identifier: BSD-3-Clause
#include "command/picture_size.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace roofmark::cli {
namespace {

constexpr double kPixelDpi = 96, kMmPerInch = 25.4;
constexpr double kLeastAspect = 0.5, kMostAspect = 3;

struct LengthUnit {
  std::string_view name;
  double mm;
};
constexpr LengthUnit kLengthUnits[] = {
    {"mm", 1}, {"cm", 10}, {"in", kMmPerInch}, {"px", kMmPerInch / kPixelDpi}};

// Above 0, in decimal digits alone.
std::optional<double> PositiveNumber(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const bool is_number = read.ec == std::errc() && read.ptr == end && std::isfinite(value);
  return is_number && value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<PictureWidth> ParsePictureWidth(std::string_view text) {
  for (const LengthUnit& unit : kLengthUnits) {
    if (!text.ends_with(unit.name)) continue;
    const auto number = PositiveNumber(text.substr(0, text.size() - unit.name.size()));
    if (!number) break;
    const double mm = *number * unit.mm;
    if (mm >= kLeastPictureMm && mm <= kMostPictureMm) {
      return PictureWidth{mm, unit.name == "px" ? kPixelDpi : kPrintDpi};
    }
    return Error{fmt::format("{} is no width from {:g}{} to {:g}{}", text,
                             std::ceil(kLeastPictureMm / unit.mm * 100) / 100, unit.name,
                             std::floor(kMostPictureMm / unit.mm * 100) / 100, unit.name)};
  }
  return Error{fmt::format("{} is no length like 85mm, 8.5cm, 3.3in or 900px",
                           text.empty() ? "an empty text" : text)};
}

Result<double> ParseAspect(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto width = PositiveNumber(text.substr(0, colon));
    const auto height = PositiveNumber(text.substr(colon + 1));
    const double aspect = width && height ? *width / *height : 0;
    if (aspect >= kLeastAspect && aspect <= kMostAspect) return aspect;
  }
  return Error{fmt::format("{} is no width:height from 1:2 to 3:1, like 4:3",
                           text.empty() ? "an empty text" : text)};
}

}  // namespace roofmark::cli
