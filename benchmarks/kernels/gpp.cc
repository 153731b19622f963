// SPDX-License-Identifier: BSD-3-Clause
//
// The General Plasmon Pole kernel of BerkeleyGW as Yang et al. (2018, section II-D) parametrise it:
// electron self-energies for `nw` frequencies, summed over bands, over the rank's own share of the
// plane waves G' and over all plane waves G,
//   E(w) = sum aqs(G, band) eps(G, G') W(G, G') / (w - e(band) - W(G, G')).
// Per term 8 FLOPs and 18 for each frequency, of which one divides; three complex numbers are
// loaded, so intensity grows almost linearly with nw. The "multiply" variant has a product in
// place of the division, as the paper's canonical count has: the same FLOPs, other values. With a
// stride G is visited in as many rounds, so that each cache line is fetched several times.
//
// GPP_REAL is double or float; the build has programs with and without FMA and, in single
// precision, with divisions expanded into an estimate and a step of Newton's method.
//
// Check: W, eps and aqs repeat along G with periods 7, 5 and 3, so the sum is one over 105
// residues, done in long double.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <roofmark/roofmark.hpp>
#include <utility>

#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/lanes.h"

#ifndef GPP_REAL
#define GPP_REAL double
#endif

namespace {

using Real = GPP_REAL;
using Complex = std::complex<Real>;
constexpr int kLanes = 32 / sizeof(Real), kMaxFrequencies = 6;
using Vector = Lanes<Real, kLanes>;
constexpr long kBands = 16, kOwn = 8;  // of G', per rank
constexpr Real kScale = 0.5;           // where the division is not
enum Variant { kDivide, kMultiply };
enum Option { kFrequencies, kStride };

// What the arrays repeat along G.
Complex PoleAt(long g, long own) {
  return {static_cast<Real>(1 + 0.25 * static_cast<double>(g % 7)),
          static_cast<Real>(0.5 + 0.125 * static_cast<double>(own % 8))};
}
Complex EpsilonAt(long g, long own) {
  return {static_cast<Real>(0.75 + 0.125 * static_cast<double>(g % 5)),
          static_cast<Real>(-0.0625 * static_cast<double>(own % 8))};
}
Complex MatrixElementAt(long g, long band) {
  return {static_cast<Real>(0.5 + 0.25 * static_cast<double>(g % 3)),
          static_cast<Real>(0.03125 * static_cast<double>(band))};
}
constexpr long kPeriod = 7 * 5 * 3;

// w - e(band).
Real EnergyAt(int frequency, long band) {
  return static_cast<Real>(-0.5 - 0.25 * frequency - 0.125 * static_cast<double>(band));
}

// One row of n complex numbers per band or G'.
class Rows {
 public:
  template <typename Value>
  Rows(long rows, long n, long first, Value value) : n_(n) {
    const size_t bytes = static_cast<size_t>(rows * n) * sizeof(Complex);
    values_.reset(static_cast<Complex*>(std::aligned_alloc(64, bytes)));
    if (values_ == nullptr) std::abort();
#pragma omp parallel for schedule(static)
    for (long row = 0; row < rows; ++row) {
      for (long g = 0; g < n; ++g) values_[row * n_ + g] = value(g, first + row);
    }
  }
  // Real and imaginary parts in turn.
  const Real* Row(long row) const {
    return reinterpret_cast<const Real*>(values_.get() + row * n_);
  }

 private:
  struct Free {
    void operator()(Complex* memory) const { std::free(memory); }
  };
  long n_;
  std::unique_ptr<Complex[], Free> values_;
};

struct Pair {
  Vector re, im;
};

// Every Stride-th complex number from `from` on.
template <int Stride>
Pair Load(const Real* from) {
  Pair pair;
  if constexpr (Stride == 1) {
    const Vector low = LoadLanes<kLanes>(from), high = LoadLanes<kLanes>(from + kLanes);
#if __has_builtin(__builtin_shufflevector)
    [&]<int... I>(std::integer_sequence<int, I...>) {
      pair.re = __builtin_shufflevector(low, high, (2 * I)...);
      pair.im = __builtin_shufflevector(low, high, (2 * I + 1)...);
    }
    (std::make_integer_sequence<int, kLanes>());
#else  // GCC 11
    for (int k = 0; k < kLanes; ++k) {
      pair.re[k] = 2 * k < kLanes ? low[2 * k] : high[2 * k - kLanes];
      pair.im[k] = 2 * k < kLanes ? low[2 * k + 1] : high[2 * k + 1 - kLanes];
    }
#endif
  } else {
    for (int k = 0; k < kLanes; ++k) {
      pair.re[k] = from[2 * Stride * k];
      pair.im[k] = from[2 * Stride * k + 1];
    }
  }
  return pair;
}

// The sums over G for one band and one G'.
template <int Frequencies, int Stride, bool Divide>
void SumOverG(const Real* pole, const Real* epsilon, const Real* element, const Real* energy,
              long n, std::array<Pair, Frequencies>& sums) {
  for (long first = 0; first < Stride; ++first) {
    for (long g = first; g < n; g += Stride * kLanes) {
      const Pair w = Load<Stride>(pole + 2 * g), e = Load<Stride>(epsilon + 2 * g),
                 a = Load<Stride>(element + 2 * g);
      const Vector re = a.re * e.re - a.im * e.im, im = a.re * e.im + a.im * e.re;
      const Vector square = w.im * w.im, cross = w.re * w.im;
      for (int i = 0; i < Frequencies; ++i) {
        // W conj(energy - W) / |energy - W|^2.
        const Vector off = energy[i] - w.re;
        const Vector norm = off * off + square;
        const Vector up = w.re * off - square, across = w.im * off + cross;
        const Vector factor = Divide ? Real{1} / norm : kScale * norm;
        sums[static_cast<size_t>(i)].re += (up * re - across * im) * factor;
        sums[static_cast<size_t>(i)].im += (up * im + across * re) * factor;
      }
    }
  }
}

struct Arrays {
  long n;
  Rows pole, epsilon, element;
};
using Energies = std::array<std::complex<double>, kMaxFrequencies>;

template <int Frequencies, int Stride, bool Divide>
void Sum(const Arrays& arrays, Energies& result) {
  double re[Frequencies] = {}, im[Frequencies] = {};
#pragma omp parallel for collapse(2) schedule(static) reduction(+ : re[:Frequencies], im[:Frequencies])
  for (long band = 0; band < kBands; ++band) {
    for (long own = 0; own < kOwn; ++own) {
      Real energy[Frequencies];
      for (int i = 0; i < Frequencies; ++i) energy[i] = EnergyAt(i, band);
      std::array<Pair, Frequencies> sums{};
      SumOverG<Frequencies, Stride, Divide>(arrays.pole.Row(own), arrays.epsilon.Row(own),
                                            arrays.element.Row(band), energy, arrays.n, sums);
      for (size_t i = 0; i < Frequencies; ++i) {
        for (int k = 0; k < kLanes; ++k) {
          re[i] += static_cast<double>(sums[i].re[k]);
          im[i] += static_cast<double>(sums[i].im[k]);
        }
      }
    }
  }
  for (size_t i = 0; i < Frequencies; ++i) result[i] = {re[i], im[i]};
}

using Summer = void (*)(const Arrays&, Energies&);

template <int Frequencies>
Summer FindStride(long stride, bool divide) {
  switch (stride) {
    case 1:
      return divide ? Sum<Frequencies, 1, true> : Sum<Frequencies, 1, false>;
    case 2:
      return divide ? Sum<Frequencies, 2, true> : Sum<Frequencies, 2, false>;
    case 4:
      return divide ? Sum<Frequencies, 4, true> : Sum<Frequencies, 4, false>;
    case 8:
      return divide ? Sum<Frequencies, 8, true> : Sum<Frequencies, 8, false>;
    default:
      return divide ? Sum<Frequencies, 16, true> : Sum<Frequencies, 16, false>;
  }
}

Summer FindSummer(long frequencies, long stride, bool divide) {
  switch (frequencies) {
    case 1:
      return FindStride<1>(stride, divide);
    case 2:
      return FindStride<2>(stride, divide);
    case 3:
      return FindStride<3>(stride, divide);
    case 4:
      return FindStride<4>(stride, divide);
    case 5:
      return FindStride<5>(stride, divide);
    default:
      return FindStride<6>(stride, divide);
  }
}

// One frequency's sum by residues, and the sum of its terms' magnitudes.
std::pair<std::complex<long double>, long double> Expected(const Kernel& kernel, int frequency) {
  using Long = std::complex<long double>;
  Long sum = 0;
  long double magnitude = 0;
  for (long band = 0; band < kBands; ++band) {
    for (long own = kOwn * kernel.rank; own < kOwn * (kernel.rank + 1); ++own) {
      for (long r = 0; r < kPeriod; ++r) {
        const long count = kernel.n / kPeriod + (r < kernel.n % kPeriod ? 1 : 0);
        const Long w = PoleAt(r, own);
        const Long off = static_cast<long double>(EnergyAt(frequency, band)) - w;
        const Long pole =
            kernel.variant == kDivide ? w / off : w * std::conj(off) * (std::norm(off) * kScale);
        const Long term = Long(MatrixElementAt(r, band)) * Long(EpsilonAt(r, own)) * pole;
        sum += static_cast<long double>(count) * term;
        magnitude += static_cast<long double>(count) * std::abs(term);
      }
    }
  }
  return {sum, magnitude};
}

// Relative to the terms' magnitudes.
double LargestError(const Kernel& kernel, const Energies& result) {
  double error = 0;
  for (int i = 0; i < kernel.option[kFrequencies]; ++i) {
    const auto [sum, magnitude] = Expected(kernel, i);
    const std::complex<long double> found = result[static_cast<size_t>(i)];
    const double now = static_cast<double>(std::abs(found - sum) / magnitude);
    if (!(now <= error)) error = now;  // keeps a NaN
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"divide", "multiply", nullptr};
  static const long kNw[] = {1, 2, 3, 4, 5, 6, 0}, kStrides[] = {1, 2, 4, 8, 16, 0};
  static const KernelOption kOptions[] = {
      {"nw", "frequencies", 3, kNw},
      {"stride", "the stride of G in the innermost loop", 1, kStrides},
      {nullptr, nullptr, 0, nullptr}};
  const KernelDoc doc = {"gpp",   "plane waves G, a multiple of 128", 32768, 128, 10, kVariants,
                         kOptions};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const long n = kernel.n, frequencies = kernel.option[kFrequencies];
  const Summer sum = FindSummer(frequencies, kernel.option[kStride], kernel.variant == kDivide);
  const Arrays arrays{n, Rows(kOwn, n, kOwn * kernel.rank, PoleAt),
                      Rows(kOwn, n, kOwn * kernel.rank, EpsilonAt),
                      Rows(kBands, n, 0, MatrixElementAt)};
  const double terms = static_cast<double>(kBands * kOwn * n);
  const double flops = terms * static_cast<double>(8 + 18 * frequencies);
  // A stride fetches a line again for each of its numbers, until one line is one number.
  const long per_line = 64 / static_cast<long>(sizeof(Complex));
  const double fetches = static_cast<double>(std::min(kernel.option[kStride], per_line));
  const double bytes = terms * 3 * sizeof(Complex) * fetches;
  Energies result;
  const double start = KernelStartClock();
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    ROOF_REGION_BEGIN("gpp");
    sum(arrays, result);
    ROOF_REGION_WORK(flops, bytes);
    ROOF_REGION_END("gpp");
  }
  const double seconds = KernelStopClock(start);
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) {
    result[static_cast<size_t>(frequencies - 1)] *= 1.01;
  }
  const double visits = static_cast<double>(kernel.iterations);
  return KernelEnd(&kernel, seconds, flops * visits, bytes * visits, LargestError(kernel, result),
                   sizeof(Real) == 8 ? 1e-12 : 1e-4);
}
