// SPDX-License-Identifier: BSD-3-Clause
//
// dgemm [N [VISITS]]: C = A B of N x N matrices in double precision by cuBLAS, which takes tensor
// cores where the device has such: 2 N^3 FLOPs, on whatever units, and a few to scale C.
#include <cublas_v2.h>

#include "program.cuh"

void CheckBlas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", what, cublasGetStatusString(status));
  std::exit(1);
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t n = Argument(argc, argv, 1, 4096), visits = Argument(argc, argv, 2, 3);
  Expect(n >= 1024 && n <= 32768 && n % 256 == 0, "N is no multiple of 256 from 1024 to 32768");
  DeviceArray<double> a(std::vector<double>(n * n, 2)), b(std::vector<double>(n * n, 0.5)),
      c(std::vector<double>(n * n, 0));
  cublasHandle_t blas = nullptr;
  CheckBlas(cublasCreate(&blas), "cublasCreate");
  const int size = static_cast<int>(n);
  const double one = 1, zero = 0;
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("dgemm");
    CheckBlas(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, a.data(), size,
                          b.data(), size, &zero, c.data(), size),
              "cublasDgemm");
    ROOF_REGION_END("dgemm");
  }
  Check(cudaDeviceSynchronize(), "dgemm");
  const std::vector<double> result = c.Fetch();
  for (const double value : result) Expect(value == static_cast<double>(n), "dgemm");
  CheckBlas(cublasDestroy(blas), "cublasDestroy");
  const double wide = static_cast<double>(n), times = static_cast<double>(visits);
  job.Known("dgemm", "flops_tensor_dp+flops_dp_fma+flops_dp_mul+flops_dp_add",
            2 * wide * wide * wide * times, 0.005);
}
