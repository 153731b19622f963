// SPDX-License-Identifier: BSD-3-Clause
#include "command/self_test/child.h"

#include <fmt/format.h>

#include <cstdlib>

#include "collectors/counting/counting.h"
#include "command/ended.h"
#include "command/folder_links.h"
#include "command/installation.h"
#include "command/output.h"
#include "command/own_child.h"
#include "lib/core/collector_names.h"

extern char** environ;

namespace roofmark::cli {
namespace {

// The model's caches, so that arrays far beyond them are small.
constexpr char kModelledCaches[] = "L1:32K:8,L2:256K:8,L3:1M:16";

void KeepIfSet(const char* name, std::map<std::string, std::string>& environment) {
  if (const char* value = std::getenv(name)) environment[name] = value;
}

std::string LastLine(const std::string& text) {
  const size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "";
  const size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

std::string WhyDead(const ChildOutput& output) {
  if (!output.error.empty()) return output.error;
  const std::string said = LastLine(output.err);
  if (output.status == 128 + 4) {
    return "the engine does not know an instruction of the program (SIGILL)";
  }
  return fmt::format("it {}{}{}", EndedWith(output.status), said.empty() ? "" : ": ", said);
}

// One that executes the program again does not return where it succeeds; says nothing where it had
// succeeded before.
std::string StartEngineOfInstallation(Settings& settings) {
  const bool native = settings.engine == "native";
  if (!native && settings.tool_dir.empty()) settings.tool_dir = ToolFolder();
  const std::string library = LibraryPath();
  if (native ? library.empty() : settings.tool_dir.empty()) {
    return "libroofmark.so and the counting engine are not in the library folder beside this "
           "command";
  }
  return StartEngine(settings, native ? library : CommandPath());
}

}  // namespace

Result<SelfTest> SelfTestInChild(const std::string& collector, const std::string& group,
                                 Extent extent, const std::string& engine) {
  std::map<std::string, std::string> environment = {{"ROOFMARK_COLLECTOR", collector},
                                                    {"ROOFMARK_QUIET", "1"},
                                                    {"ROOFMARK_CACHE", kModelledCaches}};
  for (const char* name : {"ROOFMARK_EVENTS", "ROOFMARK_PACKAGE_EVENTS", "ROOFMARK_KERNEL",
                           "ROOFMARK_ROTATE", "ROOFMARK_GROUP"}) {
    KeepIfSet(name, environment);
  }
  FolderLinks links(/*on_this_node=*/true);
  const char* chosen = std::getenv("ROOFMARK_TOOL_DIR");
  const Result<std::string> tools = links.To(chosen == nullptr ? ToolFolder() : chosen);
  if (!tools) return Error{tools.error()};
  if (!tools->empty()) environment["ROOFMARK_TOOL_DIR"] = *tools;
  if (!engine.empty()) environment["ROOFMARK_ENGINE"] = engine;
  if (!group.empty()) environment["ROOFMARK_GROUP"] = group;
  if (extent == Extent::kProbe) environment["ROOFMARK_COUNT"] = "flops";
  std::vector<std::string> arguments = {"doctor", "--worker"};
  if (extent == Extent::kProbe) arguments.push_back("--probe");
  const ChildOutput output = RunOwnChild(arguments, environment, 300);
  if (output.status != 0) return Error{WhyDead(output)};
  return SelfTestFromJson(output.out);
}

Result<SelfTest> SelfTestOfAllGroups(const std::string& collector) {
  Result<SelfTest> all = SelfTestInChild(collector, "", Extent::kAll);
  const bool chosen =
      std::getenv("ROOFMARK_GROUP") != nullptr || std::getenv("ROOFMARK_EVENTS") != nullptr;
  if (!all || !all->Counts() || all->engine || chosen) return all;
  for (const char* group : {"mem", "cache"}) {
    Result<SelfTest> more = SelfTestInChild(collector, group, Extent::kAll);
    if (more && more->Counts()) Merge(*all, std::move(*more));
  }
  return all;
}

int SelfTestWorker(Extent extent) {
  Settings settings = ParseSettings(environ).settings;
  SelfTest test;
  if (RunsUnderEngine(settings.collector)) {
    const std::string why = StartEngineOfInstallation(settings);
    if (!why.empty()) test = {"timer", why, false, {}, {}, {}};
  }
  if (test.collector.empty()) test = RunSelfTest(settings, extent);
  Print("{}\n", SelfTestToJson(test));
  return 0;
}

}  // namespace roofmark::cli
