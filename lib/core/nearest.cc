// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/nearest.h"

#include <algorithm>
#include <vector>

namespace roofmark {
namespace {

// The optimal string alignment distance.
size_t AlignmentDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous.back();
}

}  // namespace

std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known) {
  // Words of a user may have any length.
  constexpr size_t kMostLetters = 64;
  if (word.size() > kMostLetters) return {};
  std::string_view best;
  size_t least = std::clamp<size_t>((word.size() + 3) / 4, 1, 2) + 1;
  for (const std::string_view each : known) {
    const size_t distance = AlignmentDistance(word, each);
    if (distance < least) least = distance, best = each;
  }
  return best;
}

}  // namespace roofmark
