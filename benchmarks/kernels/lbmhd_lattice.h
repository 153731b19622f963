// SPDX-License-Identifier: BSD-3-Clause
//
// The two lattices of LBMHD: 27 directions for mass and momentum, 15 for the magnetic field
// (D3Q27 and D3Q15, both with the sound speed squared 1/3), and how their populations lie in
// memory.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_LBMHD_LATTICE_H_
#define ROOFMARK_BENCHMARKS_KERNELS_LBMHD_LATTICE_H_

#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

namespace lbmhd {

constexpr int kMomentum = 27, kMagnetic = 15;
constexpr int kPopulations = kMomentum + 3 * kMagnetic;
constexpr int kMoments = 7;  // density, velocity, magnetic field

// A direction's components are -1, 0 or 1.
struct Direction {
  int c[3];
  constexpr int Square() const { return c[0] * c[0] + c[1] * c[1] + c[2] * c[2]; }
};

constexpr std::array<Direction, kMomentum> kMomentumLattice = [] {
  std::array<Direction, kMomentum> all{};
  for (int i = 0; i < kMomentum; ++i) all[i] = {{i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1}};
  return all;
}();

// Rest, faces and corners of the same cube.
constexpr std::array<Direction, kMagnetic> kMagneticLattice = [] {
  std::array<Direction, kMagnetic> all{};
  int count = 0;
  for (const Direction& direction : kMomentumLattice) {
    if (direction.Square() != 2) all[count++] = direction;
  }
  return all;
}();

constexpr double kMomentumWeights[] = {8. / 27, 2. / 27, 1. / 54, 1. / 216};  // by c^2
constexpr double kMagneticWeights[] = {2. / 9, 1. / 9, 0, 1. / 72};

// c . v for the I-th direction of a lattice: nothing is multiplied and no zero is added. T is a
// double or a vector of them.
template <const auto& Lattice, int I, typename T>
[[gnu::always_inline]] inline T Dot(const T (&v)[3]) {
  constexpr Direction d = Lattice[I];
  T sum{};
  bool first = true;
  for (int a = 0; a < 3; ++a) {
    if (d.c[a] == 0) continue;
    sum = first ? (d.c[a] > 0 ? v[a] : -v[a]) : (d.c[a] > 0 ? sum + v[a] : sum - v[a]);
    first = false;
  }
  return sum;
}

// Calls f(integral_constant<int, 0>) ... f(integral_constant<int, Count - 1>).
template <int Count, typename F>
[[gnu::always_inline]] inline void ForEach(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>()), ...);
  }
  (std::make_integer_sequence<int, Count>());
}

// Arrays of one rank's block of n x n x n points, one per quantity ("structure of arrays"), with a
// halo plane below and above in z; x and y are periodic within. Rows start on a cache line, and
// arrays an odd number of lines apart, so that equal points of two arrays do not share a cache set.
class Fields {
 public:
  Fields(long n, int count) : n_(n), pitch_((n * n * (n + 2) / 8 | 1) * 8) {
    values_.reset(static_cast<double*>(
        std::aligned_alloc(64, static_cast<size_t>(pitch_ * count) * sizeof(double))));
    if (values_ == nullptr) std::abort();
  }
  // Plane z counts from 1; 0 and n + 1 are the halo.
  double* Row(int array, long z, long y) { return values_.get() + Index(array, z, y); }
  const double* Row(int array, long z, long y) const { return values_.get() + Index(array, z, y); }

 private:
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };
  long Index(int array, long z, long y) const { return array * pitch_ + (z * n_ + y) * n_; }
  long n_, pitch_;
  std::unique_ptr<double[], Free> values_;
};

}  // namespace lbmhd

#endif  // ROOFMARK_BENCHMARKS_KERNELS_LBMHD_LATTICE_H_
