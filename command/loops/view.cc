// SPDX-License-Identifier: BSD-3-Clause
#include "command/loops/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "command/loops/mca.h"
#include "lib/profile/region_name.h"

namespace roofmark::cli {
namespace {

constexpr size_t kCandidates = 10;  // that an error names

// Of a machine file that was measured, else what the kernel said. 0: not known, or nodes differ.
double ClockOf(const ReportJob& job) {
  const std::vector<AnalyzedKind>& kinds = job.analysis.kinds;
  if (kinds.size() != 1) return 0;
  if (kinds[0].machine_ghz > 0) return kinds[0].machine_ghz;
  const std::vector<HostInfo>& hosts = job.profile.run.hosts;
  if (hosts.empty() || hosts[0].clock_khz.ranks == 0) return 0;
  return static_cast<double>(hosts[0].clock_khz.most) * 1e-6;
}

using Fits = std::function<bool(const std::string& path)>;

std::vector<std::string> Fitting(const JobProfile& job, const Fits& fits) {
  std::vector<std::string> paths;
  for (const PathInfo& info : job.paths) {
    if (fits(info.path)) paths.push_back(info.path);
  }
  return paths;
}

// The first, if all others are inside it: parents come first.
bool AreInTheFirst(const std::vector<std::string>& paths) {
  return std::all_of(paths.begin() + 1, paths.end(), [&paths](const std::string& path) {
    return path.starts_with(paths[0] + "/");
  });
}

Error Ambiguous(const std::string& given, const std::vector<std::string>& paths,
                std::string_view what) {
  std::string text = fmt::format("\"{}\" {}:", given, what);
  for (size_t i = 0; i < std::min(kCandidates, paths.size()); ++i) text += "\n  " + paths[i];
  if (paths.size() > kCandidates)
    text += fmt::format("\n  and {} more", paths.size() - kCandidates);
  return Error{text};
}

}  // namespace

incore::LoopsView MakeLoopsView(const HotLoops& hot, const ReportJob& job,
                                const incore::Wanted& wanted, bool ask_mca) {
  incore::LoopsView views = ViewLoops(hot, wanted);
  views.clock_ghz = ClockOf(job);
  if (ask_mca) AskLlvmMca({hot.cpu_vendor, hot.cpu_family, hot.cpu_model}, views);
  return views;
}

Result<std::string> FindRegion(const JobProfile& job, const std::string& given) {
  if (job.FindPath(given) >= 0) return given;
  const Fits by_name = [&given](const std::string& path) { return LeafName(path) == given; };
  const Fits by_name_part = [&given](const std::string& path) {
    return LeafName(path).find(given) != std::string::npos;
  };
  const Fits by_path_part = [&given](const std::string& path) {
    return path.find(given) != std::string::npos;
  };
  for (const Fits& fits : {by_name, by_name_part, by_path_part}) {
    const std::vector<std::string> paths = Fitting(job, fits);
    if (paths.empty()) continue;
    if (AreInTheFirst(paths)) return paths[0];
    return Ambiguous(given, paths, "fits several regions; give more of one");
  }
  return Ambiguous(given, Fitting(job, [](const std::string&) { return true; }),
                   "fits no region; there are");
}

}  // namespace roofmark::cli
