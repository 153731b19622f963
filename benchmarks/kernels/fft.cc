// SPDX-License-Identifier: BSD-3-Clause
//
// Three-dimensional complex FFT in place, n^3 points in slabs over the ranks; FFTW does the
// transforms along lines. Dimension by dimension: x and y within the slab, a transposition so that
// each rank has all of z for some y, then z. FLOPs are counted canonically as 5 n log2 n a line;
// what FFTW does is about two thirds of it.
//
// A pass over a box far larger than the caches reads and writes each point once, 32 bytes. "passes"
// makes three of them: 15 log2(n) / 96 = 1.09 FLOP/byte for 128^3 and 1.41 for 512^3. "planes"
// finishes x and y while a plane is in the cache, so two: 1.64 for 128^3 (Williams et al. 2008,
// section 6.3.4).
//
// Check: the box holds a few plane waves, whose transform is known.
#include <fftw3.h>
#include <mpi.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <roofmark/roofmark.hpp>
#include <vector>

#include "benchmarks/kernels/kernel.h"

namespace {

using Complex = std::complex<double>;
enum Variant { kPasses, kPlanes };
constexpr long kPerLine = 4;  // points in a cache line

template <typename T>
struct Free {
  void operator()(T* memory) const { std::free(memory); }
};
using Points = std::unique_ptr<Complex[], Free<Complex>>;
Points NewPoints(long count) {
  void* memory = std::aligned_alloc(64, static_cast<size_t>(count) * sizeof(Complex));
  if (memory == nullptr) std::abort();
  return Points(static_cast<Complex*>(memory));
}

// `planes` of `rows` of n points. Rows and planes lie an odd number of cache lines apart, so that
// a line across them does not fall into one cache set.
class Box {
 public:
  Box(long planes, long rows, long n)
      : planes_(planes), rows_(rows), n_(n), row_(n + kPerLine), plane_(rows * row_ + kPerLine) {
    points_ = NewPoints(planes * plane_);
  }
  Complex* At(long plane, long row) { return points_.get() + plane * plane_ + row * row_; }
  long planes() const { return planes_; }
  long rows() const { return rows_; }
  long n() const { return n_; }
  long RowPitch() const { return row_; }
  long PlanePitch() const { return plane_; }

 private:
  long planes_, rows_, n_, row_, plane_;
  Points points_;
};

fftw_complex* AsFftw(Complex* points) { return reinterpret_cast<fftw_complex*>(points); }

// Transforms of lines of n points, one at a time in place or kPerLine across rows or planes
// through a buffer. Plans are made by estimate, so that every run executes the same FLOPs.
class Transforms {
 public:
  explicit Transforms(long n) : n_(n) {
    const Points buffer = NewPoints(kPerLine * n);
    one_ = Plan(1, buffer.get());
    several_ = Plan(static_cast<int>(kPerLine), buffer.get());
  }
  ~Transforms() {
    fftw_destroy_plan(one_);
    fftw_destroy_plan(several_);
    fftw_cleanup();
  }
  Transforms(const Transforms&) = delete;
  Transforms& operator=(const Transforms&) = delete;

  void Along(Complex* row) const { fftw_execute_dft(one_, AsFftw(row), AsFftw(row)); }
  // The kPerLine neighbouring lines through first[i * pitch], i < n. Whole cache lines are read at
  // once and written at once.
  void Across(Complex* first, long pitch, Complex* buffer) const {
    for (long i = 0; i < n_; ++i) {
      for (long k = 0; k < kPerLine; ++k) buffer[k * n_ + i] = first[i * pitch + k];
    }
    fftw_execute_dft(several_, AsFftw(buffer), AsFftw(buffer));
    for (long i = 0; i < n_; ++i) {
      for (long k = 0; k < kPerLine; ++k) first[i * pitch + k] = buffer[k * n_ + i];
    }
  }
  Points NewBuffer() const { return NewPoints(kPerLine * n_); }

 private:
  fftw_plan Plan(int count, Complex* at) const {
    const int n = static_cast<int>(n_);
    return fftw_plan_many_dft(1, &n, count, AsFftw(at), nullptr, 1, n, AsFftw(at), nullptr, 1, n,
                              FFTW_FORWARD, FFTW_ESTIMATE);
  }
  long n_;
  fftw_plan one_, several_;
};

// The declared work of `dimensions` of them in one pass over the box.
void DeclareWork(const Box& box, int dimensions) {
  const double points = static_cast<double>(box.planes() * box.rows() * box.n());
  ROOF_REGION_WORK(5 * points * std::log2(static_cast<double>(box.n())) * dimensions, 32 * points);
}

void TransformX(Box& box, const Transforms& transforms) {
  ROOF_REGION_SCOPE("x");
#pragma omp parallel for schedule(static)
  for (long z = 0; z < box.planes(); ++z) {
    for (long y = 0; y < box.rows(); ++y) transforms.Along(box.At(z, y));
  }
  DeclareWork(box, 1);
}

void TransformPlaneY(Box& box, long z, const Transforms& transforms, Complex* buffer) {
  for (long x = 0; x < box.n(); x += kPerLine) {
    transforms.Across(box.At(z, 0) + x, box.RowPitch(), buffer);
  }
}

void TransformY(Box& box, const Transforms& transforms) {
  ROOF_REGION_SCOPE("y");
#pragma omp parallel
  {
    const Points buffer = transforms.NewBuffer();
#pragma omp for schedule(static)
    for (long z = 0; z < box.planes(); ++z) TransformPlaneY(box, z, transforms, buffer.get());
  }
  DeclareWork(box, 1);
}

void TransformXY(Box& box, const Transforms& transforms) {
  ROOF_REGION_SCOPE("xy");
#pragma omp parallel
  {
    const Points buffer = transforms.NewBuffer();
#pragma omp for schedule(static)
    for (long z = 0; z < box.planes(); ++z) {
      for (long y = 0; y < box.rows(); ++y) transforms.Along(box.At(z, y));
      TransformPlaneY(box, z, transforms, buffer.get());
    }
  }
  DeclareWork(box, 2);
}

void TransformZ(Box& box, const Transforms& transforms) {
  ROOF_REGION_SCOPE("z");
#pragma omp parallel
  {
    const Points buffer = transforms.NewBuffer();
#pragma omp for schedule(static)
    for (long y = 0; y < box.rows(); ++y) {
      for (long x = 0; x < box.n(); x += kPerLine) {
        transforms.Across(box.At(0, y) + x, box.PlanePitch(), buffer.get());
      }
    }
  }
  DeclareWork(box, 1);
}

// `planes` x `rows` x n points of a box, as a datatype.
MPI_Datatype BlockType(const Box& box, long planes, long rows) {
  const auto bytes = [](long points) { return points * static_cast<long>(sizeof(Complex)); };
  MPI_Datatype plane, block;
  MPI_Type_create_hvector(static_cast<int>(rows), static_cast<int>(2 * box.n()),
                          bytes(box.RowPitch()), MPI_DOUBLE, &plane);
  MPI_Type_create_hvector(static_cast<int>(planes), 1, bytes(box.PlanePitch()), plane, &block);
  MPI_Type_commit(&block);
  MPI_Type_free(&plane);
  return block;
}

// From some planes of all rows to all planes of some rows.
void Transpose(Box& from, Box& to, int ranks) {
  ROOF_REGION_SCOPE("transpose");
  const auto count = static_cast<size_t>(ranks);
  const std::vector<int> ones(count, 1);
  std::vector<int> from_at(count), to_at(count);
  for (int q = 0; q < ranks; ++q) {
    const auto size = static_cast<long>(sizeof(Complex));
    from_at[static_cast<size_t>(q)] =
        static_cast<int>((from.At(0, q * to.rows()) - from.At(0, 0)) * size);
    to_at[static_cast<size_t>(q)] =
        static_cast<int>((to.At(q * from.planes(), 0) - to.At(0, 0)) * size);
  }
  MPI_Datatype out = BlockType(from, from.planes(), to.rows());
  MPI_Datatype in = BlockType(to, from.planes(), to.rows());
  const std::vector<MPI_Datatype> outs(count, out), ins(count, in);
  MPI_Alltoallw(from.At(0, 0), ones.data(), from_at.data(), outs.data(), to.At(0, 0), ones.data(),
                to_at.data(), ins.data(), MPI_COMM_WORLD);
  MPI_Type_free(&out);
  MPI_Type_free(&in);
}

// A sum of plane waves exp(2 pi i k x / n) with different amplitudes.
class Waves {
 public:
  explicit Waves(long n) : n_(n) {
    const long k[kCount][3] = {{1, 2, 3}, {n - 2, 0, n / 2}, {n / 2 - 1, n - 3, 1}};
    for (int m = 0; m < kCount; ++m) {
      for (int d = 0; d < 3; ++d) waves_[m][d] = OneWave(k[m][d]);
      for (int d = 0; d < 3; ++d) k_[m][d] = k[m][d];
    }
  }
  Complex At(long x, long y, long z) const {
    Complex sum = 0;
    for (int m = 0; m < kCount; ++m) {
      sum += Amplitude(m) * waves_[m][0][static_cast<size_t>(x)] *
             waves_[m][1][static_cast<size_t>(y)] * waves_[m][2][static_cast<size_t>(z)];
    }
    return sum;
  }
  // Over n^3.
  Complex TransformAt(long x, long y, long z) const {
    Complex sum = 0;
    for (int m = 0; m < kCount; ++m) {
      if (k_[m][0] == x && k_[m][1] == y && k_[m][2] == z) sum += Amplitude(m);
    }
    return sum;
  }

 private:
  static constexpr int kCount = 3;
  static Complex Amplitude(int m) { return {1.0 + m, 0.5 - m}; }
  std::vector<Complex> OneWave(long k) const {
    std::vector<Complex> wave(static_cast<size_t>(n_));
    for (long i = 0; i < n_; ++i) {
      const double angle = 2 * M_PI * static_cast<double>(k * i % n_) / static_cast<double>(n_);
      wave[static_cast<size_t>(i)] = {std::cos(angle), std::sin(angle)};
    }
    return wave;
  }
  long n_;
  std::array<std::array<std::vector<Complex>, 3>, kCount> waves_;
  std::array<std::array<long, 3>, kCount> k_;
};

void Fill(Box& box, const Waves& waves, long first_plane) {
#pragma omp parallel for schedule(static)
  for (long z = 0; z < box.planes(); ++z) {
    for (long y = 0; y < box.rows(); ++y) {
      for (long x = 0; x < box.n(); ++x) box.At(z, y)[x] = waves.At(x, y, first_plane + z);
    }
  }
}

double LargestError(Box& box, const Waves& waves, long first_row) {
  const double n = static_cast<double>(box.n()), scale = 1 / (n * n * n);
  double error = 0;
  for (long z = 0; z < box.planes(); ++z) {
    for (long y = 0; y < box.rows(); ++y) {
      for (long x = 0; x < box.n(); ++x) {
        const double now =
            std::abs(box.At(z, y)[x] * scale - waves.TransformAt(x, first_row + y, z));
        if (!(now <= error)) error = now;  // keeps a NaN
      }
    }
  }
  return error;
}

// `in` is filled, `out` holds the result: all planes of some rows. One rank has one box.
void Transform(Box& in, Box& out, const Transforms& transforms, const Kernel& kernel) {
  ROOF_REGION_SCOPE("fft");
  if (kernel.variant == kPlanes) {
    TransformXY(in, transforms);
  } else {
    TransformX(in, transforms);
    TransformY(in, transforms);
  }
  if (&in != &out) Transpose(in, out, kernel.ranks);
  TransformZ(out, transforms);
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"passes", "planes", nullptr};
  const KernelDoc doc = {
      "fft",  "points per dimension, of all ranks together, a multiple of 8", 128, 8, 5, kVariants,
      nullptr};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const long n = kernel.n, share = n / kernel.ranks;
  if (n % kernel.ranks != 0) KernelRefuse(&kernel, "--n must be a multiple of the number of ranks");
  const Transforms transforms(n);
  const Waves waves(n);
  Box in(share, n, n);
  std::unique_ptr<Box> other;
  if (kernel.ranks > 1) other = std::make_unique<Box>(n, share, n);
  Box& out = other ? *other : in;
  double seconds = 0;
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    Fill(in, waves, share * kernel.rank);
    const double start = KernelStartClock();
    Transform(in, out, transforms, kernel);
    seconds += KernelStopClock(start);
  }
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) {
    out.At(n - 1, share - 1)[n - 1] += std::pow(static_cast<double>(n), 3);
  }
  const double error = LargestError(out, waves, share * kernel.rank);
  const double points = static_cast<double>(n * n * share * kernel.iterations);
  return KernelEnd(&kernel, seconds, 15 * points * std::log2(static_cast<double>(n)),
                   (kernel.variant == kPlanes ? 64 : 96) * points, error, 1e-13);
}
