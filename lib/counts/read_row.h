// SPDX-License-Identifier: BSD-3-Clause
//
// Kept rows as they are found in memory that somebody else wrote.
#ifndef ROOFMARK_LIB_COUNTS_READ_ROW_H_
#define ROOFMARK_LIB_COUNTS_READ_ROW_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "lib/counts/kept_row.h"

namespace roofmark::counts {

// The copy of a row that covers at most so many visits of its thread record (or is of at most such
// a hand-over): where a process was killed after it wrote a row and before it counted the visit,
// the copy before the current one.
enum class RowState {
  kWhole,
  kNothing,  // no update of the row is old enough
  kDamaged,
};
struct RowReading {
  RowState state = RowState::kDamaged;
  const roof_kept_copy* copy = nullptr;  // of kWhole
};
// `visits(record)` says how many of that thread record are known. `row` lies in memory of at least
// roof_kept_row_bytes(columns) that nobody writes.
template <typename Visits>
RowReading ReadRow(const roof_kept_row& row, size_t columns, Visits visits) {
  const uint64_t sequence = row.sequence;
  if (sequence == 0) return {RowState::kNothing, nullptr};
  for (const uint64_t number : {sequence, sequence - 1}) {
    if (number == 0) return {RowState::kNothing, nullptr};
    const roof_kept_copy* copy = roof_kept_copy_of(&row, columns, number);
    if (copy->begin != number || roof_kept_words(copy)[columns] != number) break;
    if (copy->visits <= visits(copy->record)) return {RowState::kWhole, copy};
  }
  return {RowState::kDamaged, nullptr};
}

// Copies a row whose writer goes on: its current copy, whole. The other copy is left out.
void CopyRow(const roof_kept_row& live, size_t columns, roof_kept_row& into) noexcept;

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_READ_ROW_H_
