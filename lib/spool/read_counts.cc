// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/read_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lib/core/limits.h"
#include "lib/counts/read_row.h"

namespace roofmark::spool {

using counts::Covers;
using counts::RowReading;
using counts::RowState;

bool CountsReader::TakePlan(std::string_view content) {
  plan_ = counts::DecodeKeptPlan(content);
  return plan_.has_value();
}

bool CountsReader::TakeRows(uint32_t columns, uint32_t rows, std::string_view content) {
  const size_t row_bytes = roof_kept_row_bytes(columns);
  if (content.size() % row_bytes != 0 || content.size() / row_bytes != rows) return false;
  blocks_.push_back({columns, rows, content});
  return true;
}

bool CountsReader::TakeLack(uint32_t what) {
  if (what > static_cast<uint32_t>(counts::Lack::kRoom)) return false;
  lack_ = static_cast<counts::Lack>(what);
  return true;
}

// Bytes of a file lie anywhere; rows are words.
template <typename Visit>
void CountsReader::ForEachRow(Visit visit) {
  const size_t row_bytes = roof_kept_row_bytes(plan_->Columns());
  std::vector<uint64_t> row(row_bytes / sizeof(uint64_t));
  for (const Block& block : blocks_) {
    if (block.columns != plan_->Columns()) continue;
    for (size_t i = 0; i < block.rows; ++i) {
      std::memcpy(row.data(), block.content.data() + i * row_bytes, row_bytes);
      visit(*reinterpret_cast<const roof_kept_row*>(row.data()));
    }
  }
}

uint64_t CountsReader::LastHandOver() {
  uint64_t last = 0;
  ForEachRow([&](const roof_kept_row& row) {
    if (row.worker != 0 || row.path != 0) return;
    const RowReading reading =
        counts::ReadRow(row, plan_->Columns(), [](uint64_t) { return UINT64_MAX; });
    if (reading.state == RowState::kWhole) last = std::max(last, reading.copy->visits);
  });
  return last;
}

std::string CountsReader::WhyNot() {
  if (part_is_lost_) return "a part of the spool is lost, and counts may be in it";
  if (lack_ == counts::Lack::kWork) return "some of the program's work could not be counted";
  if (lack_ == counts::Lack::kRoom) return "the spool had no room for some of the counts";
  if (plan_->covers == Covers::kUpToHandOver && LastHandOver() == 0) {
    return "the process died before the counting engine had handed over its counts";
  }
  return {};
}

void CountsReader::Finish(const Visits& visits, FoldInput& input) {
  if (!plan_) return;
  why_not_ = WhyNot();
  if (why_not_.empty()) {
    const uint64_t hand_over = plan_->covers == Covers::kUpToHandOver ? LastHandOver() : 0;
    ForEachRow([&](const roof_kept_row& row) { Decode(row, visits, hand_over, input); });
    if (rows_ > limits::kSpoolCountRows) {
      why_not_ = fmt::format("the counts of {} threads are beyond the limit of {} rows",
                             input.workers.size(), limits::kSpoolCountRows);
    }
  }
  input.workers_are_inclusive = plan_->covers == Covers::kFinishedVisits;
  if (why_not_.empty()) return;
  plan_.reset();
  input.workers.clear();
  input.doubts.clear();
}

void CountsReader::Decode(const roof_kept_row& row, const Visits& visits, uint64_t hand_over,
                          FoldInput& input) {
  if (row.sequence == 0 || row.path == 0 || rows_ > limits::kSpoolCountRows) return;
  if (row.path >= input.nodes.size()) {
    // The path's record is lost, and nothing else is known of it, or it never was one.
    problems_.push_back(fmt::format("counts of an unknown region ({}) are left out", row.path));
    return;
  }
  const RowReading reading = counts::ReadRow(row, plan_->Columns(), [&](uint64_t record) {
    return plan_->covers == Covers::kUpToHandOver ? hand_over : visits(record, row.path);
  });
  if (reading.state == RowState::kWhole) return Add(row, *reading.copy, input);
  if (reading.state == RowState::kNothing) return;
  const RowReading latest =
      counts::ReadRow(row, plan_->Columns(), [](uint64_t) { return UINT64_MAX; });
  if (latest.state == RowState::kWhole) {
    ahead_ = true;
    return Add(row, *latest.copy, input);
  }
  problems_.push_back(fmt::format(
      "the counts of a thread in region \"{}\" are damaged and left out", input.names[row.path]));
  for (const counts::MetricRule& rule : plan_->rules) {
    input.doubts[{row.path, rule.metric}] = Status::kInvalid;
  }
}

void CountsReader::Add(const roof_kept_row& row, const roof_kept_copy& copy, FoldInput& input) {
  auto& rows = input.workers[row.worker];
  if (rows.size() <= row.path) {
    rows_ += row.path + 1 - rows.size();
    if (rows_ > limits::kSpoolCountRows) return;
    rows.resize(row.path + 1);
  }
  counts::SumsOfKept(*plan_, roof_kept_words(&copy), sums_);
  for (const counts::MetricRule& rule : plan_->rules) {
    const counts::Weighed weighed = counts::Weigh(rule, sums_.data());
    rows[row.path][rule.metric] += weighed.value;
    if (weighed.status == Status::kMeasured) continue;
    Status& known = input.doubts[{row.path, rule.metric}];
    known = std::max(known, weighed.status);
  }
}

}  // namespace roofmark::spool
