// SPDX-License-Identifier: BSD-3-Clause
//
// Code that exists only in tests: blocks, edges and lines of a module, put together by hand. Blocks
// end with an instruction of two bytes.
#ifndef ROOFMARK_TESTS_LIB_LOOPS_CODE_H_
#define ROOFMARK_TESTS_LIB_LOOPS_CODE_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/loops/input.h"

namespace roofmark::test {

using Kind = binary::Branch::Kind;

class Code {
 public:
  static constexpr uint32_t kBranchBytes = 2;

  // Returns its index. Functions are added by begin.
  uint32_t Function(const std::string& name, uint64_t begin, uint64_t end,
                    binary::Part part = binary::Part::kWhole,
                    std::optional<uint32_t> parent = std::nullopt) {
    functions_.push_back({begin, end, name, name, "", part, parent});
    return static_cast<uint32_t>(functions_.size() - 1);
  }
  Code& Block(uint64_t begin, uint64_t end, uint64_t times) {
    blocks_.push_back({begin, static_cast<uint32_t>(end - begin), times});
    return *this;
  }
  Code& Edge(uint64_t from, uint64_t to, uint64_t times, Kind kind = Kind::kConditional) {
    edges_.push_back({from, to, times});
    if (from != loops::kElsewhere) branches_[from] = {kind, kBranchBytes};
    return *this;
  }
  // Code from here on was written there.
  Code& Line(uint64_t offset, SourceChain chain) {
    rows_[offset] = std::move(chain);
    return *this;
  }
  // The same for code that only prepares something.
  Code& PreparingLine(uint64_t offset, SourceChain chain) {
    preparing_.insert(offset);
    return Line(offset, std::move(chain));
  }
  Code& Mark(uint64_t offset, const std::string& file, uint32_t line) {
    marks_.push_back({offset, file, line});
    return *this;
  }

  // Valid as long as this lives.
  loops::Input Input() const {
    loops::Input input{"libx.so", functions_, blocks_, edges_, {}, {}, {}, {}};
    input.branch_at = [this](uint64_t offset) {
      const auto found = branches_.find(offset);
      return found != branches_.end() ? found->second : binary::Branch{};
    };
    input.only_prepares = [this](uint64_t begin, uint64_t) { return preparing_.count(begin) != 0; };
    input.rows_in = [this](uint64_t begin, uint64_t end) { return RowsIn(begin, end); };
    input.marks_in = [this](uint64_t begin, uint64_t end) {
      std::vector<binary::SourceMark> marks;
      for (const auto& mark : marks_) {
        if (mark.offset >= begin && mark.offset < end) marks.push_back(mark);
      }
      return marks;
    };
    return input;
  }

 private:
  std::vector<binary::SourceRow> RowsIn(uint64_t begin, uint64_t end) const {
    std::vector<binary::SourceRow> rows;
    auto row = rows_.upper_bound(begin);
    if (row != rows_.begin()) rows.push_back({begin, std::prev(row)->second});
    for (; row != rows_.end() && row->first < end; ++row) rows.push_back({row->first, row->second});
    return rows;
  }

  std::vector<binary::Function> functions_;
  std::vector<loops::Block> blocks_;
  std::vector<loops::Edge> edges_;
  std::map<uint64_t, binary::Branch> branches_;
  std::map<uint64_t, SourceChain> rows_;
  std::set<uint64_t> preparing_;
  std::vector<binary::SourceMark> marks_;
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_LOOPS_CODE_H_
