// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_CALL_SHARES_H_
#define ROOFMARK_LIB_LOOPS_CALL_SHARES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lib/loops/choose.h"

namespace roofmark::loops {

// Module and index.
using Id = std::pair<uint32_t, uint32_t>;

// How many samples lie in what is called, each call of a function having an equal share of it.
class CallShares {
 public:
  // `own`: samples in functions of the source.
  CallShares(std::span<const ModuleNests> modules, const std::map<Id, uint64_t>& own);

  // Of all calls from a function, or from a nest and the nests inside it.
  double OfFunction(Id function) const { return At(of_functions_, function); }
  double OfNest(Id nest) const { return At(of_nests_, nest); }
  // From a function of Inlined::functions, but not to itself.
  double OfInlined(Id function) const { return At(of_inlined_, function); }

 private:
  struct Edge {
    Id callee;
    double share = 0;  // of the calls of that
    std::optional<uint32_t> nest;
    std::vector<uint32_t> inlined;  // functions that the call is in
  };
  static double At(const std::map<Id, double>& samples, Id id);
  void TakeCalls(uint32_t number);
  double Inclusive(Id function);
  void AddToInlined(uint32_t caller, const Edge& edge, double samples);

  const std::span<const ModuleNests> modules_;
  const std::map<Id, uint64_t>& own_;
  std::map<Id, std::vector<Edge>> calls_;          // by caller
  std::map<Id, double> called_;                    // how often, by callee
  std::map<Id, std::optional<double>> inclusive_;  // nothing: on the way to it
  std::map<Id, double> of_functions_, of_nests_, of_inlined_;
};

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_CALL_SHARES_H_
