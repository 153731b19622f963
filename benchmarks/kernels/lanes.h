// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors for the kernels that write them out, by GCC's and Clang's extension, so that the same
// source serves every instruction set.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_LANES_H_
#define ROOFMARK_BENCHMARKS_KERNELS_LANES_H_

template <typename T, int Count>
struct LanesOf {
  typedef T Type __attribute__((vector_size(Count * sizeof(T))));
  // As it lies in an array of T.
  typedef T InArray __attribute__((vector_size(Count * sizeof(T)), aligned(alignof(T)), may_alias));
};
template <typename T>
struct LanesOf<T, 1> {
  using Type = T;
  using InArray = T;
};
template <typename T, int Count>
using Lanes = typename LanesOf<T, Count>::Type;

// From and to any address of a T. Not by memcpy, which GCC splits into halves on AVX.
template <int Count, typename T>
[[gnu::always_inline]] inline Lanes<T, Count> LoadLanes(const T* from) {
  return *reinterpret_cast<const typename LanesOf<T, Count>::InArray*>(from);
}
template <int Count, typename T>
[[gnu::always_inline]] inline void StoreLanes(T* to, Lanes<T, Count> lanes) {
  *reinterpret_cast<typename LanesOf<T, Count>::InArray*>(to) = lanes;
}

#endif  // ROOFMARK_BENCHMARKS_KERNELS_LANES_H_
