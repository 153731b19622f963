// SPDX-License-Identifier: BSD-3-Clause
//
// Performance portability as a picture and as a page: the efficiency of each region on each
// platform, and their harmonic mean (tables II to IV of the 2018 empirical roofline paper).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "lib/model/derived.h"
#include "lib/report/format.h"
#include "lib/report/html_document.h"
#include "lib/report/page_assets.h"
#include "lib/report/picture.h"
#include "lib/report/portability_report.h"
#include "lib/report/rate_chart.h"
#include "lib/report/still_page.h"

namespace roofmark {
namespace {

constexpr char kTitle[] = "performance portability";
// Of columns, as kEfficiencies.
constexpr std::array<std::string_view, kPairings> kHeads = {"of attainable", "of the top roof",
                                                            "of the roof without FMA"};

std::string PlatformOf(const ReportJob& job) {
  const auto& roofs = job.analysis.roofs;
  return roofs ? fmt::format("{} on {}", job.name, roofs->machine) : job.name;
}

// The whole run, then regions by the longest time on any platform.
std::vector<size_t> ByTime(const std::vector<RegionPortability>& regions,
                           const std::deque<ReportJob>& jobs) {
  std::vector<double> times_s(regions.size(), 0);
  for (size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].path.empty()) times_s[i] = 1e300;
    for (const ReportJob& job : jobs) {
      const int path = job.profile.FindPath(regions[i].path);
      if (path < 0) continue;
      const Value& time = job.analysis.paths[static_cast<size_t>(path)].time_s;
      if (time) times_s[i] = std::max(times_s[i], *time);
    }
  }
  std::vector<size_t> order(regions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return times_s[a] > times_s[b]; });
  return order;
}

RateChart ChartOf(const std::vector<RegionPortability>& regions,
                  const std::deque<ReportJob>& jobs) {
  RateChart chart;
  for (const ReportJob& job : jobs) chart.kinds.push_back(PlatformOf(job));
  chart.together = "performance portability Φ: harmonic mean, 0 where a platform has no value";
  for (const size_t i : MostImportant(regions.size(), ByTime(regions, jobs))) {
    const RegionPortability& region = regions[i];
    chart.groups.push_back({region.path.empty() ? "whole run" : region.path, region.efficiency[0],
                            region.portability[0], i});
  }
  const size_t more = regions.size() - chart.groups.size();
  if (more > 0) chart.below = fmt::format("and {} more with less time", more);
  return chart;
}

std::string HeadOf(size_t pairing, std::string_view of) {
  return fmt::format("{} {}", kHeads[pairing], of);
}

void AddColumns(const std::deque<ReportJob>& jobs, StillSection& section) {
  for (size_t k = 0; k < kPairings; ++k) {
    const std::string doc(FindDerived(kEfficiencies[k])->doc);
    for (size_t i = 0; i < jobs.size(); ++i) {
      section.columns.push_back({HeadOf(k, std::to_string(i + 1)), 0, doc, 0, k > 0});
    }
    section.columns.push_back(
        {HeadOf(k, "Φ"), 0, "performance portability over: " + doc, 0, k > 0});
  }
}

StillRow RowOf(const RegionPortability& region, size_t part) {
  StillRow row = {{"", NameOf(region), 0, {}}, "", region.path, part, {}};
  const auto add = [&row](const std::optional<double>& share) {
    row.row.cells.push_back(ShareText(share));
    row.sort.push_back({share});
  };
  for (size_t k = 0; k < kPairings; ++k) {
    for (const auto& share : region.efficiency[k]) add(share);
    add(region.portability[k]);
  }
  return row;
}

// What the picture shows, in a sentence each.
std::vector<std::string> SentencesOf(const std::vector<RegionPortability>& regions) {
  std::vector<std::string> sentences;
  for (size_t k = 0; k < kPairings; ++k) {
    sentences.push_back(fmt::format("{} of the whole run: {} ({})", kTitle,
                                    ShareText(regions.back().portability[k]),
                                    FindDerived(kEfficiencies[k])->doc));
  }
  return sentences;
}

}  // namespace

std::string RenderPortabilitySvg(const std::vector<RegionPortability>& regions,
                                 const std::deque<ReportJob>& jobs, const PictureStyle& style) {
  Picture picture(style);
  picture.Add(fmt::format("{} and {}", kEfficiencies[0], kTitle),
              DrawRates(ChartOf(regions, jobs), picture.frame().width));
  return picture.Render(kRunsStyle.text);
}

std::string RenderPortabilityHtml(const std::vector<RegionPortability>& regions,
                                  const std::deque<ReportJob>& jobs) {
  StillSection section;
  section.title = fmt::format("{} over {} platforms", kTitle, jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    section.health += HtmlHealth(jobs[i], std::to_string(i + 1));
    section.legend.push_back(fmt::format("{}: {}", i + 1, PlatformOf(jobs[i])));
  }
  section.first = SentencesOf(regions);
  section.about = "Efficiency of each region on each platform, and performance portability";
  section.draw = [&](double width) { return DrawRates(ChartOf(regions, jobs), width); };
  AddColumns(jobs, section);
  for (size_t i = 0; i < regions.size(); ++i) section.rows.push_back(RowOf(regions[i], i));
  return RenderStillPage({section});
}

}  // namespace roofmark
