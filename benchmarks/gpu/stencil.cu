// SPDX-License-Identifier: BSD-3-Clause
//
// stencil [N [VISITS]]: a 7-point heat stencil on a periodic grid of N^3 points, N a power of two
// from 32 on: 8 FLOPs and 64 bytes of loads and stores for each point, of which 16 come from and go
// to memory where three planes stay in L2.
//
// Check: a product of cosines is an eigenvector with the eigenvalue c + 2 s (cos kx + cos ky +
// cos kz), so the field after any number of steps is known.
#include <cmath>

#include "program.cuh"

constexpr double kCentre = 0.4, kSide = 0.1;
constexpr unsigned kThreads = 256;

// Five additions, a multiplication and an FMA.
__global__ void Stencil(unsigned bits, const double* in, double* out) {
  const unsigned at = blockIdx.x * kThreads + threadIdx.x;
  const unsigned row = 1u << bits, last = row - 1;
  const unsigned x = at & last, y = (at >> bits) & last, z = at >> (2 * bits);
  const unsigned plane = z << (2 * bits), line = plane + (y << bits);
  const unsigned below = (((z - 1) & last) << (2 * bits)) + (y << bits) + x;
  const unsigned above = (((z + 1) & last) << (2 * bits)) + (y << bits) + x;
  double sum = __dadd_rn(in[line + ((x - 1) & last)], in[line + ((x + 1) & last)]);
  sum = __dadd_rn(sum, in[plane + (((y - 1) & last) << bits) + x]);
  sum = __dadd_rn(sum, in[plane + (((y + 1) & last) << bits) + x]);
  sum = __dadd_rn(sum, in[below]);
  sum = __dadd_rn(sum, in[above]);
  out[at] = __fma_rn(kSide, sum, __dmul_rn(kCentre, in[at]));
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, 256), visits = Argument(argc, argv, 2, 10);
  unsigned bits = 5;
  while (size_t{1} << bits < n && bits < 10) ++bits;
  Expect(size_t{1} << bits == n, "N is no power of two from 32 to 1024");
  const double k = 2 * std::acos(-1.0) / static_cast<double>(n);
  std::vector<double> wave(n);
  for (size_t i = 0; i < n; ++i) wave[i] = std::cos(k * static_cast<double>(i));
  const size_t points = n * n * n;
  std::vector<double> field(points);
  for (size_t i = 0; i < points; ++i) {
    field[i] = wave[i % n] * wave[i / n % n] * wave[i / n / n];
  }
  DeviceArray<double> one(field), other(field);
  double eigenvalue = 1;
  for (size_t visit = 0; visit < visits; ++visit) {
    const double* in = visit % 2 == 0 ? one.data() : other.data();
    double* out = visit % 2 == 0 ? other.data() : one.data();
    ROOF_REGION_BEGIN("stencil");
    Stencil<<<static_cast<unsigned>(points / kThreads), kThreads>>>(bits, in, out);
    ROOF_REGION_END("stencil");
    eigenvalue *= kCentre + 2 * kSide * 3 * std::cos(k);
  }
  Check(cudaDeviceSynchronize(), "stencil");
  const std::vector<double> result = (visits % 2 == 0 ? one : other).Fetch();
  for (size_t i = 0; i < points; ++i) {
    Expect(std::abs(result[i] - eigenvalue * field[i]) < 1e-12, "stencil");
  }
  const double all = static_cast<double>(points) * static_cast<double>(visits);
  job.Known("stencil", "kernels", static_cast<double>(visits), 0);
  job.Known("stencil", "flops_dp_add", 5 * all, 0);
  job.Known("stencil", "flops_dp_mul", all, 0);
  job.Known("stencil", "flops_dp_fma", 2 * all, 0);
  job.Known("stencil", "global_bytes", 64 * all, 0);
  job.Known("stencil", "dram_write_bytes", 8 * all, 0.03);
}
