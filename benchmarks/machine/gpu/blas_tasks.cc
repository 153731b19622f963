// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "benchmarks/machine/gpu/product.h"
#include "benchmarks/machine/gpu/task.h"
#include "lib/model/device_peaks.h"

namespace roofmark::gpu {
namespace {

constexpr char kFlopRate[] = "GFLOP/s", kOperationRate[] = "Gop/s";
constexpr uint32_t kMostRows = 8192;
constexpr double kOne = 1;
// Both words of the number are the same: the device is filled with words.
constexpr double kAlmostOne = 1 + 0x3ff00000p-52;

constexpr ProductKind kKinds[] = {
    {"tensor.dp.cublas", "cuBLAS, double", kFlopRate, kReal64, kReal64, kIn64, 8, 0x3ff00000,
     kAlmostOne, 80},
    {"compute.sp.fma.cublas", "cuBLAS, single", kFlopRate, kReal32, kReal32, kIn32, 4, 0x3f800000,
     kOne, 80},
    {"tensor.tf32.cublas", "cuBLAS, single as TF32", kFlopRate, kReal32, kReal32, kInTf32, 4,
     0x3f800000, kOne, 80},
    {"tensor.hp.cublas", "cuBLAS, half", kFlopRate, kReal16, kReal32, kIn32, 2, 0x3c003c00, kOne,
     80},
    {"tensor.bf16.cublas", "cuBLAS, bfloat16", kFlopRate, kBf16, kReal32, kIn32, 2, 0x3f803f80,
     kOne, 80},
    {"tensor.fp8.cublas", "cuBLAS, FP8 (E4M3)", kFlopRate, kFp8, kReal32, kIn32, 1, 0x38383838,
     kOne, 89},
    {"tensor.int8.cublas", "cuBLAS, 8-bit integers", kOperationRate, kInt8, kInt32, kInInt32, 1,
     0x01010101, kOne, 80},
};

// As large as a quarter of what is free allows; without addresses where the session failed.
ProductMemory MakeMemory(Session& session) {
  constexpr uint64_t kMatrices = 3, kParts = 4;
  const uint64_t room = session.FreeBytes() / kParts;
  ProductMemory memory;
  memory.n = kMostRows;
  const auto bytes = [&memory] { return uint64_t{memory.n} * memory.n * sizeof(double); };
  while (kMatrices * bytes() > room && memory.n > 1) memory.n /= 2;
  for (uint64_t* matrix : {&memory.a, &memory.b, &memory.d}) *matrix = session.Allocate(bytes());
  memory.workspace = session.Allocate(BlasOnDevice::kWorkspaceBytes);
  return memory;
}

Task ProductTask(const ProductKind& kind, uint32_t n, std::shared_ptr<const Product> product) {
  constexpr uint32_t kMostProducts = 1024;
  Task task;
  task.id = kind.id;
  task.label = kind.label;
  task.unit = kind.unit;
  task.amount = 2.0 * n * n * n;
  task.most_iterations = kMostProducts;
  task.prepare = [product](Session& on) { return product->FillOperands(on); };
  task.enqueue = [product](Session&, uint32_t iterations, std::string& wrong) {
    for (uint32_t i = 0; i < iterations; ++i) {
      if (!product->Multiply(wrong)) return false;
    }
    return true;
  };
  task.check = [product = std::move(product)](Session& on, std::string& wrong) {
    return product->Check(on, wrong);
  };
  return task;
}

// A device with few lanes for double precision would take a second for the largest.
ProductMemory RoomFor(const ProductKind& kind, const DeviceProperties& properties,
                      ProductMemory memory) {
  constexpr uint32_t kMostOfFewLanes = 2048;
  const bool few_lanes = kind.results == kReal64 && DataSheetOf(kind.id, properties) <= 0;
  if (few_lanes) memory.n = std::min(memory.n, kMostOfFewLanes);
  return memory;
}

}  // namespace

void AddBlas(Session& session, std::vector<Task>& tasks, std::vector<std::string>& left_out) {
  const auto blas = BlasOnDevice::Open(session.driver());
  if (!blas) {
    left_out.push_back(fmt::format("no second opinion by cuBLAS: {}", blas.error()));
    return;
  }
  const ProductMemory memory = MakeMemory(session);
  if (!session.Ok()) return;
  const DeviceProperties& properties = session.described().properties;
  for (const ProductKind& kind : kKinds) {
    if (10 * properties.major + properties.minor < kind.least_capability) continue;
    const ProductMemory room = RoomFor(kind, properties, memory);
    auto product = Product::Make(*blas, kind, room);
    if (product) {
      tasks.push_back(ProductTask(kind, room.n, std::move(*product)));
    } else {
      left_out.push_back(fmt::format("{}: {}", kind.id, product.error()));
    }
  }
}

}  // namespace roofmark::gpu
