// SPDX-License-Identifier: BSD-3-Clause
//
// What the programs here share: errors, memory, their arguments, and what they say of themselves.
// With -DWITH_MPI (nvcc -ccbin mpicxx) they are jobs: every rank does the same work, on the device
// of its number on its node.
#ifndef ROOFMARK_BENCHMARKS_GPU_PROGRAM_CUH_
#define ROOFMARK_BENCHMARKS_GPU_PROGRAM_CUH_

#include <cuda_runtime.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <roofmark/roofmark.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Ranks of the job, and which of them this is; one without MPI. Takes the rank's device: ranks of a
// node are dealt out to its devices, which they share if there are more ranks.
class Job {
 public:
  Job([[maybe_unused]] int& argc, [[maybe_unused]] char**& argv) {
    int of_node = 0, devices = 0;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &of_node);
    MPI_Comm_free(&node);
#endif
    Check(cudaGetDeviceCount(&devices), "no device");
    Check(cudaSetDevice(of_node % devices), "cudaSetDevice");
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() {
#ifdef WITH_MPI
    MPI_Finalize();
#endif
  }

  // A line for tests/gpu/run: what a metric of the region must be, over all ranks. `of_rank`: of
  // one; `tolerance` is relative.
  void Known(const char* region, const char* metric, double of_rank, double tolerance) const {
    if (rank_ != 0) return;
    std::printf("known %s %s %.0f %g\n", region, metric, of_rank * ranks_, tolerance);
  }

 private:
  int ranks_ = 1, rank_ = 0;
};

// On the device.
template <class Element>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<Element>& from) : elements_(from.size()) {
    Check(cudaMalloc(&data_, Bytes()), "cudaMalloc");
    Check(cudaMemcpy(data_, from.data(), Bytes(), cudaMemcpyHostToDevice), "copy to the device");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  Element* data() { return data_; }
  std::vector<Element> Fetch() const {
    std::vector<Element> to(elements_);
    Check(cudaMemcpy(to.data(), data_, Bytes(), cudaMemcpyDeviceToHost), "copy to the host");
    return to;
  }

 private:
  size_t Bytes() const { return elements_ * sizeof(Element); }

  size_t elements_;
  Element* data_ = nullptr;
};

// The argument of this number, or what stands for it.
inline size_t Argument(int argc, char** argv, int number, size_t otherwise) {
  return argc > number ? std::strtoull(argv[number], nullptr, 10) : otherwise;
}

// Of the results: the program ends with another status if they are wrong.
inline void Expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  std::exit(1);
}

#endif  // ROOFMARK_BENCHMARKS_GPU_PROGRAM_CUH_
