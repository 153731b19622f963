// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/table.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

TEST(Table, FindsEachOfManyAfterItHasGrown) {
  Memory memory;
  const roof_memory hooks = memory.Hooks();
  roof_table table{};
  std::vector<roof_entry> entries(10000);
  for (uint64_t i = 0; i < entries.size(); ++i) {
    entries[i].hash = i << 32 | i % 7;
    EXPECT_EQ(roof_table_find(&table, entries[i].hash), nullptr);
    ASSERT_TRUE(roof_table_add(&table, &hooks, &entries[i]));
  }
  for (roof_entry& entry : entries) ASSERT_EQ(roof_table_find(&table, entry.hash), &entry);
  EXPECT_EQ(table.count, entries.size());
}

TEST(Table, WalksEntriesOfOneHash) {
  Memory memory;
  const roof_memory hooks = memory.Hooks();
  roof_table table{};
  roof_entry same[3] = {{nullptr, 5}, {nullptr, 5}, {nullptr, 5}};
  roof_entry other = {nullptr, 6};
  for (roof_entry& entry : same) ASSERT_TRUE(roof_table_add(&table, &hooks, &entry));
  ASSERT_TRUE(roof_table_add(&table, &hooks, &other));
  int seen = 0;
  for (roof_entry* entry = roof_table_find(&table, 5); entry; entry = roof_table_next(entry)) {
    EXPECT_EQ(entry->hash, 5u);
    ++seen;
  }
  EXPECT_EQ(seen, 3);
}

TEST(Table, WithoutMemoryNothingIsAdded) {
  Memory memory{.limit = 100};
  const roof_memory hooks = memory.Hooks();
  roof_table table{};
  roof_entry entry = {nullptr, 1};
  EXPECT_FALSE(roof_table_add(&table, &hooks, &entry));
  EXPECT_EQ(roof_table_find(&table, 1), nullptr);
}

}  // namespace
}  // namespace roofmark
