// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <iterator>

#include "command/doctor/counter_findings.h"
#include "command/doctor/environment_findings.h"
#include "command/doctor/gpu_findings.h"
#include "command/doctor/report.h"

namespace roofmark::cli {
namespace {

Result<events::CpuModel> ThisCpu() {
  const Result<events::CpuFacts> facts = events::ReadCpuFacts();
  if (!facts) return Error{facts.error()};
  return events::IdentifyCpu(*facts);
}

std::string HostName() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

void Append(Findings& to, Findings more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

DoctorReport Examine() {
  const SystemFacts facts = ReadSystemFacts();
  const Result<events::CpuModel> cpu = ThisCpu();
  DoctorReport report;
  report.host = HostName();
  report.kernel = facts.kernel;
  report.automatic = AskAutomatic();
  Findings& findings = report.findings;
  Append(findings, FindMachineKind(cpu, facts));
  Append(findings, FindCoreCounters(facts));
  if (findings.back().id != "perf_event_open") {  // else nothing opens, for that one reason
    Append(findings, FindTableEvents(cpu ? std::optional(*cpu) : std::nullopt, facts));
  }
  Append(findings, FindPapi());
  Append(findings, FindEngines());
  Append(findings, FindGpus());
  Append(findings, FindLimits(facts, report.automatic.events));
  Append(findings, FindFiles());
  report.conclusion = Conclude(findings, report.automatic);
  return report;
}

}  // namespace roofmark::cli
