// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/adapter_names.h"

#include <algorithm>

namespace roofmark {

std::optional<uint32_t> ParseAdapters(std::string_view text) {
  if (text == "all") return kAllAdapters;
  uint32_t set = 0;
  while (true) {
    const size_t end = std::min(text.find(','), text.size());
    const uint32_t bit = AdapterBit(text.substr(0, end));
    if (bit == 0) return std::nullopt;
    set |= bit;
    if (end == text.size()) return set;
    text.remove_prefix(end + 1);
  }
}

std::string AdapterNames() {
  std::string names;
  for (const AdapterName& name : kAdapterNames) {
    names.append(names.empty() ? "" : ", ").append(name.id);
  }
  return names;
}

std::string_view AdapterValues() {
  static const auto& text =
      *new std::string("all, or of these names, separated by commas: " + AdapterNames());
  return text;
}

std::string_view AdapterDoc() {
  static const auto& text = *[] {
    auto* all = new std::string(
        "Whose annotations become regions where `libroofmark_adapters.so` is in the process "
        "(`roofmark run --adapters` puts it there):");
    for (const AdapterName& name : kAdapterNames) {
      all->append(&name == kAdapterNames ? " " : ", ").append(name.tool);
      all->append(" (`").append(name.id).append("`)");
    }
    all->append(".");
    return all;
  }();
  return text;
}

}  // namespace roofmark
