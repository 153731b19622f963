// SPDX-License-Identifier: BSD-3-Clause
//
// Visits that begin after the recording has ended, as those behind MPI_Finalize do: how often each
// region. Their work is in no figure, and the user is told what is missing.
#ifndef ROOFMARK_MARKERS_LATE_VISITS_H_
#define ROOFMARK_MARKERS_LATE_VISITS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace roofmark::markers {

class LateVisits {
 public:
  // A region that the table has no row for is counted in a row of this name.
  static constexpr std::string_view kOthers = "(other regions)";
  static constexpr size_t kRegions = 64;

  // No lock, no memory, no clock: any thread, handlers of signals included. Names are told apart by
  // their first 191 bytes.
  static void Note(std::string_view region) noexcept;
  // By name. Takes memory.
  static std::map<std::string, uint64_t> All();
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_LATE_VISITS_H_
