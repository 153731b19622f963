// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "lib/model/derived.h"
#include "lib/report/bars.h"
#include "lib/report/csv_field.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/portability_report.h"

namespace roofmark {
namespace {

constexpr size_t kColumn = 9;

std::string Table(const std::vector<RegionPortability>& regions, size_t files, size_t pairing,
                  size_t width) {
  std::string out = fmt::format("\n{}: {}\n{}", kEfficiencies[pairing],
                                FindDerived(kEfficiencies[pairing])->doc, PadRight("", width));
  for (size_t i = 0; i < files; ++i) out += " " + PadLeft(std::to_string(i + 1), kColumn);
  out += " " + PadLeft("PP", kColumn) + "\n";
  for (const RegionPortability& region : regions) {
    out += PadRight(Shorten(NameOf(region), width, ".."), width);
    for (const auto& efficiency : region.efficiency[pairing]) {
      out += " " + PadLeft(ShareText(efficiency), kColumn);
    }
    out += " " + PadLeft(ShareText(region.portability[pairing]), kColumn) + "\n";
  }
  return out;
}

std::string RateBars(const std::vector<RegionPortability>& regions, size_t files,
                     const TextStyle& style) {
  std::vector<Bar> bars;
  for (const RegionPortability& region : regions) {
    for (size_t i = 0; i < files; ++i) {
      bars.push_back({i == 0 ? (region.path.empty() ? "whole run" : region.path) : "",
                      std::to_string(i + 1), region.efficiency[0][i]});
    }
    bars.push_back({"", "PP", region.portability[0]});
  }
  return fmt::format("\n{}\n{}", kEfficiencies[0], RenderBars(bars, style));
}

}  // namespace

std::string NameOf(const RegionPortability& region) {
  return region.path.empty() ? "whole run" : Printable(region.path);
}

std::string ShareText(const std::optional<double>& efficiency) {
  return efficiency ? fmt::format("{:.2f} %", *efficiency * 100) : "-";
}

std::string RenderPortability(const std::vector<RegionPortability>& regions,
                              const std::vector<std::string>& files, const TextStyle& style) {
  constexpr size_t kLeastRegionName = 9, kMostName = 40;
  size_t width = kLeastRegionName;
  for (const RegionPortability& region : regions) {
    width = std::max(width, DisplayWidth(NameOf(region)));
  }
  width = std::min(width, kMostName);
  std::string out;
  for (size_t i = 0; i < files.size(); ++i) {
    out += fmt::format("{}: {}\n", i + 1, Printable(files[i]));
  }
  for (size_t k = 0; k < kPairings; ++k) out += Table(regions, files.size(), k, width);
  return out + RateBars(regions, files.size(), style);
}

std::string RenderPortabilityCsv(const std::vector<RegionPortability>& regions,
                                 const std::vector<std::string>& files) {
  std::string out = "path,metric,file,value\n";
  for (const RegionPortability& region : regions) {
    for (size_t k = 0; k < kPairings; ++k) {
      for (size_t i = 0; i < files.size(); ++i) {
        const auto& efficiency = region.efficiency[k][i];
        out += fmt::format("{},{},{},{}\n", CsvField(region.path), kEfficiencies[k],
                           CsvField(files[i]), efficiency ? fmt::format("{}", *efficiency) : "");
      }
      out += fmt::format("{},{},,{}\n", CsvField(region.path), kEfficiencies[k],
                         region.portability[k]);
    }
  }
  return out;
}

}  // namespace roofmark
