// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/path_node.h"

namespace roofmark {

std::string FullPath(uint32_t parent, std::string_view above, std::string_view name) {
  return parent == 0 ? EscapeRegionName(name) : JoinPath(above, name);
}

std::vector<std::string> FullPaths(const std::vector<PathNode>& nodes,
                                   const std::vector<std::string>& names) {
  std::vector<std::string> full(nodes.size());
  for (size_t id = 1; id < nodes.size(); ++id) {
    const uint32_t parent = nodes[id].parent;
    full[id] = FullPath(parent, full[parent], names[id]);
  }
  return full;
}

}  // namespace roofmark
