// SPDX-License-Identifier: BSD-3-Clause
#include "tests/benchmarks/machine/gpu/stand_in.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "benchmarks/machine/gpu/arguments.h"
#include "benchmarks/machine/gpu/driver.h"

namespace roofmark::gpu {
struct ContextRecord {};
struct ModuleRecord {};
struct FunctionRecord {
  std::string name;
};
struct EventRecord {
  double at = 0;
};
struct NvmlRecord {};
struct BlasRecord {};
struct BlasWishRecord {};
struct BlasProductRecord {
  int results = 0;
  bool first_transposed = false;
};
struct BlasMatrixRecord {
  int type = 0;
  uint64_t rows = 0;
};
}  // namespace roofmark::gpu

namespace gpu_stand_in {
namespace {

namespace gpu = roofmark::gpu;

constexpr size_t kFreeBytes = 64 << 20;
constexpr int kSharedOfAll = 228 * 1024, kSharedOfOne = 227 * 1024, kReserved = 1024;

struct World {
  Script script;
  std::map<std::string, int> calls;
  std::map<std::string, gpu::FunctionRecord> functions;
  gpu::ContextRecord context;
  gpu::ModuleRecord module;
  gpu::NvmlRecord nvml, instance;
  gpu::BlasRecord blas;
  double now = 0;
  int open = 0;
};
World& TheWorld() {
  static World* world = new World;
  return *world;
}

int Called(const char* function) {
  World& world = TheWorld();
  const int n = ++world.calls[function];
  const auto failure = world.script.failures.find(function);
  if (failure == world.script.failures.end()) return 0;
  const auto from = world.script.from.find(function);
  return from != world.script.from.end() && n < from->second ? 0 : failure->second;
}

void Copy(size_t bytes) {
  TheWorld().now += std::max(kLeastCopyNs, kCopyNsOfByte * static_cast<double>(bytes));
}

// The first number of a matrix, of those whose type the host has; all others are ones.
double FirstOf(uint64_t matrix, int type) {
  if (type == gpu::kReal64) return *reinterpret_cast<const double*>(matrix);
  return type == gpu::kReal32 ? *reinterpret_cast<const float*>(matrix) : 1;
}

// At both ends, which are what is looked at.
template <class T>
void WriteEnds(uint64_t matrix, uint64_t count, double number) {
  constexpr uint64_t kEnd = 4096 / sizeof(T);
  auto* numbers = reinterpret_cast<T*>(matrix);
  std::fill_n(numbers, kEnd, static_cast<T>(number));
  std::fill_n(numbers + count - kEnd, kEnd, static_cast<T>(number));
  if (TheWorld().script.wrong_product) numbers[count - 1] += 1;
}

void Judge(const std::string& name, unsigned blocks, const gpu::Arguments& of) {
  if (of.verdict == 0) return;
  auto* verdict = reinterpret_cast<uint32_t*>(of.verdict);
  const Script& script = TheWorld().script;
  verdict[0] += script.wrong.count(name) > 0 ? 1 : 0;
  verdict[1] += blocks - (script.unfinished.count(name) > 0 ? 1 : 0);
}

}  // namespace

void Reset(const Script& script) {
  World& world = TheWorld();
  world = World();
  world.script = script;
}
int Open() { return TheWorld().open; }
int Calls(const std::string& function) { return TheWorld().calls[function]; }

}  // namespace gpu_stand_in

using gpu_stand_in::Called;
using gpu_stand_in::TheWorld;
namespace gpu = roofmark::gpu;

constexpr int kNotSupported = 3, kNotFound = 6;  // of NVML

#define FUNCTION(name, ...) extern "C" __attribute__((visibility("default"))) int name(__VA_ARGS__)
#define BEGIN(name) \
  if (const int result = Called(#name); result != 0) return result

FUNCTION(cuInit, unsigned) { return Called("cuInit"); }
FUNCTION(cuGetErrorName, int, const char** name) {
  *name = "CUDA_ERROR_OF_TEST";
  return 0;
}
FUNCTION(cuDeviceGetCount, int* count) {
  *count = TheWorld().script.devices;
  return Called("cuDeviceGetCount");
}
FUNCTION(cuDeviceGet, gpu::Device* device, int index) {
  *device = index;
  return Called("cuDeviceGet");
}
FUNCTION(cuDeviceGetName, char* name, int bytes, gpu::Device) {
  std::strncpy(name, TheWorld().script.name, static_cast<size_t>(bytes));
  return Called("cuDeviceGetName");
}
FUNCTION(cuDeviceGetUuid_v2, unsigned char* uuid, gpu::Device device) {
  for (int i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>(16 * device + i);
  return Called("cuDeviceGetUuid_v2");
}
FUNCTION(cuDeviceGetAttribute, int* value, int attribute, gpu::Device) {
  const std::map<int, int> values = {{gpu::kClockRate, 2000000},
                                     {gpu::kMultiprocessorCount, gpu_stand_in::kMultiprocessors},
                                     {gpu::kMemoryClockRate, 1000000},
                                     {gpu::kMemoryBusWidth, 1024},
                                     {gpu::kL2Bytes, 4 << 20},
                                     {gpu::kThreadsOfMultiprocessor, 2048},
                                     {gpu::kCapabilityMajor, TheWorld().script.major},
                                     {gpu::kCapabilityMinor, TheWorld().script.minor},
                                     {gpu::kSharedOfMultiprocessor, gpu_stand_in::kSharedOfAll},
                                     {gpu::kSharedOfBlock, gpu_stand_in::kSharedOfOne}};
  const auto at = values.find(attribute);
  if (at == values.end()) return 1;
  *value = at->second;
  return Called("cuDeviceGetAttribute");
}
FUNCTION(cuDeviceTotalMem_v2, size_t* bytes, gpu::Device) {
  *bytes = 2 * gpu_stand_in::kFreeBytes;
  return Called("cuDeviceTotalMem_v2");
}
FUNCTION(cuDevicePrimaryCtxRetain, gpu::Context* context, gpu::Device) {
  BEGIN(cuDevicePrimaryCtxRetain);
  *context = &TheWorld().context;
  ++TheWorld().open;
  return 0;
}
FUNCTION(cuDevicePrimaryCtxRelease_v2, gpu::Device) {
  --TheWorld().open;
  return Called("cuDevicePrimaryCtxRelease_v2");
}
FUNCTION(cuCtxSetCurrent, gpu::Context) { return Called("cuCtxSetCurrent"); }
FUNCTION(cuCtxSynchronize, ) { return Called("cuCtxSynchronize"); }
FUNCTION(cuMemGetInfo_v2, size_t* free, size_t* total) {
  *free = gpu_stand_in::kFreeBytes;
  *total = 2 * gpu_stand_in::kFreeBytes;
  return Called("cuMemGetInfo_v2");
}
FUNCTION(cuModuleLoadData, gpu::Module* module, const void*) {
  BEGIN(cuModuleLoadData);
  *module = &TheWorld().module;
  ++TheWorld().open;
  return 0;
}
FUNCTION(cuModuleUnload, gpu::Module) {
  --TheWorld().open;
  return 0;
}
FUNCTION(cuModuleGetFunction, gpu::Function* function, gpu::Module, const char* name) {
  BEGIN(cuModuleGetFunction);
  if (TheWorld().script.no_kernel.count(name) > 0) return 500;
  auto& record = TheWorld().functions[name];
  record.name = name;
  *function = &record;
  return 0;
}
FUNCTION(cuFuncSetAttribute, gpu::Function, int, int) { return Called("cuFuncSetAttribute"); }
FUNCTION(cuOccupancyMaxActiveBlocksPerMultiprocessor, int* blocks, gpu::Function, int,
         size_t shared) {
  const int of_shared =
      gpu_stand_in::kSharedOfAll / (static_cast<int>(shared) + gpu_stand_in::kReserved);
  *blocks = std::min(TheWorld().script.most_blocks, of_shared);
  return Called("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}
FUNCTION(cuMemAlloc_v2, uint64_t* address, size_t bytes) {
  BEGIN(cuMemAlloc_v2);
  *address = reinterpret_cast<uint64_t>(std::calloc(bytes, 1));
  ++TheWorld().open;
  return 0;
}
FUNCTION(cuMemFree_v2, uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
  --TheWorld().open;
  return 0;
}
FUNCTION(cuMemHostAlloc, void** memory, size_t bytes, unsigned) {
  BEGIN(cuMemHostAlloc);
  *memory = std::calloc(bytes, 1);
  ++TheWorld().open;
  return 0;
}
FUNCTION(cuMemFreeHost, void* memory) {
  std::free(memory);
  --TheWorld().open;
  return 0;
}
FUNCTION(cuMemsetD32_v2, uint64_t address, unsigned word, size_t count) {
  BEGIN(cuMemsetD32_v2);
  std::fill_n(reinterpret_cast<uint32_t*>(address), count, word);
  return 0;
}
FUNCTION(cuMemcpyHtoDAsync_v2, uint64_t to, const void* from, size_t bytes, gpu::Stream) {
  BEGIN(cuMemcpyHtoDAsync_v2);
  std::memcpy(reinterpret_cast<void*>(to), from, std::min(bytes, size_t{4096}));
  gpu_stand_in::Copy(bytes);
  return 0;
}
FUNCTION(cuMemcpyDtoHAsync_v2, void* to, uint64_t from, size_t bytes, gpu::Stream) {
  BEGIN(cuMemcpyDtoHAsync_v2);
  std::memcpy(to, reinterpret_cast<const void*>(from), std::min(bytes, size_t{4096}));
  gpu_stand_in::Copy(bytes);
  return 0;
}
FUNCTION(cuDeviceCanAccessPeer, int* reaches, gpu::Device, gpu::Device) {
  *reaches = TheWorld().script.reaches ? 1 : 0;
  return Called("cuDeviceCanAccessPeer");
}
FUNCTION(cuCtxEnablePeerAccess, gpu::Context, unsigned) { return Called("cuCtxEnablePeerAccess"); }
FUNCTION(cuMemcpyPeerAsync, uint64_t to, gpu::Context, uint64_t from, gpu::Context, size_t bytes,
         gpu::Stream) {
  BEGIN(cuMemcpyPeerAsync);
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  TheWorld().now += gpu_stand_in::kPeerNsOfByte * static_cast<double>(bytes);
  return 0;
}
FUNCTION(cuLaunchKernel, gpu::Function function, unsigned blocks, unsigned, unsigned, unsigned,
         unsigned, unsigned, unsigned, gpu::Stream, void** parameters, void**) {
  BEGIN(cuLaunchKernel);
  gpu::Arguments of;
  std::memcpy(&of, parameters[0], sizeof of);
  gpu_stand_in::Judge(function->name, blocks, of);
  TheWorld().now +=
      of.iterations == 0 ? gpu_stand_in::kLaunchNs : gpu_stand_in::kIterationNs * of.iterations;
  return 0;
}
FUNCTION(cuEventCreate, gpu::Event* event, unsigned) {
  BEGIN(cuEventCreate);
  *event = new gpu::EventRecord;
  ++TheWorld().open;
  return 0;
}
FUNCTION(cuEventDestroy_v2, gpu::Event event) {
  delete event;
  --TheWorld().open;
  return 0;
}
FUNCTION(cuEventRecord, gpu::Event event, gpu::Stream) {
  event->at = TheWorld().now;
  return Called("cuEventRecord");
}
FUNCTION(cuEventSynchronize, gpu::Event) { return Called("cuEventSynchronize"); }
FUNCTION(cuEventElapsedTime, float* milliseconds, gpu::Event begin, gpu::Event end) {
  *milliseconds = static_cast<float>((end->at - begin->at) * 1e-6);
  return Called("cuEventElapsedTime");
}
FUNCTION(nvmlInit_v2, ) { return Called("nvmlInit_v2"); }
FUNCTION(nvmlShutdown, ) { return Called("nvmlShutdown"); }
FUNCTION(nvmlDeviceGetHandleByUUID, const char* uuid, gpu::NvmlDevice* device) {
  BEGIN(nvmlDeviceGetHandleByUUID);
  auto& world = TheWorld();
  const bool is_instance = std::string(world.script.name).find(" MIG ") != std::string::npos;
  if (std::string(uuid).rfind(is_instance ? "MIG-" : "GPU-", 0) != 0) return kNotFound;
  *device = is_instance ? &world.instance : &world.nvml;
  return 0;
}
FUNCTION(nvmlDeviceGetDeviceHandleFromMigDeviceHandle, gpu::NvmlDevice instance,
         gpu::NvmlDevice* device) {
  BEGIN(nvmlDeviceGetDeviceHandleFromMigDeviceHandle);
  if (instance != &TheWorld().instance) return kNotSupported;
  *device = &TheWorld().nvml;
  return 0;
}
FUNCTION(nvmlDeviceGetP2PStatus, gpu::NvmlDevice, gpu::NvmlDevice, int, int* status) {
  *status = TheWorld().script.nvlink ? 0 : 5;
  return Called("nvmlDeviceGetP2PStatus");
}
FUNCTION(nvmlDeviceGetClockInfo, gpu::NvmlDevice device, int, unsigned* megahertz) {
  if (device != &TheWorld().nvml) return kNotSupported;
  *megahertz = gpu_stand_in::kMegahertz;
  return Called("nvmlDeviceGetClockInfo");
}
FUNCTION(nvmlDeviceGetPowerUsage, gpu::NvmlDevice device, unsigned* milliwatts) {
  if (device != &TheWorld().nvml) return kNotSupported;
  *milliwatts = 1000 * gpu_stand_in::kWatts;
  return Called("nvmlDeviceGetPowerUsage");
}
FUNCTION(nvmlDeviceGetEnforcedPowerLimit, gpu::NvmlDevice device, unsigned* milliwatts) {
  if (device != &TheWorld().nvml) return kNotSupported;
  *milliwatts = 700000;
  return Called("nvmlDeviceGetEnforcedPowerLimit");
}
FUNCTION(nvmlSystemGetDriverVersion, char* version, unsigned bytes) {
  std::strncpy(version, "580.1", bytes);
  return Called("nvmlSystemGetDriverVersion");
}

FUNCTION(cublasLtCreate, gpu::Blas* blas) {
  BEGIN(cublasLtCreate);
  *blas = &TheWorld().blas;
  ++TheWorld().open;
  return 0;
}
FUNCTION(cublasLtDestroy, gpu::Blas) {
  --TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatmulDescCreate, gpu::BlasProduct* product, int, int results) {
  BEGIN(cublasLtMatmulDescCreate);
  *product = new gpu::BlasProductRecord{results};
  ++TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatmulDescSetAttribute, gpu::BlasProduct product, int attribute, const void* value,
         size_t) {
  BEGIN(cublasLtMatmulDescSetAttribute);
  product->first_transposed =
      attribute == gpu::kFirstTransposed && *static_cast<const int*>(value) == gpu::kTransposed;
  return 0;
}
FUNCTION(cublasLtMatmulDescDestroy, gpu::BlasProduct product) {
  delete product;
  --TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatrixLayoutCreate, gpu::BlasMatrix* matrix, int type, uint64_t rows, uint64_t,
         int64_t) {
  BEGIN(cublasLtMatrixLayoutCreate);
  *matrix = new gpu::BlasMatrixRecord{type, rows};
  ++TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatrixLayoutDestroy, gpu::BlasMatrix matrix) {
  delete matrix;
  --TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatmulPreferenceCreate, gpu::BlasWish* wish) {
  BEGIN(cublasLtMatmulPreferenceCreate);
  *wish = new gpu::BlasWishRecord;
  ++TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatmulPreferenceSetAttribute, gpu::BlasWish, int, const void*, size_t) {
  return Called("cublasLtMatmulPreferenceSetAttribute");
}
FUNCTION(cublasLtMatmulPreferenceDestroy, gpu::BlasWish wish) {
  delete wish;
  --TheWorld().open;
  return 0;
}
FUNCTION(cublasLtMatmulAlgoGetHeuristic, gpu::Blas, gpu::BlasProduct product, gpu::BlasMatrix a,
         gpu::BlasMatrix, gpu::BlasMatrix, gpu::BlasMatrix, gpu::BlasWish, int,
         gpu::BlasChoice* choice, int* found) {
  BEGIN(cublasLtMatmulAlgoGetHeuristic);
  const bool none = TheWorld().script.no_product.count(a->type) > 0;
  *found = none || !product->first_transposed ? 0 : 1;
  *choice = {};
  return 0;
}
FUNCTION(cublasLtMatmul, gpu::Blas, gpu::BlasProduct product, const void*, uint64_t a,
         gpu::BlasMatrix of, uint64_t b, gpu::BlasMatrix, const void*, uint64_t, gpu::BlasMatrix,
         uint64_t d, gpu::BlasMatrix, const gpu::BlasAlgorithm*, uint64_t, size_t, gpu::Stream) {
  BEGIN(cublasLtMatmul);
  const uint64_t n = of->rows;
  const auto size = static_cast<double>(n);
  const double number =
      size * gpu_stand_in::FirstOf(a, of->type) * gpu_stand_in::FirstOf(b, of->type);
  if (product->results == gpu::kReal64) {
    gpu_stand_in::WriteEnds<double>(d, n * n, number);
  } else if (product->results == gpu::kInt32) {
    gpu_stand_in::WriteEnds<int32_t>(d, n * n, number);
  } else {
    gpu_stand_in::WriteEnds<float>(d, n * n, number);
  }
  TheWorld().now += 2 * size * size * size / gpu_stand_in::kBlasFlopsOfNs;
  return 0;
}
