// SPDX-License-Identifier: BSD-3-Clause
//
// Performance portability after Pennycook et al., as used by the 2018 empirical roofline paper
// (equation 1): the harmonic mean of an application's architectural efficiencies e_i (equation 2)
// over a set of platforms, 0 if one of them does not support it.
#ifndef ROOFMARK_LIB_MODEL_PORTABILITY_H_
#define ROOFMARK_LIB_MODEL_PORTABILITY_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/profile/profile.h"

namespace roofmark {

// |H| / sum(1 / e_i); 0 for an empty set, and if an efficiency is missing or not above 0.
double Portability(const std::vector<std::optional<double>>& efficiencies);

// A job on one platform.
struct Platform {
  const JobProfile* job;
  const JobAnalysis* analysis;
};

// The efficiencies among the derived values: against the ceiling that fits what runs, against the
// FMA roof, and against the roof without FMA.
inline constexpr std::array<std::string_view, 3> kEfficiencies = {
    "efficiency", "efficiency_top_roof", "efficiency_no_fma_roof"};
inline constexpr size_t kPairings = kEfficiencies.size();

struct RegionPortability {
  std::string path;  // empty: the whole run
  // As in kEfficiencies: efficiency on each platform, in their order, and portability.
  std::array<std::vector<std::optional<double>>, kPairings> efficiency;
  std::array<double, kPairings> portability = {};
};

// A region of which devices execute more FLOPs than the host has the efficiency of the devices: its
// FLOPs over those that they could do in the time of its kernels. Both efficiencies with FMA are
// then the same.
//
// Every path that any platform has, sorted, then the whole run: its efficiency is the sum of the
// times that its outermost regions need at their attainable performance over the sum of the times
// they took, taken over the regions that have an efficiency there.
std::vector<RegionPortability> PortabilityOf(const std::vector<Platform>& platforms);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_PORTABILITY_H_
