// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/host_json.h"

#include <array>

#include "lib/core/limits.h"
#include "lib/core/utf8.h"

namespace roofmark {
namespace {

// In the order of FiguresOf().
constexpr std::array<const char*, 7> kFigures = {"rank_cpus", "clock_khz",  "busy_ns",    "visits",
                                                 "flops",     "dram_bytes", "quota_mcpus"};

// `ranks` of the host: mostly all of them have a value, and a job has many hosts.
Json WriteFigure(const OverHost& figure, uint32_t ranks) {
  Json json = {{"least", figure.least}, {"most", figure.most}, {"sum", figure.sum}};
  if (figure.ranks != ranks) json["ranks"] = figure.ranks;
  return json;
}

OverHost ReadFigure(const JsonNode& node, uint32_t ranks) {
  OverHost figure;
  if (!node.present()) return figure;
  figure.ranks = node["ranks"].Within(1, limits::kRanks, ranks);
  figure.least = node["least"].Required().Uint();
  figure.most = node["most"].Required().Uint();
  figure.sum = node["sum"].Required().Uint();
  if (figure.least > figure.most) node["least"].Fail("is above `most` beside it");
  if (figure.most > figure.sum) node["most"].Fail("is above `sum` beside it");
  return figure;
}

}  // namespace

Json WriteHost(const HostInfo& host) {
  Json json = {{"name", Utf8(host.name)},
               {"ranks", host.ranks},
               {"cpuset", Utf8(host.cpuset)},
               {"cpus", host.cpus}};
  if (!host.cpu.empty()) json["cpu"] = Utf8(host.cpu);
  if (!host.kind.empty()) json["kind"] = Utf8(host.kind);
  if (!host.cores.empty()) json["cores"] = Utf8(host.cores);
  if (host.machine_cpus > 0) json["machine_cpus"] = host.machine_cpus;
  if (!host.bound_by.empty()) json["bound_by"] = Utf8(host.bound_by);
  const auto figures = FiguresOf(host);
  for (size_t i = 0; i < figures.size(); ++i) {
    if (figures[i]->ranks > 0) json[kFigures[i]] = WriteFigure(*figures[i], host.ranks);
  }
  return json;
}

HostInfo ReadHost(const JsonNode& node) {
  HostInfo host = {node["name"].String(), node["ranks"].Uint32(), node["cpuset"].String(),
                   node["cpus"].Uint32(), node["cpu"].String(),   node["kind"].String()};
  host.cores = node["cores"].String();
  host.machine_cpus = node["machine_cpus"].Uint32();
  host.bound_by = node["bound_by"].String();
  const auto figures = FiguresOf(host);
  for (size_t i = 0; i < figures.size(); ++i)
    *figures[i] = ReadFigure(node[kFigures[i]], host.ranks);
  return host;
}

}  // namespace roofmark
