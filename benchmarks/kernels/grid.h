// SPDX-License-Identifier: BSD-3-Clause
//
// A periodic block of n^3 points per rank in a Cartesian arrangement of ranks, with one layer of
// halo on each side.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_GRID_H_
#define ROOFMARK_BENCHMARKS_KERNELS_GRID_H_

#include <mpi.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

// One array of the block: (n + 2)^3 doubles, the last index fastest. Memory is left untouched so
// that the threads that use it can touch it first.
class Field {
 public:
  explicit Field(long n)
      : pitch_(n + 2), values_(new double[static_cast<size_t>(pitch_ * pitch_ * pitch_)]) {}
  double* data() { return values_.get(); }
  const double* data() const { return values_.get(); }
  double& At(long i, long j, long k) { return values_[Index(i, j, k)]; }
  double At(long i, long j, long k) const { return values_[Index(i, j, k)]; }
  size_t Index(long i, long j, long k) const {
    return static_cast<size_t>((i * pitch_ + j) * pitch_ + k);
  }
  long pitch() const { return pitch_; }

 private:
  long pitch_;
  std::unique_ptr<double[]> values_;
};

// The ranks' arrangement, and the exchange of halos with the six neighbours.
class Neighbours {
 public:
  explicit Neighbours(long n) : n_(n) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 3, dims_.data());
    const int periodic[3] = {1, 1, 1};
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims_.data(), periodic, 0, &comm_);
    int rank;
    MPI_Comm_rank(comm_, &rank);
    MPI_Cart_coords(comm_, rank, 3, coords_.data());
    for (int d = 0; d < 3; ++d) face_[d] = MakeFace(d);
  }
  ~Neighbours() {
    for (MPI_Datatype& face : face_) MPI_Type_free(&face);
    MPI_Comm_free(&comm_);
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  // Fills the halo of `field`: its six faces (a 7-point stencil needs no edges).
  void Exchange(Field& field) const {
    for (int d = 0; d < 3; ++d) {
      int down, up;
      MPI_Cart_shift(comm_, d, 1, &down, &up);
      Send(field, d, n_, up, 0, down);
      Send(field, d, 1, down, n_ + 1, up);
    }
  }

  long GlobalSize(int d) const { return n_ * dims_[d]; }
  long Offset(int d) const { return n_ * coords_[d]; }

 private:
  // The n x n interior of a plane normal to dimension d, as it lies in a Field.
  MPI_Datatype MakeFace(int d) const {
    const int pitch = static_cast<int>(n_ + 2), n = static_cast<int>(n_);
    const int sizes[3] = {pitch, pitch, pitch}, starts[3] = {0, 0, 0};
    int sub[3] = {n, n, n};
    sub[d] = 1;
    MPI_Datatype face;
    MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_C, MPI_DOUBLE, &face);
    MPI_Type_commit(&face);
    return face;
  }

  double* Plane(Field& field, int d, long layer) const {
    std::array<long, 3> at = {1, 1, 1};
    at[d] = layer;
    return field.data() + field.Index(at[0], at[1], at[2]);
  }

  void Send(Field& field, int d, long from, int to_rank, long into, int from_rank) const {
    MPI_Sendrecv(Plane(field, d, from), 1, face_[d], to_rank, d, Plane(field, d, into), 1, face_[d],
                 from_rank, d, comm_, MPI_STATUS_IGNORE);
  }

  long n_;
  std::array<int, 3> dims_ = {0, 0, 0}, coords_ = {0, 0, 0};
  std::array<MPI_Datatype, 3> face_;
  MPI_Comm comm_;
};

// One period (two, three) of a cosine along a dimension of `size` points, with a phase so that no
// symmetry of the grid maps it to itself: values of points first .. first + count - 1.
inline std::vector<double> Wave(int periods, long size, long first, long count) {
  std::vector<double> wave(static_cast<size_t>(count));
  for (long i = 0; i < count; ++i) {
    const double angle =
        2 * M_PI * periods * static_cast<double>(first + i) / static_cast<double>(size);
    wave[static_cast<size_t>(i)] = std::cos(angle + 0.3 * periods);
  }
  return wave;
}

#endif  // ROOFMARK_BENCHMARKS_KERNELS_GRID_H_
