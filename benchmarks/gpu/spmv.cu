// SPDX-License-Identifier: BSD-3-Clause
//
// spmv [N [VISITS]]: y = A x, A in compressed sparse rows of doubles with 32-bit columns: each of
// the N^3 points of a periodic grid is coupled to itself and its 26 neighbours. A row belongs to
// one thread, so that neighbouring lanes read values 216 bytes apart: most of a sector is wasted at
// once. 2 FLOPs and 20 bytes for each non-zero.
//
// Check: A is the product of (1/4, 1/2, 1/4) in each direction, of which a product of cosines is an
// eigenvector with the eigenvalue prod (1 + cos k) / 2.
#include <cmath>
#include <cstdint>

#include "program.cuh"

constexpr unsigned kThreads = 256;
constexpr size_t kNeighbours = 27;

// One floating-point instruction, executed once for each non-zero.
__global__ void Spmv(size_t rows, const int32_t* begin, const int32_t* column, const double* value,
                     const double* x, double* y) {
  const size_t row = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  const int32_t end = begin[row + 1];
#pragma unroll 1
  for (int32_t at = begin[row]; at < end; ++at) sum = __fma_rn(value[at], x[column[at]], sum);
  y[row] = sum;
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, 128), visits = Argument(argc, argv, 2, 10);
  Expect(n >= 3 && n <= 400, "N is not between 3 and 400");
  const size_t rows = n * n * n;
  std::vector<int32_t> begin(rows + 1), column(rows * kNeighbours);
  std::vector<double> value(rows * kNeighbours), wave(n), x(rows);
  const double k = 2 * std::acos(-1.0) / static_cast<double>(n);
  for (size_t i = 0; i < n; ++i) wave[i] = std::cos(k * static_cast<double>(i));
  const double weight[] = {0.25, 0.5, 0.25};
  for (size_t row = 0, at = 0; row < rows; ++row) {
    const size_t place[] = {row % n, row / n % n, row / n / n};
    x[row] = wave[place[0]] * wave[place[1]] * wave[place[2]];
    for (size_t near = 0; near < kNeighbours; ++near, ++at) {
      const size_t step[] = {near % 3, near / 3 % 3, near / 9};
      const auto beside = [&](int d) { return (place[d] + n - 1 + step[d]) % n; };
      column[at] = static_cast<int32_t>(beside(0) + n * (beside(1) + n * beside(2)));
      value[at] = weight[step[0]] * weight[step[1]] * weight[step[2]];
    }
    begin[row + 1] = static_cast<int32_t>(at);
  }
  DeviceArray<int32_t> begins(begin), columns(column);
  DeviceArray<double> values(value), in(x), out(std::vector<double>(rows, 0));
  const auto blocks = static_cast<unsigned>((rows + kThreads - 1) / kThreads);
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("spmv");
    Spmv<<<blocks, kThreads>>>(rows, begins.data(), columns.data(), values.data(), in.data(),
                               out.data());
    ROOF_REGION_END("spmv");
  }
  Check(cudaDeviceSynchronize(), "spmv");
  const double eigenvalue = std::pow((1 + std::cos(k)) / 2, 3);
  const std::vector<double> result = out.Fetch();
  for (size_t i = 0; i < rows; ++i) {
    Expect(std::abs(result[i] - eigenvalue * x[i]) < 1e-12, "spmv");
  }
  const double all = static_cast<double>(rows) * static_cast<double>(visits);
  const double non_zeros = all * kNeighbours;
  job.Known("spmv", "kernels", static_cast<double>(visits), 0);
  job.Known("spmv", "flops_dp_fma", 2 * non_zeros, 0);
  job.Known("spmv", "flops_dp_add", 0, 0);
  job.Known("spmv", "flops_dp_mul", 0, 0);
  job.Known("spmv", "global_bytes", 20 * non_zeros + 16 * all, 0);
}
