// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_show.h"

#include <sys/resource.h>

#include <utility>
#include <vector>

#include "benchmarks/machine/describe_plan.h"
#include "benchmarks/machine/topology.h"
#include "command/commands.h"
#include "command/files.h"
#include "command/machine_table.h"
#include "command/output.h"
#include "command/own_child.h"
#include "command/report_command.h"
#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_json.h"
#include "lib/report/report.h"

namespace roofmark::cli {
namespace {

Result<KeptMachine> LoadKept(const std::string& file) {
  if (file.empty()) return LoadMachineFile();
  const auto text = ReadFile(file, limits::kMachineBytes);
  if (!text) return Error{text.error()};
  auto machine = MachineFromJson(*text, file);
  if (!machine) return Error{machine.error()};
  return KeptMachine{std::move(*machine), file, {}};
}

#ifdef __has_feature
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif
// The sanitizer reserves terabytes of addresses.
constexpr rlim_t kMostMemory = kSanitized ? RLIM_INFINITY : rlim_t{4} << 30;

}  // namespace

void ShowMachine(const Machine& machine) {
  Print(MachineTable(machine) + "\n");
  ShowRoofs(machine, {});
}

int ShowMachineFile(const std::string& file, const std::string& svg, bool force) {
  const auto kept = LoadKept(file);
  if (!kept) {
    PassOn(kept.error());
    return kFailure;
  }
  ShowMachine(kept->machine);
  Print("\nmeasured {}, kept in {}\n", kept->machine.measured_at, kept->path);
  for (const std::string& reason : kept->stale) Say(message::kShownMachineIsOld, reason);
  return svg.empty() || Save(svg, RenderMachineSvg(kept->machine), force) ? 0 : kFailure;
}

int ShowMachinePlan(const std::string& topology_file, Effort effort) {
  constexpr int kPlanSeconds = 60;
  std::vector<std::string> arguments = {"machine", "--topology", topology_file, "--in-child"};
  if (effort == Effort::kQuick) arguments.push_back("--quick");
  if (effort == Effort::kFull) arguments.push_back("--full");
  const ChildOutput child = RunOwnChild(arguments, {}, kPlanSeconds);
  if (child.status == 0) {
    Print(child.out);
    return 0;
  }
  if (child.status == kFailure) {
    PassOn(child.out);
  } else {
    Say(message::kNoTopology, topology_file, child.status == -1 ? child.error : "hwloc crashed");
  }
  return kFailure;
}

int ShowMachinePlanInChild(const std::string& topology_file, Effort effort) {
  // A few bytes of a file can name as many CPUs as there are numbers.
  const rlimit memory = {kMostMemory, kMostMemory};
  setrlimit(RLIMIT_AS, &memory);
  const auto topology = ReadTopologyFile(topology_file);
  if (!topology) {
    Print(topology.error());
    return kFailure;
  }
  uint64_t memory_bytes = 0;
  for (const NumaNode& node : topology->numa) memory_bytes += node.memory_bytes;
  Print(DescribePlan(*topology, effort, memory_bytes));
  return 0;
}

}  // namespace roofmark::cli
