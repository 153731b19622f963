// SPDX-License-Identifier: BSD-3-Clause
//
// Performance portability, for people and programs. Everything is returned as text.
#ifndef ROOFMARK_LIB_REPORT_PORTABILITY_REPORT_H_
#define ROOFMARK_LIB_REPORT_PORTABILITY_REPORT_H_

#include <deque>
#include <string>
#include <vector>

#include "lib/model/portability.h"
#include "lib/report/report.h"

namespace roofmark {

// `regions` as PortabilityOf() gives them, `files` the platforms' names in their order. A table for
// each of the efficiencies, then the first of them as bars.
std::string RenderPortability(const std::vector<RegionPortability>& regions,
                              const std::vector<std::string>& files, const TextStyle& style);

// path,metric,file,value: a line for each region, efficiency and platform, then one of the metric,
// whose file is empty.
std::string RenderPortabilityCsv(const std::vector<RegionPortability>& regions,
                                 const std::vector<std::string>& files);

// The first of the efficiencies on each platform, and what they make together: a picture, and a
// self-contained page with all of them in a table. `jobs`: the platforms.
std::string RenderPortabilitySvg(const std::vector<RegionPortability>& regions,
                                 const std::deque<ReportJob>& jobs, const PictureStyle& style);
std::string RenderPortabilityHtml(const std::vector<RegionPortability>& regions,
                                  const std::deque<ReportJob>& jobs);

// Of its path: "whole run" where that is empty.
std::string NameOf(const RegionPortability& region);

// "72.15 %", "-" where there is none.
std::string ShareText(const std::optional<double>& efficiency);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PORTABILITY_REPORT_H_
