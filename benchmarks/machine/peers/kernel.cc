// SPDX-License-Identifier: BSD-3-Clause
//
// machine_kernel: one kernel of the ceilings alone, sampled as `roofmark machine` samples it, for
// comparisons with other programs. Prints one line of JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/machine/compute_load.h"
#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/sampler.h"
#include "benchmarks/machine/sweep.h"
#include "benchmarks/machine/topology.h"
#include "lib/core/clock.h"
#include "lib/core/result.h"

namespace roofmark {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string arithmetic = "dp", kind;
  std::string width = "scalar";
  uint64_t bytes = 0;
  uint32_t cores = 1;
  double seconds = 0.3;
};

// As PlanOf(Effort::kDefault) has it; fresh memory after as many samples as it takes in a round.
constexpr double kSampleSeconds = 0.001;
constexpr uint32_t kSamples = 6;

bool Matches(const ComputeKernel& kernel, const Arguments& wanted) {
  return ComputeKindName(kernel.kind) == wanted.kind &&
         InfoOf(kernel.arithmetic).name == wanted.arithmetic &&
         WidthName(kernel.width) == wanted.width;
}

// The first ones; the team has no more.
std::vector<uint32_t> Workers(uint32_t cores) {
  std::vector<uint32_t> workers(cores);
  std::iota(workers.begin(), workers.end(), 0u);
  return workers;
}

MeasureTask TaskOf(std::shared_ptr<Load> load, uint32_t cores) {
  MeasureTask task;
  task.load = std::move(load);
  task.on.workers = Workers(cores);
  return task;
}

std::vector<MeasureTask> ComputeTasksOf(const Arguments& wanted) {
  std::vector<MeasureTask> tasks;
  for (const ComputeKernel& kernel : ComputeKernels()) {
    if (!Matches(kernel, wanted)) continue;
    tasks.push_back(TaskOf(std::make_shared<ComputeLoad>(kernel, wanted.cores), wanted.cores));
  }
  return tasks;
}

// As in a machine's measurement: memory of its own inside the caches; beyond them the walk through
// one that is too large, and several ways of reading of which the best counts.
std::vector<MeasureTask> MemoryTasksOf(const Arguments& wanted, const Topology& topology,
                                       Team& team, std::vector<Buffer>& slabs) {
  const bool cached = !topology.caches.empty() &&
                      wanted.bytes * wanted.cores <= 2 * topology.caches.back().size_bytes;
  const std::vector<uint64_t> each(wanted.cores, wanted.bytes);
  if (!cached && !AppendSlabs(team, each, team.All(), &slabs)) slabs.clear();
  std::vector<MeasureTask> tasks;
  for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour, MemoryKind::kCopy,
                                MemoryKind::kTriad, MemoryKind::kTriadNt}) {
    if (GetInfo(kind).name != wanted.kind) continue;
    const MemoryKernel kernel{kind};
    if (cached) {
      if (kind == MemoryKind::kReadFour) continue;
      tasks.push_back(
          TaskOf(std::make_shared<MemoryLoad>(kernel, wanted.bytes, wanted.cores), wanted.cores));
    } else if (!slabs.empty()) {
      tasks.push_back(TaskOf(std::make_shared<MemoryLoad>(kernel, wanted.bytes, &slabs, team.All(),
                                                          MemoryLoad::Before::kEvict),
                             wanted.cores));
    }
  }
  return tasks;
}

Result<Json> Sample(std::vector<MeasureTask> tasks, const Arguments& wanted, Team& team) {
  if (tasks.empty()) return Error{"this CPU has no such kernel, or there is no memory for it"};
  Sampler sampler(team, kSampleSeconds);
  const uint64_t end = NowNs() + static_cast<uint64_t>(wanted.seconds * 1e9);
  do {
    for (MeasureTask& task : tasks) sampler.Round(task, kSamples);
  } while (NowNs() < end);
  const MeasureTask* best = nullptr;
  for (const MeasureTask& task : tasks) {
    if (task.no_memory) return Error{"no memory for this working set; use a smaller --bytes"};
    if (task.wrong) return Error{"the kernel's result is wrong"};
    if (best == nullptr || task.rates.Summary().value > best->rates.Summary().value) best = &task;
  }
  const MachinePoint rate = best->rates.Summary();
  return Json{{"value", rate.value},
              {"median", rate.median},
              {"min", rate.min},
              {"max", rate.max},
              {"samples", rate.samples},
              {"rejected", best->rates.rejected()},
              {"work", best->load->WorkPerRepeat() * static_cast<double>(best->repeats)},
              {"ghz", best->clock.Summary().median}};
}

Json Describe(const Topology& topology) {
  Json caches = Json::array();
  for (const CacheLevel& level : topology.caches) {
    caches.push_back({{"level", level.level},
                      {"bytes", level.size_bytes},
                      {"shared_by_cores", level.shared_by_cores}});
  }
  std::vector<std::string> widths;
  for (const auto& width : kWidthNames) {
    for (const ComputeKernel& kernel : ComputeKernels()) {
      if (kernel.width != width.id) continue;
      widths.emplace_back(width.name);
      break;
    }
  }
  return {{"cores", topology.cores.size()}, {"caches", caches}, {"widths", widths}};
}

Result<Json> Answer(const CLI::App& app, const Arguments& wanted) {
  auto topology = ReadTopology();
  if (!topology) return Error{topology.error()};
  if (app.got_subcommand("describe")) return Describe(*topology);
  if (wanted.cores > topology->cores.size()) {
    return Error{fmt::format("--cores {}: this process may use only {}", wanted.cores,
                             topology->cores.size())};
  }
  topology->cores.resize(wanted.cores);
  Team team(topology->cores);
  if (!team.unbound().empty()) return Error{"no thread could be bound to its CPU"};
  if (app.got_subcommand("compute")) return Sample(ComputeTasksOf(wanted), wanted, team);
  std::vector<Buffer> slabs;  // outlives the tasks
  return Sample(MemoryTasksOf(wanted, *topology, team, slabs), wanted, team);
}

int Main(int argc, char** argv) {
  Arguments wanted;
  CLI::App app{"Run one kernel of the machine's ceilings"};
  app.require_subcommand(1);
  app.add_subcommand("describe", "Print cores, caches and widths");
  CLI::App* compute = app.add_subcommand("compute", "GFLOP/s of arithmetic");
  CLI::App* memory = app.add_subcommand("memory", "GB/s of useful bytes");
  compute->add_option("--kind", wanted.kind, "chain, add, mul, muladd, fma ...")->required();
  compute->add_option("--arithmetic", wanted.arithmetic, "dp, sp, hp or bf16");
  compute->add_option("--width", wanted.width, "scalar, 128, 256 or 512");
  memory->add_option("--kind", wanted.kind, "read, copy, triad or triad_nt")->required();
  memory->add_option("--bytes", wanted.bytes, "working set of one core")
      ->required()
      ->check(CLI::PositiveNumber);
  for (CLI::App* command : {compute, memory}) {
    command->add_option("--cores", wanted.cores, "pinned threads, one per core")
        ->check(CLI::PositiveNumber);
    command->add_option("--seconds", wanted.seconds, "to sample for")->check(CLI::PositiveNumber);
  }
  CLI11_PARSE(app, argc, argv);
  const Result<Json> answer = Answer(app, wanted);
  if (!answer) {
    fmt::print(stderr, "machine_kernel: {}\n", answer.error());
    return 1;
  }
  fmt::print("{}\n", answer->dump());
  return 0;
}

}  // namespace
}  // namespace roofmark

int main(int argc, char** argv) try {
  return roofmark::Main(argc, argv);
} catch (const std::exception& exception) {
  std::fprintf(stderr, "machine_kernel: %s\n", exception.what());
  return 1;
}
