// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/insertion.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace roofmark::suggest {
namespace {

constexpr size_t kAround = 3;  // lines of context

void Sort(std::vector<Insertion>& insertions) {
  const auto key = [](const Insertion& each) {
    return std::tuple(each.offset, each.begins, ~each.other_end);
  };
  std::stable_sort(insertions.begin(), insertions.end(),
                   [&](const Insertion& a, const Insertion& b) { return key(a) < key(b); });
}

struct Row {
  char sign;
  std::string text;           // with its line end, if it has one
  size_t old_line, new_line;  // how many lines of each are before it
};

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

class Difference {
 public:
  Difference(const Source& source, const std::vector<Insertion>& insertions) {
    size_t next = 0;
    const size_t count = source.lines.size() - 1;
    for (size_t line = 0; line < count; ++line) {
      const size_t begin = source.lines[line], end = source.lines[line + 1];
      const std::string_view old = source.text.substr(begin, end - begin);
      std::string changed;
      size_t at = begin;
      const bool last = line + 1 == count;
      while (next < insertions.size() &&
             (insertions[next].offset < end || (last && insertions[next].offset == end))) {
        changed += source.text.substr(at, insertions[next].offset - at);
        changed += insertions[next].text;
        at = insertions[next++].offset;
      }
      Add(old, changed + std::string(source.text.substr(at, end - at)));
    }
  }

  std::string Text() const {
    std::string text;
    for (size_t i = 0; i < rows_.size();) {
      if (rows_[i].sign == ' ') {
        ++i;
        continue;
      }
      const size_t begin = i - std::min(i, kAround);
      size_t end = i, same = 0;
      for (size_t j = i; j < rows_.size() && same <= 2 * kAround; ++j) {
        same = rows_[j].sign == ' ' ? same + 1 : 0;
        if (same == 0) end = j + 1;
      }
      end = std::min(end + kAround, rows_.size());
      AddHunk(begin, end, text);
      i = end;
    }
    return text;
  }

 private:
  void Put(char sign, const std::string& text) {
    rows_.push_back({sign, text, old_, new_});
    if (sign != '+') ++old_;
    if (sign != '-') ++new_;
  }
  void Add(std::string_view old, const std::string& changed) {
    std::vector<std::string> lines = Lines(changed);
    const std::string before(old);
    const bool at_end = !lines.empty() && lines.back() == before;
    const bool at_begin = !at_end && !lines.empty() && lines.front() == before;
    if (!at_end && !at_begin && !before.empty()) Put('-', before);
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool kept = (at_end && i + 1 == lines.size()) || (at_begin && i == 0);
      Put(kept ? ' ' : '+', lines[i]);
    }
  }
  void AddHunk(size_t begin, size_t end, std::string& text) const {
    size_t old_count = 0, new_count = 0;
    std::string body;
    for (size_t i = begin; i < end; ++i) {
      const Row& row = rows_[i];
      old_count += row.sign != '+' ? 1 : 0;
      new_count += row.sign != '-' ? 1 : 0;
      body += row.sign + row.text;
      if (!row.text.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    const size_t old_first = rows_[begin].old_line + (old_count > 0 ? 1 : 0);
    text += fmt::format("@@ -{},{} +{},{} @@\n", old_first, old_count, rows_[begin].new_line + 1,
                        new_count);
    text += body;
  }

  std::vector<Row> rows_;
  size_t old_ = 0, new_ = 0;
};

}  // namespace

std::string Applied(std::string_view text, std::vector<Insertion> insertions) {
  Sort(insertions);
  std::string result;
  size_t at = 0;
  for (const Insertion& each : insertions) {
    result += text.substr(at, each.offset - at);
    result += each.text;
    at = each.offset;
  }
  return result.append(text.substr(at));
}

std::string UnifiedDifference(const std::string& file, const Source& source,
                              std::vector<Insertion> insertions) {
  if (insertions.empty()) return "";
  Sort(insertions);
  // Programs that read the name take it to a blank, or to a tab where there is one.
  const std::string name = file + (file.find(' ') == std::string::npos ? "" : "\t");
  return fmt::format("--- a/{}\n+++ b/{}\n", name, name) + Difference(source, insertions).Text();
}

}  // namespace roofmark::suggest
