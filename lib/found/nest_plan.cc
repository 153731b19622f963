// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/nest_plan.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "lib/core/file_name.h"

namespace roofmark {

void TellApart(NestPlan& plan, const std::vector<std::string>& files) {
  std::map<std::string, int> times;
  for (const PlannedNest& nest : plan.nests) ++times[nest.name];
  std::set<std::string> taken;
  for (size_t i = 0; i < plan.nests.size(); ++i) {
    std::string name = plan.nests[i].name;
    if (times[name] > 1) name += fmt::format(" [{}]", FileName(files[i]));
    const std::string base = name;
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = fmt::format("{} ({})", base, number);
    }
    plan.nests[i].name = name;
  }
}

}  // namespace roofmark
