// SPDX-License-Identifier: BSD-3-Clause
//
// What the programs of benchmarks/gpu use of CUDA, executed on the host by a plain C++ compiler, so
// that their results and the FLOPs that they claim are checked where there is no device. Blocks
// are executed one after the other, and so are their threads; with EMULATE_FIBERS each thread has a
// stack of its own, and goes on behind __syncthreads() when all others have come there. What a
// device does differently, such as its caches and divergence, is not here.
#ifndef ROOFMARK_TESTS_GPU_HOST_CUDA_RUNTIME_H_
#define ROOFMARK_TESTS_GPU_HOST_CUDA_RUNTIME_H_

#include <ucontext.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __shared__ static

struct dim3 {
  dim3(unsigned x_, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  unsigned x, y, z;
};
struct double2 {
  double x, y;
};
inline dim3 threadIdx(0, 0, 0), blockIdx(0, 0, 0), blockDim(1);

namespace emulated {

// Printed at the end, for tests/gpu/emulated_test.py.
struct Executed {
  double adds = 0, muls = 0, fmas = 0, kernels = 0;
  ~Executed() {
    std::printf("executed flops_dp_add %.0f\nexecuted flops_dp_mul %.0f\n", adds, muls);
    std::printf("executed flops_dp_fma %.0f\nexecuted kernels %.0f\n", 2 * fmas, kernels);
  }
};
inline Executed executed;

#ifdef EMULATE_FIBERS
constexpr size_t kStackBytes = 64 * 1024;
struct Fiber {
  ucontext_t context;
  dim3 index{0, 0, 0};
  bool ended = false;
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
};
inline ucontext_t scheduler;
inline Fiber* running = nullptr;
inline const std::function<void()>* kernel = nullptr;

inline void Begin() {
  (*kernel)();
  running->ended = true;
}

inline void ExecuteBlock(dim3 threads, const std::function<void()>& of_thread) {
  std::vector<Fiber> fibers(threads.x * threads.y);
  kernel = &of_thread;
  for (unsigned i = 0; i < fibers.size(); ++i) {
    Fiber& fiber = fibers[i];
    fiber.index = dim3(i % threads.x, i / threads.x, 0);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, Begin, 0);
  }
  for (bool more = true; more;) {  // from one barrier to the next
    more = false;
    for (Fiber& fiber : fibers) {
      if (fiber.ended) continue;
      running = &fiber;
      threadIdx = fiber.index;
      swapcontext(&scheduler, &fiber.context);
      more = more || !fiber.ended;
    }
  }
}
#else
inline void ExecuteBlock(dim3 threads, const std::function<void()>& of_thread) {
  for (threadIdx.y = 0; threadIdx.y < threads.y; ++threadIdx.y) {
    for (threadIdx.x = 0; threadIdx.x < threads.x; ++threadIdx.x) of_thread();
  }
}
#endif

inline void Launch(dim3 blocks, dim3 threads, const std::function<void()>& of_thread) {
  ++executed.kernels;
  blockDim = threads;
  for (blockIdx.y = 0; blockIdx.y < blocks.y; ++blockIdx.y) {
    for (blockIdx.x = 0; blockIdx.x < blocks.x; ++blockIdx.x) ExecuteBlock(threads, of_thread);
  }
}

}  // namespace emulated

#ifdef EMULATE_FIBERS
inline void __syncthreads() { swapcontext(&emulated::running->context, &emulated::scheduler); }
#endif
inline double __dadd_rn(double a, double b) { return ++emulated::executed.adds, a + b; }
inline double __dsub_rn(double a, double b) { return ++emulated::executed.adds, a - b; }
inline double __dmul_rn(double a, double b) { return ++emulated::executed.muls, a * b; }
inline double __fma_rn(double a, double b, double c) {
  return ++emulated::executed.fmas, std::fma(a, b, c);
}

using cudaError_t = int;
inline constexpr cudaError_t cudaSuccess = 0;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
inline const char* cudaGetErrorString(cudaError_t) { return "no memory"; }
template <class Element>
cudaError_t cudaMalloc(Element** data, size_t bytes) {
  *data = static_cast<Element*>(std::malloc(bytes));
  return *data == nullptr ? 1 : cudaSuccess;
}
inline cudaError_t cudaFree(void* data) { return std::free(data), cudaSuccess; }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  return std::memcpy(to, from, bytes), cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int* devices) { return *devices = 1, cudaSuccess; }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }

#endif  // ROOFMARK_TESTS_GPU_HOST_CUDA_RUNTIME_H_
