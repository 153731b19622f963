// SPDX-License-Identifier: BSD-3-Clause
//
// How far a number can be wrong that was known of some visits and extrapolated to the others. The
// visits of which it is known are divided into strata; what these differ by tells it. Pure.
#ifndef ROOFMARK_LIB_COUNTS_STRATA_H_
#define ROOFMARK_LIB_COUNTS_STRATA_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace roofmark::counts {

inline constexpr size_t kStrata = 8;

// The stratum of a visit, by its number in its region. Of eight visits that follow each other, from
// a multiple of eight on, each is in another one; in which order changes from eight to eight, so
// that visits which differ in turns do not make all strata alike.
size_t StratumOf(uint64_t visit) noexcept;

// Visits of which the number is known, and what it was extrapolated by (for traffic: the bytes that
// they loaded and stored).
struct Stratum {
  double number = 0, by = 0;
};

// Half the width of the interval that holds the number of the other visits, which have `rest` of
// what it is extrapolated by, in 95 of 100 cases. It takes the number to be proportional to what it
// is extrapolated by, with a variance that is proportional, too, and independent between strata
// (Royall, Biometrika 57, 1970: ratio predictor), and uses Student's t with one degree of freedom
// less than there are strata. Strata without anything to extrapolate by are left out; nothing is
// known with fewer than two others.
std::optional<double> Margin(std::span<const Stratum> strata, double rest);

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_STRATA_H_
