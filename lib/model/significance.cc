// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace roofmark {
namespace {

constexpr double kLeastSpread = 1e-3;

struct Moments {
  double count, mean, variance;  // of logarithms
};

Moments OfLogarithms(std::span<const double> values) {
  Moments of = {static_cast<double>(values.size()), 0, 0};
  for (const double value : values) of.mean += std::log(value) / of.count;
  for (const double value : values) {
    const double off = std::log(value) - of.mean;
    of.variance += off * off / (of.count - 1);
  }
  of.variance = std::max(of.variance, kLeastSpread * kLeastSpread);
  return of;
}

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), from its
// first partial quotient on, by the modified method of Lentz.
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = std::numeric_limits<double>::min() * 1e10, kSettled = 1e-15;
  const auto away = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (const double term : {even, odd}) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      step = c * d;
      value *= step;
    }
    if (std::abs(step - 1) < kSettled) break;
  }
  return value;
}

// I_x(a, b).
double IncompleteBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * BetaFraction(a, b, x) / a
                                   : 1 - front * BetaFraction(b, a, 1 - x) / b;
}

}  // namespace

double GeometricMean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double StudentBeyond(double t, double freedom) {
  return IncompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double StudentQuantile(double p, double freedom) {
  double low = 0, high = 1;
  while (StudentBeyond(high, freedom) > p && high < 1e12) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (StudentBeyond(middle, freedom) > p ? low : high) = middle;
  }
  return high;
}

std::optional<Difference> TestDifference(std::span<const double> before,
                                         std::span<const double> after) {
  if (before.size() < 2 || after.size() < 2) return std::nullopt;
  const Moments a = OfLogarithms(before), b = OfLogarithms(after);
  const double error_a = a.variance / a.count, error_b = b.variance / b.count;
  const double error = std::sqrt(error_a + error_b), change = b.mean - a.mean;
  // Welch's and Satterthwaite's degrees of freedom.
  const double freedom = (error_a + error_b) * (error_a + error_b) /
                         (error_a * error_a / (a.count - 1) + error_b * error_b / (b.count - 1));
  const double reach = error * StudentQuantile(kFalseAlarms, freedom);
  return Difference{{std::exp(change), std::exp(change - reach), std::exp(change + reach)},
                    StudentBeyond(change / error, freedom)};
}

std::vector<double> CorrectedByHolm(const std::vector<double>& probabilities) {
  const size_t count = probabilities.size();
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return probabilities[a] < probabilities[b]; });
  std::vector<double> corrected(count);
  double most = 0;
  for (size_t i = 0; i < count; ++i) {
    const double times = static_cast<double>(count - i);
    most = std::max(most, std::min(1.0, times * probabilities[order[i]]));
    corrected[order[i]] = most;
  }
  return corrected;
}

}  // namespace roofmark
