// SPDX-License-Identifier: BSD-3-Clause
//
// Do two sets of executions differ in time? Welch's t-test (Biometrika 34, 1947) on the logarithms
// of times: noise of times is a factor and mostly makes them longer, and the two sets may be of
// unlike spread. Over many regions the probabilities are corrected by Holm's procedure (Scand. J.
// Statistics 6, 1979): it bounds the chance of any false alarm, however the regions' noise is
// related, which Benjamini and Hochberg's bound of their share does not.
#ifndef ROOFMARK_LIB_MODEL_SIGNIFICANCE_H_
#define ROOFMARK_LIB_MODEL_SIGNIFICANCE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace roofmark {

// The chance of any false alarm in one comparison. At 1 %, of 20 comparisons of a program with
// itself at most one raises an alarm, but for 1.7 % of such series.
inline constexpr double kFalseAlarms = 0.01;

// A factor, and where it lies with probability 1 - kFalseAlarms (of one region alone).
struct FactorInterval {
  double factor = 1, least = 1, most = 1;
};

struct Difference {
  FactorInterval change;   // after over before, of geometric means
  double probability = 1;  // of such a difference, or a larger one, between equal programs
};

// Nothing where one of the two has fewer than two values; values must be above 0. A spread of less
// than 0.1 % is taken for 0.1 %: so few times agree by chance.
std::optional<Difference> TestDifference(std::span<const double> before,
                                         std::span<const double> after);

// Each probability after Holm: what is at most kFalseAlarms is significant.
std::vector<double> CorrectedByHolm(const std::vector<double>& probabilities);

double GeometricMean(std::span<const double> values);  // above 0, at least one

// Of Student's distribution: beyond t on both sides, and the t beyond which on both sides lies `p`.
double StudentBeyond(double t, double freedom);
double StudentQuantile(double p, double freedom);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SIGNIFICANCE_H_
