// SPDX-License-Identifier: BSD-3-Clause
//
// What a preset of PAPI counts on this CPU, by the native events that it is made of: the same name
// stands for exact double precision FLOPs here, and for all precisions together there.
#ifndef ROOFMARK_COLLECTORS_PAPI_MEANING_H_
#define ROOFMARK_COLLECTORS_PAPI_MEANING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/hardware/papi/api.h"
#include "lib/core/metric.h"
#include "lib/core/status.h"

namespace roofmark::papi {

struct Meaning {
  MetricId metric;
  double weight;
  Status status;
  std::string note;
};

// The standard metric that the preset gives; none if it has none, or if it is not known here to
// mean what its name says.
std::optional<Meaning> MeaningOf(std::string_view preset, const Definition& definition);

// A rate or a ratio: differences of its values mean nothing.
bool IsTotal(const Definition& definition);

// Presets for ROOFMARK_GROUP=name; those that the CPU does not have are left out later.
std::vector<std::string> PresetsOfGroup(std::string_view group);

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_PAPI_MEANING_H_
