// SPDX-License-Identifier: BSD-3-Clause
//
// gemm [N [VISITS]]: C = A B of N x N matrices in double precision, by tiles in shared memory,
// without tensor cores: N^3 FMAs. N is a multiple of the tile.
#include "program.cuh"

constexpr unsigned kTile = 16;

// One floating-point instruction, executed kTile times for each tile.
__global__ void Gemm(size_t n, const double* a, const double* b, double* c) {
  __shared__ double tile_a[kTile][kTile], tile_b[kTile][kTile];
  const size_t row = static_cast<size_t>(blockIdx.y) * kTile + threadIdx.y;
  const size_t column = static_cast<size_t>(blockIdx.x) * kTile + threadIdx.x;
  double sum = 0;
  for (size_t at = 0; at < n; at += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + at + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(at + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll 1
    for (unsigned k = 0; k < kTile; ++k) {
      sum = __fma_rn(tile_a[threadIdx.y][k], tile_b[k][threadIdx.x], sum);
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, 2048), visits = Argument(argc, argv, 2, 3);
  Expect(n > 0 && n % kTile == 0, "N is no multiple of 16");
  DeviceArray<double> a(std::vector<double>(n * n, 2)), b(std::vector<double>(n * n, 0.5)),
      c(std::vector<double>(n * n, 0));
  const auto tiles = static_cast<unsigned>(n / kTile);
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("gemm");
    Gemm<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(n, a.data(), b.data(), c.data());
    ROOF_REGION_END("gemm");
  }
  Check(cudaDeviceSynchronize(), "gemm");
  ROOF_REGION_BEGIN("fetch");
  const std::vector<double> result = c.Fetch();
  ROOF_REGION_END("fetch");
  for (const double value : result) Expect(value == static_cast<double>(n), "gemm");
  const double size = static_cast<double>(n), times = static_cast<double>(visits);
  const double fmas = size * size * size * times;
  job.Known("gemm", "kernels", times, 0);
  job.Known("gemm", "flops_dp_fma", 2 * fmas, 0);
  job.Known("gemm", "flops_dp_add", 0, 0);
  job.Known("gemm", "flops_dp_mul", 0, 0);
  job.Known("gemm", "global_bytes", 2 * 8 * fmas / kTile + 8 * size * size * times, 0);
  job.Known("fetch", "to_host_bytes", 8 * size * size, 0);
}
