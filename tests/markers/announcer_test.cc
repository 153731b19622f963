// SPDX-License-Identifier: BSD-3-Clause
#include "markers/announcer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::markers {
namespace {

class Told final : public Collector {
 public:
  std::string_view Name() const override { return "told"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>{};
  }
  void DefinePath(uint32_t path, uint32_t parent, std::string_view name) override {
    EXPECT_EQ(path, names.size() + 1);
    EXPECT_LT(parent, path);
    names.emplace_back(name);
  }
  std::vector<std::string> names;
};

TEST(AnnouncerTest, EveryPathIsToldOnceParentsFirst) {
  Names names;
  PathTable paths;
  Told collector;
  Announcer announcer(names, paths);
  announcer.Start(&collector, nullptr);
  const uint32_t outer = paths.Resolve({0, names.Intern("outer"), RegionKind::kTeam, "", 0, 1}, 5);
  const uint32_t inner =
      paths.Resolve({outer, names.Intern("a/b"), RegionKind::kTeam, "", 0, 1}, 4);
  announcer.Path(inner);  // another thread resolved the one around it
  announcer.Path(outer);
  announcer.Path(inner);
  EXPECT_THAT(collector.names, testing::ElementsAre("outer", "outer/a\\/b"));
}

}  // namespace
}  // namespace roofmark::markers
