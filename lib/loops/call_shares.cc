// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/call_shares.h"

#include "lib/binary/functions.h"

namespace roofmark::loops {

CallShares::CallShares(const ModuleNests& module, const std::map<uint32_t, uint64_t>& own)
    : module_(module), own_(own) {
  std::map<uint32_t, double> called;  // how often, by callee
  for (const Call& call : module.calls) {
    const auto caller = binary::RootAt(module.functions, call.from);
    const auto callee = binary::RootAt(module.functions, call.to);
    if (!caller || !callee || caller == callee) continue;
    const auto times = static_cast<double>(call.times);
    calls_[*caller].push_back({*callee, times, module.nests.At(call.from),
                               module.inlined.FunctionsAt(module.functions, call.from)});
    called[*callee] += times;
  }
  for (auto& [caller, edges] : calls_) {
    for (Edge& edge : edges)
      edge.share = called[edge.callee] > 0 ? edge.share / called[edge.callee] : 0;
  }
  for (const auto& [caller, edges] : calls_) {
    for (const Edge& edge : edges) {
      const double samples = edge.share * Inclusive(edge.callee);
      of_functions_[caller] += samples;
      for (auto nest = edge.nest; nest; nest = module_.nests.nests[*nest].parent) {
        of_nests_[*nest] += samples;
      }
      AddToInlined(edge, samples);
    }
  }
}

void CallShares::AddToInlined(const Edge& edge, double samples) {
  const auto callee = module_.inlined.of_root.find(edge.callee);
  for (const uint32_t function : edge.inlined) {
    const bool itself = callee != module_.inlined.of_root.end() && callee->second == function;
    if (!itself) of_inlined_[function] += samples;
  }
}

// Depth first; a call that comes back to a function whose sum is not known yet adds nothing.
double CallShares::Inclusive(uint32_t function) {
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

double CallShares::OfFunction(uint32_t function) const {
  const auto known = of_functions_.find(function);
  return known == of_functions_.end() ? 0 : known->second;
}

double CallShares::OfInlined(uint32_t function) const {
  const auto known = of_inlined_.find(function);
  return known == of_inlined_.end() ? 0 : known->second;
}

double CallShares::OfNest(uint32_t nest) const {
  const auto known = of_nests_.find(nest);
  return known == of_nests_.end() ? 0 : known->second;
}

}  // namespace roofmark::loops
