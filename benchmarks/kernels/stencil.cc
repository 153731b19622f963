// SPDX-License-Identifier: BSD-3-Clause
//
// 7-point heat stencil on a periodic grid, MPI blocks in three dimensions. Per point 6 adds and 2
// multiplications = 8 FLOPs (contracted or not); beyond the last level one read, one write and
// the write-allocate read = 24 bytes, so 0.33 FLOP/byte (Williams et al. 2008), 0.5 with
// non-temporal stores.
//
// Check: a product of cosines is an eigenvector of the periodic operator with eigenvalue
// a + 2 b (cos kx + cos ky + cos kz), so the field after any number of steps is known.
#include <algorithm>
#include <cmath>
#include <roofmark/roofmark.hpp>
#include <utility>

#include "benchmarks/kernels/grid.h"
#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/streaming.h"

namespace {

constexpr double kCentre = 0.4, kSide = 0.1;
enum Variant { kNaive, kBlocked, kNt };

double Point(const double* in, long row, long plane) {
  return kCentre * in[0] + kSide * (in[-1] + in[1] + in[-row] + in[row] + in[-plane] + in[plane]);
}

void SweepRow(const double* in, double* __restrict out, long row, long plane, long count) {
  for (long k = 0; k < count; ++k) out[k] = Point(in + k, row, plane);
}

void SweepNaive(const Field& in, Field& out, long n) {
  const long row = in.pitch(), plane = row * row;
#pragma omp parallel for schedule(static)
  for (long i = 1; i <= n; ++i) {
    for (long j = 1; j <= n; ++j) {
      const size_t at = in.Index(i, j, 1);
      SweepRow(in.data() + at, out.data() + at, row, plane, n);
    }
  }
}

// A strip of rows through all planes of the thread, so that three strips stay in L2 however large
// a plane is (Rivera and Tseng, SC 2000).
void SweepBlocked(const Field& in, Field& out, long n) {
  constexpr long kStripBytes = 128 << 10;
  const long row = in.pitch(), plane = row * row;
  const long strip = std::max(1L, kStripBytes / (row * static_cast<long>(sizeof(double))));
#pragma omp parallel
  for (long j0 = 1; j0 <= n; j0 += strip) {
    const long j1 = std::min(j0 + strip - 1, n);
#pragma omp for schedule(static) nowait
    for (long i = 1; i <= n; ++i) {
      for (long j = j0; j <= j1; ++j) {
        const size_t at = in.Index(i, j, 1);
        SweepRow(in.data() + at, out.data() + at, row, plane, n);
      }
    }
  }
}

void SweepNt(const Field& in, Field& out, long n) {
  const long row = in.pitch(), plane = row * row;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long i = 1; i <= n; ++i) {
      for (long j = 1; j <= n; ++j) {
        const size_t at = in.Index(i, j, 1);
        const double* from = in.data() + at;
        double* to = out.data() + at;
        // Up to the first line boundary and after the last one, ordinary stores.
        const long head = std::min(
            n,
            static_cast<long>((64 - reinterpret_cast<uintptr_t>(to) % 64) % 64 / sizeof(double)));
        SweepRow(from, to, row, plane, head);
        long k = head;
        for (; k + 8 <= n; k += 8) {
          double line[8];
#pragma omp simd
          for (long m = 0; m < 8; ++m) line[m] = Point(from + k + m, row, plane);
          StreamFour(to + k, line);
          StreamFour(to + k + 4, line + 4);
        }
        SweepRow(from + k, to + k, row, plane, n - k);
      }
    }
    StreamEnd();
  }
}

void Sweep(int variant, const Field& in, Field& out, long n) {
  switch (variant) {
    case kBlocked:
      SweepBlocked(in, out, n);
      break;
    case kNt:
      SweepNt(in, out, n);
      break;
    default:
      SweepNaive(in, out, n);
  }
}

// The eigenvector on this rank's block.
class Mode {
 public:
  Mode(const Neighbours& grid, long n) {
    for (int d = 0; d < 3; ++d) {
      wave_[d] = Wave(d + 1, grid.GlobalSize(d), grid.Offset(d), n);
      eigenvalue_ +=
          2 * kSide * std::cos(2 * M_PI * (d + 1) / static_cast<double>(grid.GlobalSize(d)));
    }
  }
  double At(long i, long j, long k) const {
    return wave_[0][static_cast<size_t>(i - 1)] * wave_[1][static_cast<size_t>(j - 1)] *
           wave_[2][static_cast<size_t>(k - 1)];
  }
  double eigenvalue() const { return eigenvalue_; }

 private:
  std::array<std::vector<double>, 3> wave_;
  double eigenvalue_ = kCentre;
};

void Fill(Field& field, const Mode& mode, long n) {
  std::fill_n(field.data() + field.Index(0, 0, 0), field.pitch() * field.pitch(), 0.0);
  std::fill_n(field.data() + field.Index(n + 1, 0, 0), field.pitch() * field.pitch(), 0.0);
#pragma omp parallel for schedule(static)
  for (long i = 1; i <= n; ++i) {
    std::fill_n(field.data() + field.Index(i, 0, 0), field.pitch() * field.pitch(), 0.0);
    for (long j = 1; j <= n; ++j) {
      for (long k = 1; k <= n; ++k) field.At(i, j, k) = mode.At(i, j, k);
    }
  }
}

double LargestError(const Field& field, const Mode& mode, long n, long iterations) {
  const double scale = std::pow(mode.eigenvalue(), static_cast<double>(iterations));
  double error = 0;
  for (long i = 1; i <= n; ++i) {
    for (long j = 1; j <= n; ++j) {
      for (long k = 1; k <= n; ++k) {
        // Written so that a NaN is kept.
        const double now = std::fabs(field.At(i, j, k) - scale * mode.At(i, j, k));
        if (!(now <= error)) error = now;
      }
    }
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"naive", "blocked", "nt", nullptr};
  const KernelDoc doc = {"stencil", "points per dimension and rank", 256, 1, 40, kVariants,
                         nullptr};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const long n = kernel.n;
  const double points = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  const double flops = 8 * points;
  const double bytes = (kernel.variant == kNt && ROOFMARK_HAS_STREAMING ? 16 : 24) * points;
  double seconds, error;
  {
    const Neighbours grid(n);
    const Mode mode(grid, n);
    Field in(n), out(n);
    Fill(in, mode, n);
    Fill(out, mode, n);
    const double start = KernelStartClock();
    for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
      {
        ROOF_REGION_SCOPE("halo");
        grid.Exchange(in);
      }
      ROOF_REGION_BEGIN("stencil");
      Sweep(kernel.variant, in, out, n);
      ROOF_REGION_WORK(flops, bytes);
      ROOF_REGION_END("stencil");
      std::swap(in, out);
    }
    seconds = KernelStopClock(start);
    if (kernel.spoil && kernel.rank == kernel.ranks - 1) in.At(n, n, n) += 1;
    error = LargestError(in, mode, n, kernel.iterations);
  }
  const double visits = static_cast<double>(kernel.iterations);
  return KernelEnd(&kernel, seconds, flops * visits, bytes * visits, error, 1e-12);
}
