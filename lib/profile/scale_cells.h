// SPDX-License-Identifier: BSD-3-Clause
//
// Counts of a row that are scaled: cells, what is drawn of them, and maxima, which go with their
// sums.
#ifndef ROOFMARK_LIB_PROFILE_SCALE_CELLS_H_
#define ROOFMARK_LIB_PROFILE_SCALE_CELLS_H_

#include "lib/core/metric.h"
#include "lib/profile/cell_table.h"
#include "lib/profile/profile.h"

namespace roofmark {

// The largest of several threads or controllers: no sum over regions.
bool IsMaximum(MetricId id);
// A number of threads or of controllers is the same however often a region is entered.
bool IsNumberOfUnits(MetricId id);

// All mark as scaled what they scale. A cell without a value stays as it is.
void Scale(Cell& cell, double factor);
// The metric of a row, and the maxima that are parts of it. `cells` are those of one row.
void ScaleCells(CellRow cells, MetricId id, double factor);
// The same of a path, with what is drawn of the metric: how that spreads over ranks is left out
// where the file does not name each rank.
void ScaleRow(JobProfile& job, size_t path, MetricId id, double factor);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_SCALE_CELLS_H_
