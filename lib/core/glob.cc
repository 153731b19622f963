// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/glob.h"

#include <algorithm>

#include "lib/core/utf8.h"

namespace roofmark {
namespace {

// Of text that is UTF-8: up to where it is not.
std::u32string CodePoints(std::string_view text) {
  std::u32string points;
  while (const size_t length = Utf8SequenceLength(text)) {
    points.push_back(Utf8CodePoint(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return points;
}

bool IsUtf8(std::string_view text) {
  while (const size_t length = Utf8SequenceLength(text)) text.remove_prefix(length);
  return text.empty();
}

// Index of the `]` that ends the set whose `[` is at `begin`; npos if none does. A `]` that comes
// first belongs to the set.
template <typename Text>
size_t EndOfSet(const Text& text, size_t begin) {
  size_t at = begin + 1;
  if (at < text.size() && (text[at] == '!' || text[at] == '^')) ++at;
  for (const size_t first = at; at < text.size(); ++at) {
    if (text[at] == ']' && at > first) return at;
    if (text[at] == '\\') ++at;
  }
  return Text::npos;
}

}  // namespace

bool Glob::Item::Takes(char32_t point) const {
  const bool inside = std::any_of(ranges.begin(), ranges.end(), [point](const auto& range) {
    return range.first <= point && point <= range.second;
  });
  return inside != inverted;
}

// `rest` begins with `[`, and begins behind `]` afterwards. Returns what is wrong.
std::string Glob::ReadSet(std::u32string_view& rest) {
  const size_t end = EndOfSet(rest, 0);
  if (end == std::u32string_view::npos) return "has a [ without its ]";
  std::u32string_view set = rest.substr(1, end - 1);
  rest.remove_prefix(end + 1);
  Item item;
  item.inverted = set[0] == '!' || set[0] == '^';
  if (item.inverted) set.remove_prefix(1);
  if (set.find(U"[:") != std::u32string_view::npos) {
    return "has a class of characters such as [:alpha:], which is not known here: write [a-zA-Z]";
  }
  const auto take = [&set] {
    if (set[0] == '\\' && set.size() > 1) set.remove_prefix(1);
    const char32_t point = set[0];
    set.remove_prefix(1);
    return point;
  };
  while (!set.empty()) {
    const char32_t first = take();
    char32_t last = first;
    if (set.size() > 1 && set[0] == '-') {
      set.remove_prefix(1);
      last = take();
    }
    if (last < first) return "has a range in [ ] whose end comes before its beginning";
    item.ranges.emplace_back(first, last);
  }
  items_.push_back(std::move(item));
  return {};
}

Result<Glob> Glob::Parse(std::string_view text) {
  if (!IsUtf8(text)) return Error{"is not UTF-8"};
  const std::u32string points = CodePoints(text);
  Glob glob;
  for (std::u32string_view rest = points; !rest.empty();) {
    if (rest[0] == '[') {
      std::string problem = glob.ReadSet(rest);
      if (!problem.empty()) return Error{std::move(problem)};
      continue;
    }
    const bool escaped = rest[0] == '\\';
    if (escaped) rest.remove_prefix(1);
    if (rest.empty()) return Error{"ends with a backslash, which has nothing to protect"};
    const char32_t point = rest[0];
    rest.remove_prefix(1);
    const bool star = !escaped && point == '*';
    const bool any = !escaped && point == '?';
    glob.items_.push_back({star, any, {}});
    if (!star && !any) glob.items_.back().ranges.emplace_back(point, point);
  }
  return glob;
}

bool Glob::Matches(std::string_view name) const {
  return MatchesSequence(items_, CodePoints(name),
                         [](const Item& item, char32_t point) { return item.Takes(point); });
}

bool Glob::TakesAll() const {
  const auto is_star = [](const Item& item) { return item.star; };
  return !items_.empty() && std::all_of(items_.begin(), items_.end(), is_star);
}

std::vector<std::string_view> SplitGlobs(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '[') {
      const size_t end = EndOfSet(text, at);
      if (end != std::string_view::npos) at = end;
    } else if (text[at] == separator) {
      pieces.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

}  // namespace roofmark
