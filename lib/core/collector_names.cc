// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/collector_names.h"

#include <fmt/format.h>

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

std::vector<std::string> AllCollectorWords() {
  return CollectorWords({CollectorKind::kAlways, CollectorKind::kInProcess, CollectorKind::kByName,
                         CollectorKind::kEngine});
}

std::string_view CollectorValues() {
  static const auto& text =
      *new std::string(fmt::format("{}", fmt::join(AllCollectorWords(), ", ")));
  return text;
}

std::string_view CollectorDoc() {
  static const auto& text = *[] {
    auto* all = new std::string(
        "The collector that counts. `auto` takes the first collector that opens in this process; "
        "it never executes the program again.");
    for (const CollectorName& name : kCollectorNames) {
      if (!name.doc.empty()) all->append(" ").append(name.doc);
    }
    return all;
  }();
  return text;
}

bool RunsUnderEngine(std::string_view id) { return id == EngineCollector(); }

std::string_view EngineCollector() {
  for (const CollectorName& name : kCollectorNames) {
    if (name.kind == CollectorKind::kEngine) return name.id;
  }
  return "";
}

}  // namespace roofmark
