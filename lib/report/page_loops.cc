// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/page_loops.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lib/core/terminal_text.h"
#include "lib/report/format.h"
#include "lib/report/loop_words.h"

namespace roofmark {
namespace {

using incore::LoopView;

Json Texts(const std::vector<std::string>& lines) {
  Json texts = Json::array();
  for (const std::string& line : lines) texts.push_back(Printable(line));
  return texts;
}

// Share and executions stand where a block begins.
Json CodeJson(const LoopView& view) {
  Json rows = Json::array();
  for (const CodeRow& row : CodeRows(view)) {
    rows.push_back({row.share, row.times, row.line, Printable(row.text)});
  }
  return rows;
}

Json PageLoop(const LoopView& view, const incore::LoopsView& all) {
  std::vector<std::string> findings;
  for (const incore::Finding& finding : view.findings) {
    findings.push_back(FindingSentence(finding));
  }
  return {{"name", Printable(LoopTitle(view))},
          {"lines", Texts(LoopSentences(view, all))},
          {"findings", Texts(findings)},
          {"code", CodeJson(view)},
          {"notes", Texts(CodeNotes(view))}};
}

struct Used {
  size_t loop;
  double share;  // of the run, in the region
};

std::vector<Used> LoopsIn(const ReportJob& job, const std::string& region) {
  std::vector<Used> used;
  for (size_t i = 0; i < job.loops.loops.size(); ++i) {
    const incore::LoopUse use = UseIn(job.loops.loops[i], region);
    if (use.regions > 0) used.push_back({i, use.share});
  }
  std::stable_sort(used.begin(), used.end(),
                   [](const Used& one, const Used& other) { return one.share > other.share; });
  return used;
}

}  // namespace

Json PageLoops(const ReportJob& job) {
  if (job.loops.loops.empty()) return nullptr;
  Json loops = Json::array();
  for (const LoopView& view : job.loops.loops) loops.push_back(PageLoop(view, job.loops));
  return {{"heads", CodeHeads(job.loops)},
          {"remarks", Texts(LoopRemarks(job.loops))},
          {"loops", std::move(loops)}};
}

Json PageLoopsOf(const ReportJob& job, std::optional<size_t> path) {
  if (job.loops.loops.empty()) return nullptr;
  const std::string region = path ? job.profile.paths[*path].path : std::string();
  const std::vector<Used> used = LoopsIn(job, region);
  if (used.empty()) return nullptr;
  Json loops = Json::array(), lines = Json::array();
  for (const auto& [loop, share] : used) {
    const LoopView& view = job.loops.loops[loop];
    const bool own = std::find(view.paths.begin(), view.paths.end(), region) != view.paths.end();
    loops.push_back(
        {loop, Percent(share), LoopShareSentence(view, job.loops, region), !path || own});
  }
  if (path) {
    const std::string dependences = DependenceSentence(job, *path);
    if (!dependences.empty()) lines.push_back(dependences);
  }
  return {{"lines", std::move(lines)}, {"of", std::move(loops)}};
}

}  // namespace roofmark
