// SPDX-License-Identifier: BSD-3-Clause
//
// reduction [ELEMENTS [VISITS]]: the sum of doubles. Each thread adds up its elements, each block
// its threads in a tree of which half of the threads, a quarter, ... take part.
#include "program.cuh"

constexpr unsigned kThreads = 256, kBlocks = 1024;

// Two floating-point instructions: of the elements, and of the tree.
__global__ void Sum(size_t n, const double* x, double* sums) {
  __shared__ double of_block[kThreads];
  double sum = 0;
  const size_t step = static_cast<size_t>(kBlocks) * kThreads;
#pragma unroll 1
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += step) {
    sum = __dadd_rn(sum, x[i]);
  }
  of_block[threadIdx.x] = sum;
#pragma unroll 1
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      of_block[threadIdx.x] = __dadd_rn(of_block[threadIdx.x], of_block[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = of_block[0];
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, size_t{1} << 27), visits = Argument(argc, argv, 2, 10);
  DeviceArray<double> x(std::vector<double>(n, 1)), sums(std::vector<double>(kBlocks, 0));
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("reduction");
    Sum<<<kBlocks, kThreads>>>(n, x.data(), sums.data());
    ROOF_REGION_END("reduction");
  }
  Check(cudaDeviceSynchronize(), "reduction");
  double sum = 0;
  for (const double of_block : sums.Fetch()) sum += of_block;
  Expect(sum == static_cast<double>(n), "reduction");
  const double elements = static_cast<double>(n), times = static_cast<double>(visits);
  job.Known("reduction", "kernels", times, 0);
  job.Known("reduction", "flops_dp_add", (elements + kBlocks * (kThreads - 1.0)) * times, 0);
  job.Known("reduction", "flops_dp_mul", 0, 0);
  job.Known("reduction", "flops_dp_fma", 0, 0);
  job.Known("reduction", "global_bytes", 8 * (elements + kBlocks) * times, 0);
  job.Known("reduction", "dram_read_bytes", 8 * elements * times, 0.03);
}
