// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/kernel_table.h"

namespace roofmark::gpu {
namespace {

constexpr uint32_t kAllInstructions = 128, kHalf = 64, kSlow = 8, kProducts = 16;
// FLOPs of one thread: a product of matrices is 2 m n k, and a warp's.
constexpr double OfWarp(double m, double n, double k) { return 2 * m * n * k / 32 * kProducts; }
// The same of four warps, 64 rows by 128 columns.
constexpr double OfGroup(double k) { return 2.0 * 64 * 128 * k / 128 * kProducts; }

constexpr uint64_t kDpOne = 0x3ff0000000000000, kDpHalf = 0x3fe0000000000000,
                   kDpThree = 0x4008000000000000, kDpThreeHalves = 0x3ff8000000000000;
constexpr uint64_t kSpOne = 0x3f800000, kSpHalf = 0x3f000000, kSpThree = 0x40400000,
                   kSpThreeHalves = 0x3fc00000;
constexpr uint64_t kHpOne = 0x3c003c00, kHpHalf = 0x38003800;      // two numbers
constexpr uint64_t kBf16One = 0x3f803f80, kBf16Half = 0x3f003f00;  // two numbers
constexpr uint64_t kMinusTwo = 0xfffffffe;
constexpr char kFlops[] = "GFLOP/s", kOperations[] = "Gop/s";

constexpr ArithmeticKernel kArithmetic[] = {
    {"dp_fma_8", "compute.dp.fma", "double, FMA", kFlops, "fma.rn.f64", "", kAllInstructions,
     2 * kAllInstructions, kDpOne, kDpHalf, kDpHalf, 80, true},
    {"dp_fma_4", "compute.dp.fma_4_chains", "double, FMA, 4 chains a thread", kFlops, "fma.rn.f64",
     "", 64, 128, kDpOne, kDpHalf, kDpHalf, 80, true},
    {"dp_fma_2", "compute.dp.fma_2_chains", "double, FMA, 2 chains a thread", kFlops, "fma.rn.f64",
     "", 32, 64, kDpOne, kDpHalf, kDpHalf, 80, true},
    {"dp_fma_1", "compute.dp.fma_1_chain", "double, FMA, 1 chain a thread", kFlops, "fma.rn.f64",
     "", 16, 32, kDpOne, kDpHalf, kDpHalf, 80, true},
    {"dp_add", "compute.dp.add", "double, additions", kFlops, "add.rn.f64", "", kAllInstructions,
     kAllInstructions, kDpOne, 0, 0},
    {"dp_mul", "compute.dp.mul", "double, multiplications", kFlops, "mul.rn.f64", "",
     kAllInstructions, kAllInstructions, kDpOne, kDpOne, 0},
    {"dp_muladd", "compute.dp.muladd", "double, not fused", kFlops, "mul.rn.f64", "add.rn.f64",
     kHalf, kAllInstructions, kDpOne, kDpHalf, kDpHalf},
    {"dp_div", "compute.dp.div", "double, divisions", kFlops, "div.rn.f64", "", kSlow, kSlow,
     kDpThreeHalves, kDpThree, 0},
    {"dp_sqrt", "compute.dp.sqrt", "double, square roots", kFlops, "sqrt.rn.f64", "", kSlow, kSlow,
     kDpOne, 0, 0},
    {"sp_fma_8", "compute.sp.fma", "single, FMA", kFlops, "fma.rn.f32", "", kAllInstructions,
     2 * kAllInstructions, kSpOne, kSpHalf, kSpHalf, 80, true},
    {"sp_fma_4", "compute.sp.fma_4_chains", "single, FMA, 4 chains a thread", kFlops, "fma.rn.f32",
     "", 64, 128, kSpOne, kSpHalf, kSpHalf, 80, true},
    {"sp_fma_2", "compute.sp.fma_2_chains", "single, FMA, 2 chains a thread", kFlops, "fma.rn.f32",
     "", 32, 64, kSpOne, kSpHalf, kSpHalf, 80, true},
    {"sp_fma_1", "compute.sp.fma_1_chain", "single, FMA, 1 chain a thread", kFlops, "fma.rn.f32",
     "", 16, 32, kSpOne, kSpHalf, kSpHalf, 80, true},
    {"sp_add", "compute.sp.add", "single, additions", kFlops, "add.rn.f32", "", kAllInstructions,
     kAllInstructions, kSpOne, 0, 0},
    {"sp_mul", "compute.sp.mul", "single, multiplications", kFlops, "mul.rn.f32", "",
     kAllInstructions, kAllInstructions, kSpOne, kSpOne, 0},
    {"sp_muladd", "compute.sp.muladd", "single, not fused", kFlops, "mul.rn.f32", "add.rn.f32",
     kHalf, kAllInstructions, kSpOne, kSpHalf, kSpHalf},
    {"sp_div", "compute.sp.div", "single, divisions", kFlops, "div.rn.f32", "", kSlow, kSlow,
     kSpThreeHalves, kSpThree, 0},
    {"sp_sqrt", "compute.sp.sqrt", "single, square roots", kFlops, "sqrt.rn.f32", "", kSlow, kSlow,
     kSpOne, 0, 0},
    {"sp_ways", "divergence.sp", "single, FMA, lanes go {} ways", kFlops, "fma.rn.f32", "",
     kAllInstructions, 2 * kAllInstructions, kSpOne, kSpHalf, kSpHalf, 80, false, true},
    {"hp_fma", "compute.hp.fma", "half, FMA", kFlops, "fma.rn.f16x2", "", kAllInstructions,
     4 * kAllInstructions, kHpOne, kHpHalf, kHpHalf},
    {"hp_add", "compute.hp.add", "half, additions", kFlops, "add.rn.f16x2", "", kAllInstructions,
     2 * kAllInstructions, kHpOne, 0, 0},
    {"hp_mul", "compute.hp.mul", "half, multiplications", kFlops, "mul.rn.f16x2", "",
     kAllInstructions, 2 * kAllInstructions, kHpOne, kHpOne, 0},
    {"hp_muladd", "compute.hp.muladd", "half, not fused", kFlops, "mul.rn.f16x2", "add.rn.f16x2",
     kHalf, 2 * kAllInstructions, kHpOne, kHpHalf, kHpHalf},
    {"bf16_fma", "compute.bf16.fma", "bfloat16, FMA", kFlops, "fma.rn.bf16x2", "", kAllInstructions,
     4 * kAllInstructions, kBf16One, kBf16Half, kBf16Half},
    {"bf16_muladd", "compute.bf16.muladd", "bfloat16, not fused", kFlops, "mul.rn.bf16x2",
     "add.rn.bf16x2", kHalf, 2 * kAllInstructions, kBf16One, kBf16Half, kBf16Half, 90},
    {"int_mad", "integer.mad", "32-bit multiply-adds", kOperations, "mad.lo.u32", "",
     kAllInstructions, kAllInstructions, 1, 3, kMinusTwo},
    {"int_addxor", "integer.addxor", "32-bit additions, logical operations", kOperations, "add.u32",
     "xor.b32", kHalf, kAllInstructions, 5, 3, 13},
    // The rows of B that follow each other, as `x` and `y` hold them, are 1 and -1.
    {"tensor_dp", "tensor.dp", "tensor cores, double", kFlops,
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "", kProducts, OfWarp(8, 8, 4), kDpOne,
     kDpOne, kDpOne | uint64_t{1} << 63},
    {"tensor_tf32", "tensor.tf32", "tensor cores, TF32", kFlops,
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "", kProducts, OfWarp(16, 8, 8), kSpOne,
     kSpOne, kSpOne | uint64_t{1} << 31},
    {"tensor_hp", "tensor.hp", "tensor cores, half", kFlops,
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "", kProducts, OfWarp(16, 8, 16), kHpOne,
     0xbc003c00, 0xbc003c00},
    {"tensor_bf16", "tensor.bf16", "tensor cores, bfloat16", kFlops,
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "", kProducts, OfWarp(16, 8, 16),
     kBf16One, 0xbf803f80, 0xbf803f80},
    {"tensor_fp8", "tensor.fp8", "tensor cores, FP8 (E4M3)", kFlops,
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "", kProducts, OfWarp(16, 8, 32),
     0x38383838, 0xb838b838, 0xb838b838, 89, false, false, true},
    {"tensor_int8", "tensor.int8", "tensor cores, 8-bit integers", kOperations,
     "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "", kProducts, OfWarp(16, 8, 32),
     0x01010101, 0xff01ff01, 0xff01ff01},
    // Ones and, as `x`, minus ones.
    {"wgmma_tf32", "tensor.tf32.wgmma", "tensor cores, TF32, wgmma", kFlops,
     "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32", "", kProducts, OfGroup(8), kSpOne,
     kSpOne | uint64_t{1} << 31, 0, 90, false, false, true},
    {"wgmma_hp", "tensor.hp.wgmma", "tensor cores, half, wgmma", kFlops,
     "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", "", kProducts, OfGroup(16), kHpOne,
     0xbc00bc00, 0, 90, false, false, true},
    {"wgmma_bf16", "tensor.bf16.wgmma", "tensor cores, bfloat16, wgmma", kFlops,
     "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", "", kProducts, OfGroup(16), kBf16One,
     0xbf80bf80, 0, 90, false, false, true},
    {"wgmma_fp8", "tensor.fp8.wgmma", "tensor cores, FP8 (E4M3), wgmma", kFlops,
     "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3", "", kProducts, OfGroup(32),
     0x38383838, 0xb8b8b8b8, 0, 90, false, false, true},
    {"wgmma_int8", "tensor.int8.wgmma", "tensor cores, 8-bit integers, wgmma", kOperations,
     "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8", "", kProducts, OfGroup(32), 0x01010101,
     0xffffffff, 0, 90, false, false, true},
};

}  // namespace

std::span<const ArithmeticKernel> ArithmeticKernels() { return kArithmetic; }

}  // namespace roofmark::gpu
