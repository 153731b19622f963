// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_CALL_SHARES_H_
#define ROOFMARK_LIB_LOOPS_CALL_SHARES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lib/loops/choose.h"

namespace roofmark::loops {

// How many samples lie in what is called, each call of a function having an equal share of it.
class CallShares {
 public:
  // `own`: samples in functions of the source, by their index.
  CallShares(const ModuleNests& module, const std::map<uint32_t, uint64_t>& own);

  // Of all calls from a function, or from a nest and the nests inside it.
  double OfFunction(uint32_t function) const;
  double OfNest(uint32_t nest) const;
  // From a function of Inlined::functions, but not to itself.
  double OfInlined(uint32_t function) const;

 private:
  struct Edge {
    uint32_t callee = 0;
    double share = 0;  // of the calls of that
    std::optional<uint32_t> nest;
    std::vector<uint32_t> inlined;  // functions that the call is in
  };
  double Inclusive(uint32_t function);
  void AddToInlined(const Edge& edge, double samples);

  const ModuleNests& module_;
  const std::map<uint32_t, uint64_t>& own_;
  std::map<uint32_t, std::vector<Edge>> calls_;          // by caller
  std::map<uint32_t, std::optional<double>> inclusive_;  // nothing: on the way to it
  std::map<uint32_t, double> of_functions_, of_nests_, of_inlined_;
};

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_CALL_SHARES_H_
