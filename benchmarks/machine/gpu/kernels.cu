// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels that `roofmark machine --gpu` executes, for each architecture and as PTX for those to
// come. kernel_table.cc says what one iteration of each does; machine_gpu_claims_test holds that
// against the PTX.
#include "memory.cuh"
#include "steps.cuh"
#include "tensor.cuh"
#include "wgmma.cuh"

using roofmark::gpu::Arguments;
using roofmark::gpu::kBlockThreads;

#define ROOFMARK_KERNEL(name, ...)                                                       \
  extern "C" __global__ void __launch_bounds__(kBlockThreads) name(const Arguments of) { \
    using namespace roofmark::gpu;                                                       \
    __VA_ARGS__;                                                                         \
  }

ROOFMARK_KERNEL(dp_fma_1, Compute<DpFma, 1, 16>(of))
ROOFMARK_KERNEL(dp_fma_2, Compute<DpFma, 2, 16>(of))
ROOFMARK_KERNEL(dp_fma_4, Compute<DpFma, 4, 16>(of))
ROOFMARK_KERNEL(dp_fma_8, Compute<DpFma, 8, 16>(of))
ROOFMARK_KERNEL(dp_add, Compute<DpAdd, 8, 16>(of))
ROOFMARK_KERNEL(dp_mul, Compute<DpMul, 8, 16>(of))
ROOFMARK_KERNEL(dp_muladd, Compute<DpMulAdd, 8, 8>(of))
ROOFMARK_KERNEL(dp_div, Compute<DpDiv, 4, 2>(of))
ROOFMARK_KERNEL(dp_sqrt, Compute<DpSqrt, 4, 2>(of))
ROOFMARK_KERNEL(sp_fma_1, Compute<SpFma, 1, 16>(of))
ROOFMARK_KERNEL(sp_fma_2, Compute<SpFma, 2, 16>(of))
ROOFMARK_KERNEL(sp_fma_4, Compute<SpFma, 4, 16>(of))
ROOFMARK_KERNEL(sp_fma_8, Compute<SpFma, 8, 16>(of))
ROOFMARK_KERNEL(sp_add, Compute<SpAdd, 8, 16>(of))
ROOFMARK_KERNEL(sp_mul, Compute<SpMul, 8, 16>(of))
ROOFMARK_KERNEL(sp_muladd, Compute<SpMulAdd, 8, 8>(of))
ROOFMARK_KERNEL(sp_div, Compute<SpDiv, 4, 2>(of))
ROOFMARK_KERNEL(sp_sqrt, Compute<SpSqrt, 4, 2>(of))
ROOFMARK_KERNEL(hp_fma, Compute<HpFma, 8, 16>(of))
ROOFMARK_KERNEL(hp_add, Compute<HpAdd, 8, 16>(of))
ROOFMARK_KERNEL(hp_mul, Compute<HpMul, 8, 16>(of))
ROOFMARK_KERNEL(hp_muladd, Compute<HpMulAdd, 8, 8>(of))
ROOFMARK_KERNEL(bf16_fma, Compute<BfFma, 8, 16>(of))
ROOFMARK_KERNEL(int_mad, Compute<IntMad, 8, 16>(of))
ROOFMARK_KERNEL(int_addxor, Compute<IntAddXor, 8, 8>(of))
ROOFMARK_KERNEL(sp_ways, Diverge<SpFma, 8, 16>(of))
ROOFMARK_KERNEL(tensor_dp, MultiplyDp<4, 4>(of))
ROOFMARK_KERNEL(tensor_hp, Multiply<MmaHp, 4, 4>(of))
ROOFMARK_KERNEL(tensor_bf16, Multiply<MmaBf16, 4, 4>(of))
ROOFMARK_KERNEL(tensor_tf32, Multiply<MmaTf32, 4, 4>(of))
ROOFMARK_KERNEL(tensor_int8, Multiply<MmaInt8, 4, 4>(of))
// For newer ones than 8.9 compilers make products in half precision of it, and of these, as A and B
// do not change, no more than two.
#if __CUDA_ARCH__ == 890
ROOFMARK_KERNEL(tensor_fp8, Multiply<MmaFp8, 4, 4>(of))
#endif
// What an architecture does not have is not there.
#if __CUDA_ARCH__ >= 900
ROOFMARK_KERNEL(bf16_muladd, Compute<BfMulAdd, 8, 8>(of))
#endif

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
ROOFMARK_KERNEL(wgmma_hp, MultiplyInShared<WgmmaHp, 16>(of))
ROOFMARK_KERNEL(wgmma_bf16, MultiplyInShared<WgmmaBf16, 16>(of))
ROOFMARK_KERNEL(wgmma_tf32, MultiplyInShared<WgmmaTf32, 16>(of))
ROOFMARK_KERNEL(wgmma_fp8, MultiplyInShared<WgmmaFp8, 16>(of))
ROOFMARK_KERNEL(wgmma_int8, MultiplyInShared<WgmmaInt8, 16>(of))
#endif

ROOFMARK_KERNEL(read, Read<ThroughL2>(of))
ROOFMARK_KERNEL(copy, Copy(of))
ROOFMARK_KERNEL(triad, Triad(of))
ROOFMARK_KERNEL(read_l2, ReadShared<ThroughL2>(of, of.count * blockIdx.x / gridDim.x))
ROOFMARK_KERNEL(read_l1, ReadShared<ThroughL1>(of, 0))
ROOFMARK_KERNEL(read_shared, ReadSharedMemory(of))
ROOFMARK_KERNEL(strided, Strided(of))
ROOFMARK_KERNEL(random_sectors, Random(of))
ROOFMARK_KERNEL(atomic_int, AtomicInt(of))
ROOFMARK_KERNEL(atomic_dp, AtomicDp(of))
ROOFMARK_KERNEL(chase_l1, Chase<ThroughL1>(of))
ROOFMARK_KERNEL(chase, Chase<ThroughL2>(of))
ROOFMARK_KERNEL(chase_shared, ChaseSharedMemory(of))
ROOFMARK_KERNEL(nothing, (void)of)
