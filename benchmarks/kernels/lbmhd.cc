// SPDX-License-Identifier: BSD-3-Clause
//
// Three-dimensional lattice Boltzmann magnetohydrodynamics (lbmhd_collide.h), slabs of z over the
// ranks: per point 73 doubles are read (27 momentum populations, 15 magnetic ones of three
// components, the relaxation time) and 79 written (the populations, seven moments), each once, with
// 1284 FLOPs. So 0.70 FLOP/byte where stores allocate and 1.06 where they do not (Williams et al.
// 2008, Table 2: 0.70 to 1.07).
//
// Check: mass, momentum and magnetic flux stay what they were, to rounding; and the initial state,
// a shear Alfven wave of small amplitude along the diagonal of the box, travels with the speed
// B / sqrt(rho) and decays with (viscosity + resistivity) / 2 times k^2, to second order in k.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <roofmark/roofmark.hpp>

#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/lbmhd_collide.h"

namespace {

using namespace lbmhd;

enum Variant { kAllocate, kNt };
constexpr double kTau = 0.6, kViscosity = (kTau - 0.5) / 3;  // of the magnetic field too
constexpr double kAmplitude = 1e-4, kFieldStrength = 0.1;

// u = a e cos(k x - w t), B = B0 - u, with B0 along k and e across.
class Wave {
 public:
  Wave(long n, int ranks) {
    const double nz = static_cast<double>(n * ranks);
    k_ = {2 * M_PI / static_cast<double>(n), 2 * M_PI / static_cast<double>(n), 2 * M_PI / nz};
    for (int a = 0; a < 3; ++a) squared_ += k_[a] * k_[a];
  }
  double WaveNumberSquared() const { return squared_; }
  // `z` of the whole box.
  Point<double> At(long x, long y, long z, double time) const {
    const double length = std::sqrt(squared_);
    const double phase = k_[0] * static_cast<double>(x) + k_[1] * static_cast<double>(y) +
                         k_[2] * static_cast<double>(z) - kFieldStrength * length * time;
    const double now = kAmplitude * std::exp(-kViscosity * squared_ * time) * std::cos(phase);
    Point<double> p{1, {now * M_SQRT1_2, -now * M_SQRT1_2, 0}, {}, now * now, 0};
    for (int a = 0; a < 3; ++a) {
      p.b[a] = kFieldStrength * k_[a] / length - p.u[a];
      p.bb += p.b[a] * p.b[a];
    }
    return p;
  }

 private:
  std::array<double, 3> k_;
  double squared_ = 0;
};

// By the threads that will use the rows.
void Fill(Fields& lattice, const Wave& wave, long n, int rank) {
#pragma omp parallel for schedule(static)
  for (long z = 1; z <= n; ++z) {
    for (long y = 0; y < n; ++y) {
      for (long x = 0; x < n; ++x) {
        const Point<double> p = wave.At(x, y, n * rank + z - 1, 0);
        ForEach<kMomentum>([&](auto i) { lattice.Row(i, z, y)[x] = MomentumEquilibrium<i>(p); });
        ForEach<kMagnetic>([&](auto i) {
          const auto g = MagneticEquilibrium<i>(p);
          for (int a = 0; a < 3; ++a) lattice.Row(kMomentum + 3 * i + a, z, y)[x] = g[a];
        });
      }
    }
  }
}

void FillWith(Fields& fields, int count, double value, long n) {
#pragma omp parallel for schedule(static)
  for (long z = 1; z <= n; ++z) {
    for (int array = 0; array < count; ++array) {
      std::fill_n(fields.Row(array, z, 0), n * n, value);
    }
  }
}

// The populations that leave the slab, into the neighbours' halo planes.
void Exchange(Fields& lattice, long n, int rank, int ranks) {
  const int count = static_cast<int>(n * n);
  const int down = (rank + ranks - 1) % ranks, up = (rank + 1) % ranks;
  const auto send = [&](int array, int cz) {
    if (cz == 0) return;
    const bool upward = cz > 0;
    MPI_Sendrecv(lattice.Row(array, upward ? n : 1, 0), count, MPI_DOUBLE, upward ? up : down, 0,
                 lattice.Row(array, upward ? 0 : n + 1, 0), count, MPI_DOUBLE, upward ? down : up,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  for (int i = 0; i < kMomentum; ++i) send(i, kMomentumLattice[i].c[2]);
  for (int i = 0; i < 3 * kMagnetic; ++i) send(kMomentum + i, kMagneticLattice[i / 3].c[2]);
}

template <bool kStream>
void Step(const Fields& in, const Fields& tau, Fields& out, Fields& moments, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long z = 1; z <= n; ++z) {
      for (long y = 0; y < n; ++y) {
        for (long x = 0; x < n; x += kStrip) {
          Collide<kStream>(Arrivals(in, n, z, y, x), tau.Row(0, z, y) + x, 1 / kTau, out, moments,
                           z, y, x);
        }
      }
    }
    if (kStream) StreamEnd();
  }
}

// Mass, momentum, magnetic flux of all ranks.
std::array<double, kMoments> Totals(const Fields& lattice, long n) {
  long double sums[kMoments] = {};
  const auto plane_sum = [&](int array) {
    long double sum = 0;
    for (long z = 1; z <= n; ++z) {
      const double* plane = lattice.Row(array, z, 0);
      for (long i = 0; i < n * n; ++i) sum += plane[i];
    }
    return sum;
  };
  for (int i = 0; i < kMomentum; ++i) {
    const long double sum = plane_sum(i);
    sums[0] += sum;
    for (int a = 0; a < 3; ++a) sums[1 + a] += kMomentumLattice[i].c[a] * sum;
  }
  for (int i = 0; i < 3 * kMagnetic; ++i) sums[4 + i % 3] += plane_sum(kMomentum + i);
  std::array<double, kMoments> totals;
  std::copy_n(sums, kMoments, totals.begin());
  MPI_Allreduce(MPI_IN_PLACE, totals.data(), kMoments, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return totals;
}

// Relative to the mass, as every one of them is a sum over points of about 1 or less.
double Drift(const std::array<double, kMoments>& before,
             const std::array<double, kMoments>& after) {
  double drift = 0;
  for (int i = 0; i < kMoments; ++i) {
    const double now = std::fabs(after[i] - before[i]) / before[0];
    if (!(now <= drift)) drift = now;  // keeps a NaN
  }
  return drift;
}

// Of velocity and magnetic field, relative to the wave's amplitude.
double WaveError(const Fields& moments, const Wave& wave, long n, const Kernel& kernel) {
  double error = 0;
  for (long z = 1; z <= n; ++z) {
    for (long y = 0; y < n; ++y) {
      for (long x = 0; x < n; ++x) {
        const Point<double> p =
            wave.At(x, y, n * kernel.rank + z - 1, static_cast<double>(kernel.iterations));
        for (int a = 0; a < 3; ++a) {
          const double u = std::fabs(moments.Row(1 + a, z, y)[x] - p.u[a]);
          const double b = std::fabs(moments.Row(4 + a, z, y)[x] - p.b[a]);
          if (!(u <= error)) error = u;
          if (!(b <= error)) error = b;
        }
      }
    }
  }
  return error / kAmplitude;
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"allocate", "nt", nullptr};
  const KernelDoc doc = {
      "lbmhd", "points per dimension and rank, a multiple of 16", 64, kStrip, 10, kVariants,
      nullptr};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const long n = kernel.n;
  const double points = static_cast<double>(n * n * n), flops = kFlopsPerPoint * points;
  const bool stream = kernel.variant == kNt && ROOFMARK_HAS_STREAMING;
  const double bytes = 8 * (kReads + (stream ? 1 : 2) * kWrites) * points;
  const Wave wave(n, kernel.ranks);
  Fields in(n, kPopulations), out(n, kPopulations), tau(n, 1), moments(n, kMoments);
  Fill(in, wave, n, kernel.rank);
  FillWith(out, kPopulations, 0, n);
  FillWith(tau, 1, kTau, n);
  FillWith(moments, kMoments, 0, n);
  const auto before = Totals(in, n);
  const double start = KernelStartClock();
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    {
      ROOF_REGION_SCOPE("halo");
      Exchange(in, n, kernel.rank, kernel.ranks);
    }
    ROOF_REGION_BEGIN("lbmhd");
    (kernel.variant == kNt ? Step<true> : Step<false>)(in, tau, out, moments, n);
    ROOF_REGION_WORK(flops, bytes);
    ROOF_REGION_END("lbmhd");
    std::swap(in, out);
  }
  const double seconds = KernelStopClock(start);
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) in.Row(0, n, n - 1)[n - 1] += 1e-3;
  // Both in units of what is allowed.
  const double drift = Drift(before, Totals(in, n)) / 1e-12;
  const double off = WaveError(moments, wave, n, kernel) / (0.1 * wave.WaveNumberSquared());
  const double visits = static_cast<double>(kernel.iterations);
  return KernelEnd(&kernel, seconds, flops * visits, bytes * visits, !(drift <= off) ? drift : off,
                   1);
}
