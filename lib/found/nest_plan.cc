// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/nest_plan.h"

#include <fmt/format.h>

#include <map>

#include "lib/core/file_name.h"
#include "lib/core/unique_names.h"

namespace roofmark {

uint32_t RegionOf(const NestPlan& plan, uint32_t nest) {
  return plan.nests[nest].same.value_or(nest);
}

void TellApart(NestPlan& plan, const std::vector<std::string>& files) {
  std::map<std::string, int> times;
  for (const PlannedNest& nest : plan.nests) times[nest.name] += nest.same ? 0 : 1;
  UniqueNames names;
  for (size_t i = 0; i < plan.nests.size(); ++i) {
    if (plan.nests[i].same) {
      plan.nests[i].name = plan.nests[*plan.nests[i].same].name;
      continue;
    }
    std::string name = plan.nests[i].name;
    if (times[name] > 1) name += fmt::format(" [{}]", FileName(files[i]));
    plan.nests[i].name = names.Take(name, " (", ")");
  }
}

}  // namespace roofmark
