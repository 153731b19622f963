// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/call_shares.h"

#include "lib/binary/functions.h"

namespace roofmark::loops {

CallShares::CallShares(std::span<const ModuleNests> modules, const std::map<Id, uint64_t>& own)
    : modules_(modules), own_(own) {
  for (uint32_t i = 0; i < modules.size(); ++i) TakeCalls(i);
  for (auto& [caller, edges] : calls_) {
    for (Edge& edge : edges) {
      edge.share = called_[edge.callee] > 0 ? edge.share / called_[edge.callee] : 0;
    }
  }
  for (const auto& [caller, edges] : calls_) {
    const uint32_t module = caller.first;
    for (const Edge& edge : edges) {
      const double samples = edge.share * Inclusive(edge.callee);
      of_functions_[caller] += samples;
      for (auto nest = edge.nest; nest; nest = modules_[module].nests.nests[*nest].parent) {
        of_nests_[{module, *nest}] += samples;
      }
      AddToInlined(module, edge, samples);
    }
  }
}

void CallShares::TakeCalls(uint32_t number) {
  const ModuleNests& module = modules_[number];
  for (const Call& call : module.calls) {
    const uint32_t to = call.to_module.value_or(number);
    const auto caller = binary::RootAt(module.functions, call.from);
    const auto callee = binary::RootAt(modules_[to].functions, call.to);
    if (!caller || !callee || Id(number, *caller) == Id(to, *callee)) continue;
    const auto times = static_cast<double>(call.times);
    calls_[{number, *caller}].push_back({{to, *callee},
                                         times,
                                         module.nests.At(call.from),
                                         module.inlined.FunctionsAt(module.functions, call.from)});
    called_[{to, *callee}] += times;
  }
}

void CallShares::AddToInlined(uint32_t caller, const Edge& edge, double samples) {
  const auto& [module, function] = edge.callee;
  const auto& of_root = modules_[module].inlined.of_root;
  const auto callee = of_root.find(function);
  for (const uint32_t around : edge.inlined) {
    const bool itself = module == caller && callee != of_root.end() && callee->second == around;
    if (!itself) of_inlined_[{caller, around}] += samples;
  }
}

// Depth first; a call that comes back to a function whose sum is not known yet adds nothing.
double CallShares::Inclusive(Id function) {
  const auto [known, is_new] = inclusive_.try_emplace(function);
  if (!is_new) return known->second.value_or(0);
  const auto own = own_.find(function);
  double samples = own == own_.end() ? 0 : static_cast<double>(own->second);
  const auto calls = calls_.find(function);
  if (calls != calls_.end()) {
    for (const Edge& edge : calls->second) samples += edge.share * Inclusive(edge.callee);
  }
  inclusive_[function] = samples;
  return samples;
}

double CallShares::At(const std::map<Id, double>& samples, Id id) {
  const auto known = samples.find(id);
  return known == samples.end() ? 0 : known->second;
}

}  // namespace roofmark::loops
