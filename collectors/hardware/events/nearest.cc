// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace roofmark::events {
namespace {

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Levenshtein's distance.
size_t Changes(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (Lower(a[i]) == Lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string_view WithoutPmu(std::string_view name) {
  const size_t colons = name.find("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::string_view WithoutMask(std::string_view name) {
  const size_t from = name.find("::");
  const size_t colon = name.find(':', from == std::string_view::npos ? 0 : from + 2);
  return name.substr(0, colon);
}

}  // namespace

std::string Nearest(std::string_view wrong, const std::vector<std::string>& names) {
  const bool has_pmu = wrong.find("::") != std::string_view::npos;
  const std::string_view asked = WithoutMask(wrong);
  size_t least = std::max<size_t>(asked.size() / 3, 1) + 1;
  std::string nearest;
  for (const std::string& name : names) {
    const size_t changes = Changes(asked, has_pmu ? name : WithoutPmu(name));
    if (changes < least) {
      least = changes;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace roofmark::events
