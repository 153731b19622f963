// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "lib/samples/samples.h"

namespace roofmark {
namespace {

uint64_t Sum(uint64_t a, uint64_t b) {
  const uint64_t sum = a + b;
  return sum < a ? UINT64_MAX : sum;
}

// What makes modules of different processes one: the build id, or else the file.
using Identity = std::pair<std::string, std::string>;
Identity IdentityOf(const SampledModule& module) {
  return {module.build_id, module.build_id.empty() ? module.file : ""};
}

std::vector<SampledPlace> Joined(const std::vector<SampledPlace>& a,
                                 const std::vector<SampledPlace>& b) {
  std::vector<SampledPlace> all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const SampledPlace& x, const SampledPlace& y) { return x.offset < y.offset; });
  std::vector<SampledPlace> joined;
  for (const SampledPlace& place : all) {
    if (joined.empty() || joined.back().offset != place.offset) {
      joined.push_back(place);
      continue;
    }
    joined.back().samples = Sum(joined.back().samples, place.samples);
    joined.back().cpu_ns = Sum(joined.back().cpu_ns, place.cpu_ns);
    joined.back().main_ns = Sum(joined.back().main_ns, place.main_ns);
    joined.back().kernel_ns = Sum(joined.back().kernel_ns, place.kernel_ns);
  }
  return joined;
}

// The same file can have another name on another node: the first one by the alphabet stays.
void Add(SampledModule module, std::map<Identity, SampledModule>& modules) {
  const auto [at, is_new] = modules.try_emplace(IdentityOf(module));
  SampledModule& known = at->second;
  if (is_new) {
    known = std::move(module);
    return;
  }
  known.file = std::min(known.file, module.file);
  known.places = Joined(known.places, module.places);
}

}  // namespace

std::string_view NameOf(SampleMethod method) {
  return method == SampleMethod::kTimer ? "timer" : "perf_event";
}

Samples MergeSamples(std::vector<Samples> parts) {
  Samples merged;
  std::map<Identity, SampledModule> modules;
  for (Samples& part : parts) {
    std::move(part.processes.begin(), part.processes.end(), std::back_inserter(merged.processes));
    for (SampledModule& module : part.modules) Add(std::move(module), modules);
  }
  for (auto& [identity, module] : modules) merged.modules.push_back(std::move(module));
  const auto by_name = [](const SampledModule& a, const SampledModule& b) {
    return std::tie(a.file, a.build_id) < std::tie(b.file, b.build_id);
  };
  std::sort(merged.modules.begin(), merged.modules.end(), by_name);
  const auto by_rank = [](const SampledProcess& a, const SampledProcess& b) {
    return std::tie(a.rank, a.host, a.pid, a.start_time) <
           std::tie(b.rank, b.host, b.pid, b.start_time);
  };
  std::stable_sort(merged.processes.begin(), merged.processes.end(), by_rank);
  return merged;
}

}  // namespace roofmark
