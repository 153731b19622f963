// SPDX-License-Identifier: BSD-3-Clause
//
// What the programs here share: errors, memory, their arguments, and what they say of themselves.
#ifndef ROOFMARK_BENCHMARKS_GPU_PROGRAM_CUH_
#define ROOFMARK_BENCHMARKS_GPU_PROGRAM_CUH_

#include <cuda_runtime.h>
#include <roofmark/roofmark.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Doubles on the device.
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<double>& from) : elements_(from.size()) {
    Check(cudaMalloc(&data_, Bytes()), "cudaMalloc");
    Check(cudaMemcpy(data_, from.data(), Bytes(), cudaMemcpyHostToDevice), "copy to the device");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  double* data() { return data_; }
  std::vector<double> Fetch() const {
    std::vector<double> to(elements_);
    Check(cudaMemcpy(to.data(), data_, Bytes(), cudaMemcpyDeviceToHost), "copy to the host");
    return to;
  }

 private:
  size_t Bytes() const { return elements_ * sizeof(double); }

  size_t elements_;
  double* data_ = nullptr;
};

// The argument of this number, or what stands for it.
inline size_t Argument(int argc, char** argv, int number, size_t otherwise) {
  return argc > number ? std::strtoull(argv[number], nullptr, 10) : otherwise;
}

// A line for tests/gpu/run: what a metric of the region must be. `tolerance` is relative.
inline void Known(const char* region, const char* metric, double value, double tolerance) {
  std::printf("known %s %s %.0f %g\n", region, metric, value, tolerance);
}

// Of the results: the program ends with another status if they are wrong.
inline void Expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  std::exit(1);
}

#endif  // ROOFMARK_BENCHMARKS_GPU_PROGRAM_CUH_
