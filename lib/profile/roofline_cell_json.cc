// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/roofline_cell_json.h"

#include <array>
#include <cmath>
#include <limits>

#include "lib/core/limits.h"

namespace roofmark {
namespace {

constexpr const char* kFlopsOthers = "flops_others";
constexpr double kLargestDeviation = 18446744073709551616.0;  // 2^64, as of all values
constexpr int kStatuses = static_cast<int>(Status::kInvalid) + 1;

std::string Decimal(Sum128 value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// False for anything but a decimal number below 2^128.
bool ParseDecimal(const std::string& digits, Sum128& value) {
  constexpr Sum128 kMax = ~static_cast<Sum128>(0);
  value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<unsigned>(c - '0');
    if (value > (kMax - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return !digits.empty();
}

Sum128 ReadSum(const JsonNode& node) {
  const JsonNode exact = node["sum_exact"];
  if (!exact.present()) return node["sum"].Required().Uint();
  Sum128 sum = 0;
  if (!ParseDecimal(exact.String(), sum)) exact.Fail("must be a decimal number below 2^128");
  return sum;
}

}  // namespace

uint32_t ReadRank(const JsonNode& node) { return node.Within(0, limits::kRanks - 1, 0); }

Status ReadStatus(const JsonNode& node) {
  const auto status = ParseStatus(node.String());
  if (!status) node.Fail("is not a status that this roofmark knows");
  return status.value_or(Status::kUnsupported);
}

void WriteStatuses(uint32_t status_bits, Json& json) {
  json["status"] = StatusName(Worst(status_bits));
  if (Bit(Worst(status_bits)) == status_bits) return;
  Json all = Json::array();
  for (int i = 0; i < kStatuses; ++i) {
    const Status status = static_cast<Status>(i);
    if (status_bits & Bit(status)) all.push_back(StatusName(status));
  }
  json["statuses"] = std::move(all);
}

uint32_t ReadStatuses(const JsonNode& node) {
  uint32_t bits = Bit(ReadStatus(node["status"].Required()));
  for (const JsonNode& status : node["statuses"].Items()) bits |= Bit(ReadStatus(status));
  return bits;
}

Json WriteCell(const Cell& cell) {
  Json json = {{"ranks", cell.ranks}};
  if (cell.sum_high == 0) {
    json["sum"] = cell.sum_low;
  } else {
    json["sum"] = cell.SumAsDouble();
    json["sum_exact"] = Decimal(cell.Sum());
  }
  json["mean"] = FiniteOrNull(cell.mean);
  json["min"] = cell.min;
  json["min_rank"] = cell.min_rank;
  json["max"] = cell.max;
  json["max_rank"] = cell.max_rank;
  json["stddev"] = FiniteOrNull(cell.StdDev());
  WriteStatuses(cell.status_bits, json);
  return json;
}

Cell ReadCell(const JsonNode& node) {
  Cell cell;
  cell.ranks = node["ranks"].Required().Within(0, limits::kRanks, 0);
  if (cell.ranks == 0) return Cell();
  cell.SetSum(ReadSum(node));
  cell.mean = static_cast<double>(cell.Sum()) / cell.ranks;
  cell.min = node["min"].Required().Uint();
  cell.min_rank = ReadRank(node["min_rank"]);
  cell.max = node["max"].Required().Uint();
  cell.max_rank = ReadRank(node["max_rank"]);
  if (cell.min > cell.max) node["min"].Fail("is above the maximum beside it");
  const double stddev = node["stddev"].Figure(kLargestDeviation);
  cell.m2 = stddev * stddev * cell.ranks;
  cell.status_bits = ReadStatuses(node);
  return cell;
}

Json WriteCells(ConstCellRow cells) {
  Json json = Json::object();
  const Cell* zero = nullptr;
  for (MetricId m = 0; m < kFlopClasses && zero == nullptr; ++m) {
    if (cells[m].ranks > 0 && cells[m].max == 0) zero = &cells[m];
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (m < kFlopClasses && zero != nullptr) {
      if (cells[m] == *zero) continue;
      if (cells[m].ranks == 0) json[GetMetric(m).name] = nullptr;
    }
    if (cells[m].ranks > 0) json[GetMetric(m).name] = WriteCell(cells[m]);
  }
  if (zero != nullptr) json[kFlopsOthers] = WriteCell(*zero);
  return json;
}

void ReadCells(const JsonNode& node, CellRow cells) {
  std::array<bool, kMetrics> stands{};
  for (const auto& [name, value] : node.Members()) {
    const auto id = FindMetric(name);
    if (!id) continue;  // "flops_others", or a newer roofmark's
    stands[*id] = true;
    if (value.present()) cells[*id] = ReadCell(value);
  }
  const JsonNode others = node[kFlopsOthers];
  if (!others.present()) return;
  const Cell zero = ReadCell(others);
  if (zero.max != 0) others.Fail("is not all zero");
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    if (!stands[m]) cells[m] = zero;
  }
}

}  // namespace roofmark
