// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/collector_names.h"

#include <algorithm>

namespace roofmark {

std::vector<std::string> CollectorWords(std::initializer_list<CollectorKind> kinds) {
  std::vector<std::string> words = {"auto"};
  for (const CollectorName& name : kCollectorNames) {
    const bool wanted = std::find(kinds.begin(), kinds.end(), name.kind) != kinds.end();
    if (wanted && !name.doc.empty()) words.emplace_back(name.id);
  }
  return words;
}

bool RunsUnderEngine(std::string_view id) { return id == EngineCollector(); }

std::string_view EngineCollector() {
  for (const CollectorName& name : kCollectorNames) {
    if (name.kind == CollectorKind::kEngine) return name.id;
  }
  return "";
}

}  // namespace roofmark
