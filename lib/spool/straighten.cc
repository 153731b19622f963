// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/straighten.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "lib/core/limits.h"

namespace roofmark::spool {

std::string LostName(uint32_t path) { return fmt::format("name lost ({})", path); }

std::vector<uint32_t> StraightenPaths(FoldInput& input) {
  std::vector<uint32_t> apart;
  std::set<std::pair<uint32_t, std::string>> known;
  std::vector<size_t> depth(input.nodes.size()), bytes(input.nodes.size());
  for (uint32_t path = 1; path < input.nodes.size(); ++path) {
    std::string& name = input.names[path];
    uint32_t& parent = input.nodes[path].parent;
    const size_t length = bytes[parent] + 1 + EscapeRegionName(name).size();
    const bool fits = depth[parent] < limits::kPathDepth && length <= limits::kPathBytes;
    depth[path] = fits ? depth[parent] + 1 : 1;
    bytes[path] = fits ? length : limits::kNameBytes;
    if (fits && known.emplace(parent, name).second) continue;
    apart.push_back(path);
    parent = 0;
    name = LostName(path);
    while (!known.emplace(0, name).second) name += '+';
  }
  return apart;
}

}  // namespace roofmark::spool
