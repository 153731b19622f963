// SPDX-License-Identifier: BSD-3-Clause
//
// The distributions of one path as they stand in a roofline file.
#ifndef ROOFMARK_LIB_PROFILE_ROOFLINE_CELL_JSON_H_
#define ROOFMARK_LIB_PROFILE_ROOFLINE_CELL_JSON_H_

#include "lib/core/metric.h"
#include "lib/core/status.h"
#include "lib/profile/cell_table.h"
#include "lib/profile/json_document.h"

namespace roofmark {

// `cells` has kMetrics entries. A metric without a value is left out. Most of the 60 FLOP classes
// are zero in most codes: those whose cells are all alike and zero stand once, as "flops_others".
Json WriteCells(ConstCellRow cells);
void ReadCells(const JsonNode& node, CellRow cells);

// One distribution; without ranks it reads as an empty cell.
Json WriteCell(const Cell& cell);
Cell ReadCell(const JsonNode& node);
uint32_t ReadRank(const JsonNode& node);
// Adds "status", and "statuses" if there are several.
void WriteStatuses(uint32_t status_bits, Json& json);
uint32_t ReadStatuses(const JsonNode& node);

// kUnsupported, with the node's error recorded, for an unknown name.
Status ReadStatus(const JsonNode& node);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_ROOFLINE_CELL_JSON_H_
