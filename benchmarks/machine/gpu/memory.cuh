// SPDX-License-Identifier: BSD-3-Clause
//
// Loads, stores and atomic operations. All arrays are full of one word (`start`), so that every
// thread can tell whether what it read is right.
#pragma once

#include "steps.cuh"

namespace roofmark::gpu {

__device__ inline uint64_t GlobalThread() {
  return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline uint64_t AllThreads() { return static_cast<uint64_t>(gridDim.x) * blockDim.x; }

#define ROOFMARK_LOAD(Name, text)                                              \
  struct Name {                                                                \
    static __device__ uint4 Do(uint64_t address) {                             \
      uint4 v;                                                                 \
      asm volatile(text ".v4.u32 {%0,%1,%2,%3}, [%4];"                         \
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                \
                   : "l"(address));                                            \
      return v;                                                                \
    }                                                                          \
    static __device__ uint64_t Next(uint64_t address) {                        \
      uint64_t next;                                                           \
      asm volatile(text ".u64 %0, [%1];" : "=l"(next) : "l"(address));         \
      return next;                                                             \
    }                                                                          \
  };
ROOFMARK_LOAD(ThroughL1, "ld.global.ca")
ROOFMARK_LOAD(ThroughL2, "ld.global.cg")
#undef ROOFMARK_LOAD

__device__ inline unsigned Wrong(const uint4& v, unsigned word) {
  return (v.x ^ word) | (v.y ^ word) | (v.z ^ word) | (v.w ^ word);
}

// `count` elements of 16 bytes, a multiple of what all threads read in one go, `iterations` times.
template <typename Load>
__device__ void Read(const Arguments& of) {
  const auto word = FromBits<unsigned>(of.start);
  const uint64_t step = AllThreads();
  unsigned wrong = 0;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 1
    for (uint64_t i = GlobalThread(); i < of.count; i += kReadsUnrolled * step) {
      uint4 v[kReadsUnrolled];
#pragma unroll
      for (unsigned k = 0; k < kReadsUnrolled; ++k) v[k] = Load::Do(of.a + 16 * (i + k * step));
#pragma unroll
      for (unsigned k = 0; k < kReadsUnrolled; ++k) wrong |= Wrong(v[k], word);
    }
  }
  Judge(of, wrong != 0);
}

// The same, but each block reads all: what one multiprocessor or the whole device has in a cache.
template <typename Load>
__device__ void ReadShared(const Arguments& of, uint64_t first) {
  const auto word = FromBits<unsigned>(of.start);
  unsigned wrong = 0;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 1
    for (uint64_t n = threadIdx.x; n < of.count; n += kReadsUnrolled * kBlockThreads) {
      uint4 v[kReadsUnrolled];
#pragma unroll
      for (unsigned k = 0; k < kReadsUnrolled; ++k) {
        uint64_t i = first + n + k * kBlockThreads;
        i -= i < of.count ? 0 : of.count;
        v[k] = Load::Do(of.a + 16 * i);
      }
#pragma unroll
      for (unsigned k = 0; k < kReadsUnrolled; ++k) wrong |= Wrong(v[k], word);
    }
  }
  Judge(of, wrong != 0);
}

__device__ inline void Copy(const Arguments& of) {
  const auto* from = reinterpret_cast<const uint4*>(of.b);
  auto* to = reinterpret_cast<uint4*>(of.a);
  const uint64_t step = AllThreads();
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 1
    for (uint64_t i = GlobalThread(); i < of.count; i += kReadsUnrolled * step) {
      uint4 v[kReadsUnrolled];
#pragma unroll
      for (unsigned k = 0; k < kReadsUnrolled; ++k) v[k] = from[i + k * step];
#pragma unroll
      for (unsigned k = 0; k < kReadsUnrolled; ++k) to[i + k * step] = v[k];
    }
  }
  Judge(of, false);
}

// a = b + x c. x is 0: a becomes what b is.
__device__ inline void Triad(const Arguments& of) {
  const auto* b = reinterpret_cast<const double2*>(of.b);
  const auto* c = reinterpret_cast<const double2*>(of.c);
  auto* a = reinterpret_cast<double2*>(of.a);
  const auto x = FromBits<double>(of.x);
  const uint64_t step = AllThreads();
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 1
    for (uint64_t i = GlobalThread(); i < of.count; i += 2 * step) {
      const double2 b0 = b[i], b1 = b[i + step], c0 = c[i], c1 = c[i + step];
      a[i] = {__fma_rn(x, c0.x, b0.x), __fma_rn(x, c0.y, b0.y)};
      a[i + step] = {__fma_rn(x, c1.x, b1.x), __fma_rn(x, c1.y, b1.y)};
    }
  }
  Judge(of, false);
}

// Every `option`-th of `count` sectors, by neighbouring lanes; count is a power of two.
__device__ inline void Strided(const Arguments& of) {
  const auto word = FromBits<unsigned>(of.start);
  unsigned wrong = 0;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 4
    for (uint64_t i = GlobalThread() * of.option; i < of.count; i += AllThreads() * of.option) {
      wrong |= *reinterpret_cast<const volatile unsigned*>(of.a + kSectorBytes * i) ^ word;
    }
  }
  Judge(of, wrong != 0);
}

// As many sectors as there are, each lane another one, in an order without sense.
__device__ inline void Random(const Arguments& of) {
  const auto word = FromBits<unsigned>(of.start);
  unsigned wrong = 0;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 4
    for (uint64_t i = GlobalThread(); i < of.count; i += AllThreads()) {
      unsigned mixed = (static_cast<unsigned>(i) + at) * 2654435761u;
      mixed = (mixed ^ (mixed >> 15)) * 2246822519u;
      mixed ^= mixed >> 13;
      const uint64_t sector = mixed & (of.count - 1);
      wrong |= *reinterpret_cast<const volatile unsigned*>(of.a + kSectorBytes * sector) ^ word;
    }
  }
  Judge(of, wrong != 0);
}

// Shared memory by words, `option` words from lane to lane.
__device__ inline void ReadSharedMemory(const Arguments& of) {
  __shared__ unsigned words[kSharedWords];
  const auto word = FromBits<unsigned>(of.start);
  for (unsigned i = threadIdx.x; i < kSharedWords; i += kBlockThreads) words[i] = word;
  __syncthreads();
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(words));
  unsigned at_word = threadIdx.x * of.option, wrong = 0;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
    const unsigned address = base + 4 * (at_word % (kSharedWords - kBlockThreads));
    unsigned v[kSharedUnroll];
#pragma unroll
    for (unsigned k = 0; k < kSharedUnroll; ++k) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(address + 4 * k));
    }
#pragma unroll
    for (unsigned k = 0; k < kSharedUnroll; ++k) wrong |= v[k] ^ word;
    at_word += kWarpThreads;
  }
  Judge(of, wrong != 0);
}

// A chain of loads: each element has the distance of the next one from the array's begin.
template <typename Load>
__device__ void Chase(const Arguments& of) {
  uint64_t at = 0;
#pragma unroll 1
  for (unsigned n = 0; n < of.iterations; ++n) {
#pragma unroll
    for (unsigned k = 0; k < kChaseUnroll; ++k) at = Load::Next(of.a + at);
  }
  Judge(of, at >= of.count);
}
__device__ inline void ChaseSharedMemory(const Arguments& of) {
  __shared__ unsigned next[kSharedWords];
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(next));
  for (unsigned i = threadIdx.x; i < kSharedWords; i += blockDim.x) {
    next[i] = base + 4 * ((i + kWarpThreads + 1) % kSharedWords);
  }
  __syncthreads();
  unsigned at = base;
#pragma unroll 1
  for (unsigned n = 0; n < of.iterations; ++n) {
#pragma unroll
    for (unsigned k = 0; k < kChaseUnroll; ++k) {
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    }
  }
  Judge(of, at - base >= 4 * kSharedWords);
}

// Adds x, which is 0, and looks at what was there. Lanes go `option` words apart; 0: all to one.
#define ROOFMARK_ATOMICS(Name, Type, out, in, text)                                        \
  __device__ inline void Name(const Arguments& of) {                                       \
    const auto start = FromBits<Type>(of.start), x = FromBits<Type>(of.x);                 \
    bool wrong = false;                                                                    \
    const uint64_t address =                                                               \
        of.a + sizeof(Type) * ((GlobalThread() * of.option) % of.count);                   \
    _Pragma("unroll 1") for (unsigned at = 0; at < of.iterations; ++at) {                  \
      Type v[kAtomicsUnrolled];                                                            \
      _Pragma("unroll") for (unsigned k = 0; k < kAtomicsUnrolled; ++k) {                  \
        asm volatile(text " %0, [%1], %2;" : out(v[k]) : "l"(address), in(x) : "memory");  \
      }                                                                                    \
      _Pragma("unroll") for (unsigned k = 0; k < kAtomicsUnrolled; ++k) {                  \
        wrong |= Differ(v[k], start);                                                      \
      }                                                                                    \
    }                                                                                      \
    Judge(of, wrong);                                                                      \
  }
ROOFMARK_ATOMICS(AtomicInt, unsigned, "=r", "r", "atom.global.add.u32")
ROOFMARK_ATOMICS(AtomicDp, double, "=d", "d", "atom.global.add.f64")
#undef ROOFMARK_ATOMICS

}  // namespace roofmark::gpu
