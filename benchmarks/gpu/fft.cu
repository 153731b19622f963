// SPDX-License-Identifier: BSD-3-Clause
//
// fft [N [VISITS]]: complex transforms of N^3 doubles by cuFFT, forward and back. What cuFFT
// executes is its own: the region declares 5 M log2 M FLOPs for each transform of M numbers, as the
// 2018 paper counts.
//
// Check: the transform of one plane wave is one number; back and forth is M times the wave.
#include <cufft.h>

#include <cmath>

#include "program.cuh"

void CheckPlan(cufftResult result, const char* what) {
  if (result == CUFFT_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d of cuFFT\n", what, static_cast<int>(result));
  std::exit(1);
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, 256), visits = Argument(argc, argv, 2, 10);
  Expect(n >= 4 && n <= 1024, "N is not between 4 and 1024");
  const size_t points = n * n * n;
  const double k = 2 * std::acos(-1.0) / static_cast<double>(n);
  std::vector<double2> wave(points);
  for (size_t i = 0; i < points; ++i) {  // numbers 1, 2 and 3 of the three directions
    const double phase = k * static_cast<double>((i % n + 2 * (i / n % n) + 3 * (i / n / n)) % n);
    wave[i] = {std::cos(phase), std::sin(phase)};
  }
  DeviceArray<double2> field(wave);
  cufftHandle plan = 0;
  const int size = static_cast<int>(n);
  CheckPlan(cufftPlan3d(&plan, size, size, size, CUFFT_Z2Z), "cufftPlan3d");
  auto* data = reinterpret_cast<cufftDoubleComplex*>(field.data());
  const double all = static_cast<double>(points);
  const double flops = 5 * all * std::log2(all);
  ROOF_REGION_BEGIN("forward");
  CheckPlan(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD), "forward");
  ROOF_REGION_WORK(flops, 32 * all);
  ROOF_REGION_END("forward");
  ROOF_REGION_BEGIN("fetch");
  const std::vector<double2> modes = field.Fetch();
  ROOF_REGION_END("fetch");
  const size_t mode = 1 + n * (2 + n * 3);
  for (size_t i = 0; i < points; ++i) {
    const double wanted = i == mode ? all : 0;
    Expect(std::hypot(modes[i].x - wanted, modes[i].y) < 1e-12 * all, "forward");
  }
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("fft");
    CheckPlan(cufftExecZ2Z(plan, data, data, CUFFT_INVERSE), "back");
    CheckPlan(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD), "forward");
    ROOF_REGION_WORK(2 * flops, 64 * all);
    ROOF_REGION_END("fft");
  }
  Check(cudaDeviceSynchronize(), "fft");
  const double grown = std::pow(all, static_cast<double>(visits));
  const double2 last = field.Fetch()[mode];
  Expect(std::hypot(last.x / grown - all, last.y / grown) < 1e-9 * all, "back and forth");
  cufftDestroy(plan);
  job.Known("fetch", "to_host_bytes", 16 * all, 0);
}
