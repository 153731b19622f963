// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark loops: hot loops with their assembly, and what their bodies could reach.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/commands.h"
#include "command/files.h"
#include "command/loops/view.h"
#include "command/output.h"
#include "lib/core/messages/command.h"
#include "lib/core/shell_word.h"
#include "lib/report/loop_words.h"
#include "lib/report/loops_text.h"

namespace roofmark::cli {
namespace {

struct LoopsOptions {
  std::string file, region;
  std::vector<std::string> machines;
  uint32_t most = 0;  // 0: as many as fit the purpose
  bool no_mca = false;
};

constexpr uint32_t kListed = 20, kShown = 3;

int Loops(const LoopsOptions& options) {
  const std::optional<RooflineFile> file = LoadRoofline(options.file);
  if (!file) return kFailure;
  if (file->hot.loops.empty()) {
    PassOn(fmt::format("{} {}", options.file, kNoHotLoops));
    return kFailure;
  }
  incore::Wanted wanted;
  if (!options.region.empty()) {
    const Result<std::string> path = FindRegion(file->job, options.region);
    if (!path) {
      PassOn(path.error());
      return kUsage;
    }
    wanted.path = *path;
  }
  const bool in_detail = !options.region.empty();
  wanted.most = options.most > 0 ? options.most : in_detail ? kShown : kListed;
  const FoundMachines found = FindMachines(options.machines, *file, options.file);
  if (found.failed) return kFailure;
  const ReportJob job = {options.file, file->job, Analyze(file->job, found.machines), {}};
  const incore::LoopsView views = MakeLoopsView(file->hot, job, wanted, !options.no_mca);
  if (views.loops.empty()) {
    Say(message::kNoHotLoopsInRegion, options.file);
    return kFailure;
  }
  if (in_detail) {
    Print(RenderLoops(job, views, wanted.path));
  } else {
    Print(RenderLoopList(views));
    Print("`roofmark loops {} REGION` shows the code of those in a region.\n",
          ShellWord(options.file));
  }
  return 0;
}

}  // namespace

void AddLoopsCommand(CommandLine& line) {
  auto options = std::make_shared<LoopsOptions>();
  const Command command =
      line.Add("loops",
               "List the hottest loops; show a region's with their assembly, lanes, trip "
               "counts, and what they could reach with their data in L1");
  command
      .Value("FILE", options->file,
             "A roofline file that `roofmark run --auto` or `roofmark run --loops` wrote")
      .Required();
  command.Value("REGION", options->region,
                "A region's path, its name, or a part of it: show the code of its loops");
  command
      .Value("--most", options->most,
             fmt::format("So many loops (default: {} in the list, {} with their code)", kListed,
                         kShown))
      .Shown("N")
      .Within(1, 1000);
  command.Flag("--no-llvm-mca", options->no_mca,
               "Do not execute llvm-mca, which tells what ports and chains allow");
  command
      .Value("--machine", options->machines,
             "Machine file, one for each kind of node (default: those in FILE, or kept ones)")
      .Shown("FILE")
      .OneEachTime();
  command.Runs([options] { return Loops(*options); });
}

}  // namespace roofmark::cli
