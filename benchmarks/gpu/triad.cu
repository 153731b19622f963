// SPDX-License-Identifier: BSD-3-Clause
//
// triad [ELEMENTS [VISITS]]: a = b + s c in double precision, one FMA and 24 bytes for each
// element. Nothing is read twice, and stores fill whole sectors, so that L2 fetches nothing for
// them.
#include "program.cuh"

// The kernel has one floating-point instruction: tests/gpu/ptx_test.py counts.
__global__ void Triad(size_t n, double s, const double* b, const double* c, double* a) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = __fma_rn(s, c[i], b[i]);
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, size_t{1} << 26), visits = Argument(argc, argv, 2, 10);
  constexpr unsigned kThreads = 256;
  DeviceArray<double> a(std::vector<double>(n, 0)), b(std::vector<double>(n, 1)),
      c(std::vector<double>(n, 2));
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("triad");
    Triad<<<blocks, kThreads>>>(n, 3, b.data(), c.data(), a.data());
    ROOF_REGION_END("triad");
  }
  Check(cudaDeviceSynchronize(), "triad");
  for (const double value : a.Fetch()) Expect(value == 7, "triad");
  const double elements = static_cast<double>(n) * static_cast<double>(visits);
  job.Known("triad", "kernels", static_cast<double>(visits), 0);
  job.Known("triad", "flops_dp_fma", 2 * elements, 0);
  job.Known("triad", "flops_dp_add", 0, 0);
  job.Known("triad", "flops_dp_mul", 0, 0);
  job.Known("triad", "flops_sp_fma", 0, 0);
  job.Known("triad", "global_bytes", 24 * elements, 0);
  job.Known("triad", "dram_read_bytes", 16 * elements, 0.03);
  job.Known("triad", "dram_write_bytes", 8 * elements, 0.03);
}
