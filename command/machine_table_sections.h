// SPDX-License-Identifier: BSD-3-Clause
//
// The parts that MachineTable is put together from. Each returns a blank line and its table, or
// nothing if there is nothing to show. Figures stand for one core and for all of them; curves with
// points between show those in DramCurve and Imbalance.
#ifndef ROOFMARK_COMMAND_MACHINE_TABLE_SECTIONS_H_
#define ROOFMARK_COMMAND_MACHINE_TABLE_SECTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/model/machine.h"

namespace roofmark::cli {

inline constexpr int kCell = 7;  // columns of a figure, its mark included
inline constexpr size_t kTableWidth = 80;

// Another run may differ by more than 5 %, or several nodes do.
bool IsNoisy(const MachinePoint& point);

// Four significant digits at most, no exponent.
std::string Figure(double value);
// The same in kCell columns, "~" behind a noisy one; blank for nullptr.
std::string CellText(const MachinePoint* point);
// At exactly `cores` cores (in the fewest packages); blank if there is no such ceiling or point.
std::string CellText(const CeilingCurve* ceiling, uint32_t cores);

// Core counts of the tables: one and all.
std::vector<uint32_t> Columns(const Machine& machine);
std::string CoresTitle(uint32_t cores);  // "1 core", "64 cores"
std::string TrimRight(std::string line);

std::string Bytes(uint64_t bytes);  // "256 GiB"

// One row per ceiling, its label before the figures.
std::string LabelledRows(const Machine& machine, const std::vector<const CeilingCurve*>& ceilings,
                         std::string_view title);

std::string Roofs(const Machine& machine);    // peaks, bandwidth of each level, ridge point
std::string Compute(const Machine& machine);  // by kind and width, one table per precision
std::string Mix(const Machine& machine);      // where only a share of the instructions computes
std::string Bandwidth(const Machine& machine);
std::string Latency(const Machine& machine);
std::string DramCurve(const Machine& machine);  // against active cores and packages
std::string Imbalance(const Machine& machine);
std::string NumaGrids(const Machine& machine);
std::string Clock(const Machine& machine);
std::string Gpus(const Machine& machine);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_TABLE_SECTIONS_H_
