// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/cells.h"

#include <bit>

#include "mpi/values.h"

namespace roofmark::mpi {
namespace {

// True of what Cell::Of() made for `rank`, and of a cell without ranks.
bool IsOfRank(const Cell& cell, uint32_t rank) {
  return cell.ranks == 0 ||
         (cell.ranks == 1 && std::has_single_bit(cell.status_bits) && cell.min == cell.max &&
          cell.min_rank == rank && cell.max_rank == rank && cell.sum_low == cell.min &&
          cell.sum_high == 0 && cell.mean == static_cast<double>(cell.min) && cell.m2 == 0);
}

// Leaves off at the first cell that is not the rank's own.
bool PutOwn(ByteWriter& writer, const CellTable& cells, std::span<const MetricId> metrics,
            uint32_t rank) {
  writer.Put(Form::kOneRank);
  writer.Put(rank);
  std::vector<Value> values;
  for (const MetricId metric : metrics) {
    values.clear();
    for (const Cell& cell : cells.Column(metric)) {
      if (!IsOfRank(cell, rank)) return false;
      values.push_back(cell.ranks == 0 ? Value() : Value::Of(cell.min, cell.status_bits));
    }
    PutValues(writer, values);
  }
  return true;
}

void CombineOwn(ByteReader& reader, std::span<const size_t> rows, uint32_t rank,
                std::vector<Cell>& column) {
  Values(reader, rows.size()).ForEach([&](size_t i, unsigned kind, uint64_t value) {
    Cell& cell = column[rows[i]];
    cell = Combine(cell, Cell::Of(value, rank, StatusOf(kind)));
  });
}

void CombineMerged(ByteReader& reader, std::span<const size_t> rows, std::vector<Cell>& column) {
  const std::string_view table = reader.GetBytes(rows.size() * sizeof(Cell));
  for (size_t i = 0; reader.ok() && i < rows.size(); ++i) {
    CombineCells(table.data() + i * sizeof(Cell), &column[rows[i]], 1);
  }
}

}  // namespace

void PutCells(ByteWriter& writer, const CellTable& cells, std::span<const MetricId> metrics,
              uint32_t rank) {
  const size_t begin = writer.size();
  if (PutOwn(writer, cells, metrics, rank)) return;
  writer.Truncate(begin);
  writer.Put(Form::kMerged);
  for (const MetricId metric : metrics) {
    const std::vector<Cell>& column = cells.Column(metric);
    writer.PutBytes(column.data(), column.size() * sizeof(Cell));
  }
}

void CombineFrom(ByteReader& reader, std::span<const size_t> rows,
                 std::span<const MetricId> metrics, CellTable& cells) {
  const Form form = reader.GetOneOf(Form::kOneRank);
  const uint32_t rank = form == Form::kOneRank ? reader.Get<uint32_t>() : 0;
  for (const MetricId metric : metrics) {
    if (!reader.ok()) return;
    std::vector<Cell>& column = cells.Column(metric);
    form == Form::kOneRank ? CombineOwn(reader, rows, rank, column)
                           : CombineMerged(reader, rows, column);
  }
}

}  // namespace roofmark::mpi
