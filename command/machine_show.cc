// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_show.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "benchmarks/machine/describe_plan.h"
#include "benchmarks/machine/topology.h"
#include "command/commands.h"
#include "command/files.h"
#include "command/machine_table.h"
#include "command/report_command.h"
#include "lib/core/file.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_json.h"
#include "lib/report/report.h"

namespace roofmark::cli {
namespace {

Result<KeptMachine> Load(const std::string& file) {
  if (file.empty()) return LoadMachineFile();
  const auto text = ReadFile(file);
  if (!text) return Error{text.error()};
  auto machine = MachineFromJson(*text, file);
  if (!machine) return Error{machine.error()};
  return KeptMachine{std::move(*machine), file, {}};
}

}  // namespace

void ShowMachine(const Machine& machine) {
  std::fputs((MachineTable(machine) + "\n").c_str(), stdout);
  ShowRoofs(machine, {});
}

int ShowMachineFile(const std::string& file, const std::string& svg, bool force) {
  const auto kept = Load(file);
  if (!kept) {
    Say(kept.error());
    return kFailure;
  }
  ShowMachine(kept->machine);
  fmt::print("\nmeasured {}, kept in {}\n", kept->machine.measured_at, kept->path);
  std::fflush(stdout);
  for (const std::string& reason : kept->stale) Say("it may be out of date: " + reason);
  return svg.empty() || Save(svg, RenderMachineSvg(kept->machine), force) ? 0 : kFailure;
}

int ShowMachinePlan(const std::string& topology_file, Effort effort) {
  const auto topology = ReadTopologyFile(topology_file);
  if (!topology) {
    Say(topology.error());
    return kFailure;
  }
  uint64_t memory_bytes = 0;
  for (const NumaNode& node : topology->numa) memory_bytes += node.memory_bytes;
  const std::string text = DescribePlan(*topology, effort, memory_bytes);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace roofmark::cli
