// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/inlined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace roofmark::loops {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

binary::InlinedCall Call(const std::string& function, uint64_t number,
                         std::optional<uint64_t> begin, uint64_t of_unit = 0) {
  return {{function, of_unit, function, "a.c", 7}, number, begin};
}

// main at [0x100, 0x200) and its cold part at [0x300, 0x320): outer was inlined at 0x110 to 0x140,
// inner into that at 0x120 to 0x130, and inner once more at 0x150 to 0x160 and in the cold part.
// [0x200, 0x280) is the body of a construct in outer.
class FindInlinedOf : public ::testing::Test {
 protected:
  FindInlinedOf() {
    functions_ = {
        {0x100, 0x200, "main", "main", "", binary::Part::kWhole, std::nullopt},
        {0x200, 0x280, "outer._omp_fn.0", "outer", "", binary::Part::kOutlined, std::nullopt},
        {0x300, 0x320, "main.cold", "main", "", binary::Part::kCold, 0},
        {0x400, 0x500, "never", "never", "", binary::Part::kWhole, std::nullopt}};
    blocks_ = {{0x100, 0x60, 5}, {0x120, 0x10, 30}, {0x200, 0x10, 5}, {0x300, 8, 1}};
    const auto outer = Call("outer", 1, 0x110), first = Call("inner", 2, 0x120);
    const auto second = Call("inner", 3, 0x158);
    rows_ = {{0x100, {}},      {0x110, {outer}},  {0x120, {outer, first}},
             {0x130, {outer}}, {0x140, {}},       {0x150, {second}},
             {0x160, {}},      {0x300, {second}}, {0x400, {Call("unknown", 4, 0x400)}}};
    names_ = {{0x100, "main"}, {0x200, "outer"}, {0x400, "never"}};
  }
  Inlined Find() const {
    InlinedSources sources;
    sources.inlined_in = [this](uint64_t begin, uint64_t end) {
      std::vector<binary::InlinedRow> rows;
      for (const auto& [offset, calls] : rows_) {
        if (offset >= begin && offset < end) rows.push_back({offset, calls});
      }
      return rows;
    };
    sources.function_at = [this](uint64_t offset) -> std::optional<binary::SourceFunction> {
      const auto known = names_.find(offset);
      if (known == names_.end()) return std::nullopt;
      return binary::SourceFunction{known->second, 0, known->second, "", 0};
    };
    return FindInlined(functions_, blocks_, sources);
  }

  std::vector<binary::Function> functions_;
  std::vector<Block> blocks_;
  std::map<uint64_t, std::vector<binary::InlinedCall>> rows_;
  std::map<uint64_t, std::string> names_;
};

TEST_F(FindInlinedOf, BodiesOfExecutedCode) {
  const Inlined found = Find();
  EXPECT_THAT(found.functions, ElementsAre(InlinedFunction{"outer", "a.c", 7, {1}},
                                           InlinedFunction{"inner", "a.c", 7, {}}));
  EXPECT_THAT(found.of_root, ElementsAre(std::pair(1u, 0u)));
  // inner is entered 35 times in outer; its second copy in two pieces.
  EXPECT_THAT(found.bodies,
              ElementsAre(InlinedBody{0, 0, {}, 0x110, 5}, InlinedBody{1, 0, 0, 0x120, 35},
                          InlinedBody{1, 0, {}, 0x158, 5 + 1}));
  EXPECT_THAT(found.places,
              ElementsAre(Inlined::Place{0x110, 0x120, 0}, Inlined::Place{0x120, 0x130, 1},
                          Inlined::Place{0x130, 0x140, 0}, Inlined::Place{0x150, 0x160, 2},
                          Inlined::Place{0x300, 0x320, 2}));
}

TEST_F(FindInlinedOf, WhatCodeIsIn) {
  const Inlined found = Find();
  EXPECT_EQ(found.At(0x10f), std::nullopt);
  EXPECT_EQ(found.At(0x110), 0u);
  EXPECT_EQ(found.At(0x12f), 1u);
  EXPECT_EQ(found.At(0x320), std::nullopt);
  EXPECT_THAT(found.FunctionsAt(functions_, 0x124), ElementsAre(1, 0));
  EXPECT_THAT(found.FunctionsAt(functions_, 0x204), ElementsAre(0)) << "what is left of outer";
  EXPECT_THAT(found.FunctionsAt(functions_, 0x100), IsEmpty());
}

TEST_F(FindInlinedOf, FunctionsOfOneNameInSeveralUnitsAreSeveral) {
  rows_[0x150] = {Call("inner", 3, 0x158, 99)};
  rows_.erase(0x300);
  EXPECT_EQ(Find().functions.size(), 3u);
}

}  // namespace
}  // namespace roofmark::loops
