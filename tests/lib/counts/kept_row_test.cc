// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/kept_row.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "lib/counts/read_row.h"

namespace roofmark::counts {
namespace {

constexpr size_t kColumns = 40;
constexpr auto kAnyNumber = [](uint64_t) { return UINT64_MAX; };

// Word i of update n is n * (i + 1); it covers n visits of record 7.
class KeptRowTest : public testing::Test {
 protected:
  KeptRowTest() : memory_(roof_kept_row_bytes(kColumns) / sizeof(uint64_t)) {}

  roof_kept_row* row() { return reinterpret_cast<roof_kept_row*>(memory_.data()); }
  static void Fill(roof_kept_copy* copy, uint64_t update, size_t words) {
    for (size_t i = 0; i < words; ++i) roof_kept_put(roof_kept_words(copy) + i, update * (i + 1));
  }
  void Update() {
    const uint64_t next = row()->sequence + 1;
    roof_kept_copy* copy = roof_kept_begin(row(), kColumns);
    Fill(copy, next, kColumns);
    roof_kept_commit(row(), copy, 7, next);
  }
  static void ExpectUpdate(const RowReading& reading, uint64_t update) {
    ASSERT_EQ(reading.state, RowState::kWhole);
    EXPECT_EQ(reading.copy->visits, update);
    EXPECT_EQ(reading.copy->record, 7u);
    for (size_t i = 0; i < kColumns; ++i) {
      ASSERT_EQ(roof_kept_words(reading.copy)[i], update * (i + 1));
    }
  }

  std::vector<uint64_t> memory_;
};

TEST_F(KeptRowTest, NothingAtFirst) {
  EXPECT_EQ(ReadRow(*row(), kColumns, kAnyNumber).state, RowState::kNothing);
}

TEST_F(KeptRowTest, TheLastOneOrTheOneBefore) {
  for (int i = 0; i < 3; ++i) Update();
  const auto at_most = [this](uint64_t visits) {
    return ReadRow(*row(), kColumns, [=](uint64_t record) { return record == 7 ? visits : 0; });
  };
  ExpectUpdate(at_most(5), 3);
  ExpectUpdate(at_most(3), 3);
  ExpectUpdate(at_most(2), 2);
  EXPECT_NE(at_most(1).state, RowState::kWhole) << "two updates back there is nothing";
}

TEST_F(KeptRowTest, TheFirstOneTooNewIsNothing) {
  Update();
  EXPECT_EQ(ReadRow(*row(), kColumns, [](uint64_t) { return uint64_t{0}; }).state,
            RowState::kNothing);
}

TEST_F(KeptRowTest, AnUpdateUnderWayLeavesTheCurrentCopy) {
  for (int i = 0; i < 2; ++i) Update();
  for (size_t words = 0; words <= kColumns; ++words) {
    Fill(roof_kept_begin(row(), kColumns), 3, words);
    ExpectUpdate(ReadRow(*row(), kColumns, kAnyNumber), 2);
  }
}

TEST_F(KeptRowTest, ACurrentCopyThatIsNotWholeIsDamaged) {
  for (int i = 0; i < 2; ++i) Update();
  roof_kept_copy* current = roof_kept_copy_of(row(), kColumns, 2);
  roof_kept_words(current)[kColumns] = 4;
  EXPECT_EQ(ReadRow(*row(), kColumns, kAnyNumber).state, RowState::kDamaged);
  roof_kept_words(current)[kColumns] = 2;
  current->begin = 1;
  EXPECT_EQ(ReadRow(*row(), kColumns, kAnyNumber).state, RowState::kDamaged);
}

// In a process that goes on, a copy is of one update; read from its beginning, damaged or of one.
TEST_F(KeptRowTest, WhileItIsWritten) {
  Update();
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) Update();
  });
  std::vector<uint64_t> copy(memory_.size());
  for (int i = 0; i < 20'000; ++i) {
    auto& read = *reinterpret_cast<roof_kept_row*>(copy.data());
    CopyRow(*row(), kColumns, read);
    ExpectUpdate(ReadRow(read, kColumns, kAnyNumber), read.sequence);
    for (size_t word = 0; word < copy.size(); ++word) {
      copy[word] = __atomic_load_n(&memory_[word], __ATOMIC_ACQUIRE);
    }
    const RowReading reading = ReadRow(read, kColumns, kAnyNumber);
    if (reading.state == RowState::kWhole) ExpectUpdate(reading, reading.copy->visits);
    if (HasFatalFailure()) break;
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace roofmark::counts
