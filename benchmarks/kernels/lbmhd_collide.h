// SPDX-License-Identifier: BSD-3-Clause
//
// One time step of LBMHD for a strip of points: stream (pull), moments, equilibria, relaxation.
//
// Equilibria: Dellar, Lattice kinetic schemes for magnetohydrodynamics, J. Comput. Phys. 179
// (2002): the Maxwell stress enters the second moment of the momentum lattice, the electric field
// the first moment of the vector-valued magnetic lattice; the fluid part goes to the third Hermite
// order, which 27 directions carry. Relaxation: one rate for the magnetic field; for momentum the
// local one of Smagorinsky's eddy viscosity from the non-equilibrium stress (Hou et al., 1996).
//
// FLOPs per point, none of them a multiplication by a lattice component:
//   moments              27 + 3 x 18 + 3 x 15                        = 126
//   velocity, squares    4 + 5 + 5                                   =  14
//   momentum equilibria  26 x 18 + 7, components along c 56          = 531
//   stress               27 differences, 3 x 18 + 3 x 12 sums        = 117
//   relaxation rate      13 + 7 (two roots, two divisions among them)   =  20
//   momentum relaxation  27 x 2                                      =  54
//   magnetic field       14 x 3 x 9 + 3 x 4, components along c 32   = 422
#ifndef ROOFMARK_BENCHMARKS_KERNELS_LBMHD_COLLIDE_H_
#define ROOFMARK_BENCHMARKS_KERNELS_LBMHD_COLLIDE_H_

#include <cmath>
#include <cstddef>
#include <cstring>

#include "benchmarks/kernels/lanes.h"
#include "benchmarks/kernels/lbmhd_lattice.h"
#include "benchmarks/kernels/streaming.h"

namespace lbmhd {

constexpr double kFlopsPerPoint = 126 + 14 + 531 + 117 + 20 + 54 + 422;
constexpr double kReads = kPopulations + 1, kWrites = kPopulations + kMoments;  // doubles
constexpr double kSmagorinsky = 0.1;

// A strip of points is computed four at a time, written out as vectors because compilers give up
// on loops over this many arrays. All populations of a strip stay in the first-level cache.
constexpr int kLanes = 4, kStrip = 16, kVectors = kStrip / kLanes;
using Vector = Lanes<double, kLanes>;
using Values = Vector[kVectors];

template <bool kStream>
void Store(double* to, const Values& values) {
  for (int v = 0; v < kVectors; ++v) {
    if (kStream) {
      double flat[kLanes];
      StoreLanes<kLanes>(flat, values[v]);
      StreamFour(to + v * kLanes, flat);
    } else {
      StoreLanes<kLanes>(to + v * kLanes, values[v]);
    }
  }
}
inline Vector SquareRoot(Vector lanes) {
  for (int k = 0; k < kLanes; ++k) lanes[k] = std::sqrt(lanes[k]);
  return lanes;
}

// What the equilibria of one point need, or (T = Vector) of four.
template <typename T>
struct Point {
  T rho, u[3], b[3], uu, bb;
};

template <int I, typename T>
[[gnu::always_inline]] inline T MomentumEquilibrium(const Point<T>& p) {
  constexpr int kSquare = kMomentumLattice[I].Square();
  constexpr double kPressure = (kSquare - 1) / 2. + 1 / 3.;
  if constexpr (kSquare == 0) {
    return kMomentumWeights[0] * (p.rho * (1.0 - 1.5 * p.uu) + (4.5 * kPressure) * p.bb);
  } else {
    const T cu = Dot<kMomentumLattice, I>(p.u), cb = Dot<kMomentumLattice, I>(p.b);
    const T cu2 = cu * cu;
    const T fluid = 1.0 + 3.0 * cu + 4.5 * cu2 - 1.5 * p.uu + 4.5 * cu * (cu2 - p.uu);
    const T field = kPressure * p.bb - cb * cb;
    return kMomentumWeights[kSquare] * (p.rho * fluid + 4.5 * field);
  }
}

// Of the three components.
template <int I, typename T>
[[gnu::always_inline]] inline std::array<T, 3> MagneticEquilibrium(const Point<T>& p) {
  constexpr int kSquare = kMagneticLattice[I].Square();
  constexpr double kWeight = kMagneticWeights[kSquare];
  if constexpr (kSquare == 0) {
    return {kWeight * p.b[0], kWeight * p.b[1], kWeight * p.b[2]};
  } else {
    const T cu = Dot<kMagneticLattice, I>(p.u), cb = Dot<kMagneticLattice, I>(p.b);
    std::array<T, 3> all;
    for (int a = 0; a < 3; ++a) {
      all[a] = kWeight * (p.b[a] + 3.0 * (cu * p.b[a] - cb * p.u[a]));
    }
    return all;
  }
}

// The populations that arrive at the strip (z, y, x .. x + kStrip - 1) of a periodic row.
class Arrivals {
 public:
  Arrivals(const Fields& in, long n, long z, long y, long x)
      : in_(in), n_(n), z_(z), rows_{(y + n - 1) % n, y, (y + 1) % n}, x_(x) {}

  template <int I>
  const double* Momentum(double* patch) const {
    return From<kMomentumLattice[I].c[0]>(I, kMomentumLattice[I], patch);
  }
  template <int I>
  const double* Magnetic(int component, double* patch) const {
    return From<kMagneticLattice[I].c[0]>(kMomentum + 3 * I + component, kMagneticLattice[I],
                                          patch);
  }

 private:
  // In place, but for the row's two ends, where the strip is put together in `patch`.
  template <int Cx>
  const double* From(int array, const Direction& d, double* patch) const {
    const double* row = in_.Row(array, z_ - d.c[2], rows_[1 - d.c[1]]);
    const long first = x_ - Cx;
    if (Cx == 0 || (first >= 0 && first + kStrip <= n_)) return row + first;
    // All but one point lie together.
    constexpr size_t kTogether = (kStrip - 1) * sizeof(double);
    std::memcpy(Cx > 0 ? patch + 1 : patch, Cx > 0 ? row : row + first, kTogether);
    patch[Cx > 0 ? 0 : kStrip - 1] = Cx > 0 ? row[n_ - 1] : row[0];
    return patch;
  }
  const Fields& in_;
  long n_, z_, rows_[3], x_;
};

struct Strip {
  Values rho, u[3], b[3], uu, bb, omega;
  Values off[kMomentum];  // momentum populations less their equilibria
  Point<Vector> At(int v) const {
    return {rho[v], {u[0][v], u[1][v], u[2][v]}, {b[0][v], b[1][v], b[2][v]}, uu[v], bb[v]};
  }
};

// sum + sign x term, for a sign that is known when compiled.
template <int Sign>
void Add(Vector& sum, Vector term) {
  if (Sign > 0) sum += term;
  if (Sign < 0) sum -= term;
}

inline void SumMoments(const Arrivals& arrivals, Strip& s) {
  std::memset(&s, 0, offsetof(Strip, uu));
  double patch[kStrip];
  ForEach<kMomentum>([&](auto i) {
    constexpr Direction d = kMomentumLattice[i];
    const double* from = arrivals.Momentum<i>(patch);
    for (int v = 0; v < kVectors; ++v) {
      const Vector f = LoadLanes<kLanes>(from + v * kLanes);
      s.rho[v] += f;
      Add<d.c[0]>(s.u[0][v], f);
      Add<d.c[1]>(s.u[1][v], f);
      Add<d.c[2]>(s.u[2][v], f);
    }
  });
  ForEach<kMagnetic>([&](auto i) {
    for (int a = 0; a < 3; ++a) {
      const double* from = arrivals.Magnetic<i>(a, patch);
      for (int v = 0; v < kVectors; ++v) s.b[a][v] += LoadLanes<kLanes>(from + v * kLanes);
    }
  });
  for (int v = 0; v < kVectors; ++v) {
    const Vector inverse = 1.0 / s.rho[v];
    for (int a = 0; a < 3; ++a) s.u[a][v] *= inverse;
    s.uu[v] = s.u[0][v] * s.u[0][v] + s.u[1][v] * s.u[1][v] + s.u[2][v] * s.u[2][v];
    s.bb[v] = s.b[0][v] * s.b[0][v] + s.b[1][v] * s.b[1][v] + s.b[2][v] * s.b[2][v];
  }
}

// Keeps what is off equilibrium, and relaxes faster where its stress is large.
inline void FindRelaxationRate(const Arrivals& arrivals, const double* tau, Strip& s) {
  Values xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
  double patch[kStrip];
  ForEach<kMomentum>([&](auto i) {
    constexpr Direction d = kMomentumLattice[i];
    const double* from = arrivals.Momentum<i>(patch);
    for (int v = 0; v < kVectors; ++v) {
      const Vector off = LoadLanes<kLanes>(from + v * kLanes) - MomentumEquilibrium<i>(s.At(v));
      s.off[i][v] = off;
      Add<d.c[0] * d.c[0]>(xx[v], off);
      Add<d.c[1] * d.c[1]>(yy[v], off);
      Add<d.c[2] * d.c[2]>(zz[v], off);
      Add<d.c[0] * d.c[1]>(xy[v], off);
      Add<d.c[0] * d.c[2]>(xz[v], off);
      Add<d.c[1] * d.c[2]>(yz[v], off);
    }
  });
  for (int v = 0; v < kVectors; ++v) {
    constexpr double kScale = 18 * M_SQRT2 * kSmagorinsky * kSmagorinsky;
    const Vector diagonal = xx[v] * xx[v] + yy[v] * yy[v] + zz[v] * zz[v];
    const Vector norm =
        SquareRoot(diagonal + 2.0 * (xy[v] * xy[v] + xz[v] * xz[v] + yz[v] * yz[v]));
    const Vector t = LoadLanes<kLanes>(tau + v * kLanes);
    s.omega[v] = 2.0 / (t + SquareRoot(t * t + kScale * norm / s.rho[v]));
  }
}

template <bool kStream>
void Collide(const Arrivals& arrivals, const double* tau, double magnetic_rate, Fields& out,
             Fields& moments, long z, long y, long x) {
  Strip s;
  SumMoments(arrivals, s);
  FindRelaxationRate(arrivals, tau, s);
  double patch[3][kStrip];
  Values after[3];
  ForEach<kMomentum>([&](auto i) {
    const double* from = arrivals.Momentum<i>(patch[0]);
    for (int v = 0; v < kVectors; ++v) {
      after[0][v] = LoadLanes<kLanes>(from + v * kLanes) - s.omega[v] * s.off[i][v];
    }
    Store<kStream>(out.Row(i, z, y) + x, after[0]);
  });
  ForEach<kMagnetic>([&](auto i) {
    const double* from[3];
    for (int a = 0; a < 3; ++a) from[a] = arrivals.Magnetic<i>(a, patch[a]);
    for (int v = 0; v < kVectors; ++v) {
      const auto equilibrium = MagneticEquilibrium<i>(s.At(v));
      for (int a = 0; a < 3; ++a) {
        const Vector g = LoadLanes<kLanes>(from[a] + v * kLanes);
        after[a][v] = g + magnetic_rate * (equilibrium[a] - g);
      }
    }
    for (int a = 0; a < 3; ++a) {
      Store<kStream>(out.Row(kMomentum + 3 * i + a, z, y) + x, after[a]);
    }
  });
  Store<kStream>(moments.Row(0, z, y) + x, s.rho);
  for (int a = 0; a < 3; ++a) Store<kStream>(moments.Row(1 + a, z, y) + x, s.u[a]);
  for (int a = 0; a < 3; ++a) Store<kStream>(moments.Row(4 + a, z, y) + x, s.b[a]);
}

}  // namespace lbmhd

#endif  // ROOFMARK_BENCHMARKS_KERNELS_LBMHD_COLLIDE_H_
