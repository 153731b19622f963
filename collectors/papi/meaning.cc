// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/meaning.h"

#include <algorithm>

namespace roofmark::papi {
namespace {

constexpr char kMixed[] = "the events count all precisions together";
constexpr char kExecuted[] =
    "counts executed, not retired operations: the count is too high, most of all where loads miss "
    "the caches";
constexpr double kLine = 64;

// Every native event must contain both texts and not the third (where they are not empty).
struct Known {
  std::string_view preset, one, other, without;
  MetricId metric;
  double weight = 1;
  Status status = Status::kMeasured;
  std::string_view note = {};
};

constexpr MetricId kDouble = WholeFlops(WholePrecision::kDouble);
constexpr MetricId kSingle = WholeFlops(WholePrecision::kSingle);
constexpr MetricId kAll = WholeFlops(WholePrecision::kMixed);

constexpr Known kKnown[] = {
    {"PAPI_TOT_CYC", "", "", "", metric::kCycles},
    {"PAPI_TOT_INS", "", "", "", metric::kInstructions},
    // Broadwell and later Xeons: a fused operation counts as two.
    {"PAPI_DP_OPS", "FP_ARITH", "_DOUBLE", "", kDouble},
    {"PAPI_SP_OPS", "FP_ARITH", "_SINGLE", "", kSingle},
    {"PAPI_FP_OPS", "FP_ARITH", "", "", kAll, 1, Status::kMixedPrecision, kMixed},
    // Sandy Bridge and Ivy Bridge. Their PAPI_FP_OPS leaves packed operations out: not taken.
    {"PAPI_DP_OPS", "FP_", "DOUBLE", "", kDouble, 1, Status::kMeasured, kExecuted},
    {"PAPI_SP_OPS", "FP_", "SINGLE", "", kSingle, 1, Status::kMeasured, kExecuted},
    {"PAPI_DP_OPS", "RETIRED_SSE_AVX_OPERATIONS", "DP_", "SP_", kDouble},  // Zen 1
    {"PAPI_SP_OPS", "RETIRED_SSE_AVX_OPERATIONS", "SP_", "DP_", kSingle},
    {"PAPI_FP_OPS", "RETIRED_SSE_AVX", "", "", kAll, 1, Status::kMixedPrecision, kMixed},  // Zen
    {"PAPI_DP_OPS", "PM_DP", "FLOP_CMPL", "", kDouble},  // POWER9 and later
    {"PAPI_SP_OPS", "PM_SP", "FLOP_CMPL", "", kSingle},
    {"PAPI_FP_OPS", "PM_FLOP_CMPL", "", "", kAll, 1, Status::kMixedPrecision, kMixed},
    {"PAPI_L3_TCM", "LLC_MISSES", "", "", metric::kLastLevelMisses},
    {"PAPI_L3_TCM", "LAST_LEVEL_CACHE_MISSES", "", "", metric::kLastLevelMisses},
    {"PAPI_L3_TCM", "LONGEST_LAT_CACHE:MISS", "", "", metric::kLastLevelMisses},
    {"PAPI_L1_DCM", "L1D:REPLACEMENT", "", "", metric::kL1ReadBytes, kLine},
};

bool Fits(const Known& known, std::string_view preset, const Definition& definition) {
  if (known.preset != preset) return false;
  return std::all_of(
      definition.natives.begin(), definition.natives.end(), [&](const std::string& native) {
        return native.find(known.one) != std::string::npos &&
               native.find(known.other) != std::string::npos &&
               (known.without.empty() || native.find(known.without) == std::string::npos);
      });
}

}  // namespace

std::optional<Meaning> MeaningOf(std::string_view preset, const Definition& definition) {
  if (definition.natives.empty() || !IsTotal(definition)) return std::nullopt;
  for (const Known& known : kKnown) {
    if (Fits(known, preset, definition)) {
      return Meaning{known.metric, known.weight, known.status, std::string(known.note)};
    }
  }
  return std::nullopt;
}

// A64FX scales by the constant "512|128|/": that is a weight, not a ratio.
bool IsTotal(const Definition& definition) {
  if (definition.derived.find("_PS") != std::string::npos) return false;
  bool number = false, two_numbers = false;
  for (size_t at = 0; at < definition.postfix.size();) {
    const size_t end = std::min(definition.postfix.find('|', at), definition.postfix.size());
    const std::string token = definition.postfix.substr(at, end - at);
    if (token == "/" && !two_numbers) return false;
    const bool is_number =
        !token.empty() && token.find_first_not_of("0123456789.") == std::string::npos;
    two_numbers = number && is_number;
    number = is_number;
    at = end + 1;
  }
  // Infix formulas (PAPI 7.2) have other separators.
  return definition.derived != "DERIVED_INFIX" || definition.postfix.find('/') == std::string::npos;
}

std::vector<std::string> PresetsOfGroup(std::string_view group) {
  std::vector<std::string> presets = {"PAPI_TOT_CYC", "PAPI_TOT_INS"};
  const auto add = [&](std::initializer_list<const char*> more) {
    presets.insert(presets.begin(), more.begin(), more.end());
  };
  if (group == "dp") add({"PAPI_DP_OPS"});
  if (group == "sp") add({"PAPI_SP_OPS"});
  if (group == "mem") add({"PAPI_L3_TCM"});
  if (group == "cache") add({"PAPI_L1_DCM", "PAPI_L3_TCM"});
  if (group == "auto" || group == "mix" || group == "all") {
    add({"PAPI_DP_OPS", "PAPI_SP_OPS", "PAPI_FP_OPS"});
  }
  if (group == "all") presets.insert(presets.end(), {"PAPI_L1_DCM", "PAPI_L3_TCM"});
  return presets;
}

}  // namespace roofmark::papi
