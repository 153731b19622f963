// SPDX-License-Identifier: BSD-3-Clause
//
// What the page's script needs to draw charts and to show regions, as JSON. All numbers and all
// sentences are made here, by the functions that make those of tables and pictures; the script
// places and colours them. For .cc files only: it pulls in nlohmann-json.
#ifndef ROOFMARK_LIB_REPORT_PAGE_DATA_H_
#define ROOFMARK_LIB_REPORT_PAGE_DATA_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profile/json_document.h"
#include "lib/report/chart.h"
#include "lib/report/report.h"

namespace roofmark {

// Texts that many regions have in common are kept once.
class TextPool {
 public:
  // Its index in texts().
  size_t Add(std::string_view text);
  const Json& texts() const { return texts_; }

 private:
  std::map<std::string, size_t, std::less<>> index_;
  Json texts_ = Json::array();
};

// To six digits: more are neither seen nor measured, and make a page larger.
double Rounded(double value);

Json LineJson(const ChartLine& line);
Json WallJson(const ChartWall& wall);

// A part of what is shown of a selected region, below verdict and advice. Whatever more is to be
// shown of a region is added to MoreOfRegion().
struct PanelSection {
  std::string title;
  std::vector<std::string> lines;
};
std::vector<PanelSection> MoreOfRegion(const ReportJob& job, size_t path);

// A region, or the program as a whole (`path` is then an index of WholeJob()).
Json RegionJson(const ReportJob& job, size_t path, TextPool& pool);

// Of a script element: nothing in it can end the element or begin another one.
std::string ScriptText(const Json& json);

// The whole page's, safe between the tags of a script element.
std::string PageData(const std::vector<ReportJob>& jobs);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PAGE_DATA_H_
