// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/device_uuid.h"

namespace roofmark::gpu {
namespace {

constexpr uint32_t kSharedReserved = 1024;  // of each block, by the driver
constexpr unsigned kPortable = 1;           // host memory: of all contexts

}  // namespace

Session::Session(const Driver& driver, int index, const std::string& image)
    : driver_(driver), index_(index) {
  driver_.device_count(&devices_);
  Describe(index);
  if (!Ok() || !Check("cuDevicePrimaryCtxRetain", driver_.context_retain(&context_, device_))) {
    return;
  }
  if (!Check("cuCtxSetCurrent", driver_.context_set(context_))) return;
  if (!Check("cuModuleLoadData", driver_.module_load(&module_, image.data()))) return;
  Check("cuEventCreate", driver_.event_create(&begin_, 0));
  Check("cuEventCreate", driver_.event_create(&end_, 0));
}

Session::~Session() {
  if (context_ == nullptr) return;
  driver_.context_set(context_);
  LeavePeer();
  for (const uint64_t memory : memory_) driver_.release(memory);
  for (void* memory : host_memory_) driver_.host_release(memory);
  if (begin_ != nullptr) driver_.event_destroy(begin_);
  if (end_ != nullptr) driver_.event_destroy(end_);
  if (module_ != nullptr) driver_.module_unload(module_);
  driver_.context_release(device_);
}

bool Session::Check(const char* call, int result) {
  if (result != 0 && Ok()) failed_ = ExplainCall(driver_, call, result);
  return Ok();
}

// What the driver does not say remains 0: that is no error.
int Session::Ask(int attribute) {
  int value = 0;
  return driver_.device_attribute(&value, attribute, device_) == 0 ? std::max(value, 0) : 0;
}

void Session::Describe(int index) {
  unsigned char uuid[kUuidBytes] = {};
  char name[256] = {};
  if (!Check("cuDeviceGet", driver_.device_get(&device_, index)) ||
      !Check("cuDeviceGetUuid_v2", driver_.device_uuid(uuid, device_)) ||
      !Check("cuDeviceGetName", driver_.device_name(name, sizeof name - 1, device_))) {
    return;
  }
  described_.name = name;
  described_.uuid = DeviceUuid(uuid, name);
  size_t bytes = 0;
  if (driver_.device_memory(&bytes, device_) == 0) described_.memory_bytes = bytes;
  const auto ask = [this](int attribute) { return static_cast<uint32_t>(Ask(attribute)); };
  described_.l2_bytes = ask(kL2Bytes);
  described_.properties = {ask(kCapabilityMajor), ask(kCapabilityMinor), ask(kMultiprocessorCount),
                           ask(kClockRate),       ask(kMemoryClockRate), ask(kMemoryBusWidth)};
  threads_ = ask(kThreadsOfMultiprocessor);
  shared_ = ask(kSharedOfMultiprocessor);
  shared_of_block_ = ask(kSharedOfBlock);
  if (described_.properties.multiprocessors == 0 || threads_ < kBlockThreads) {
    failed_ = "the driver does not say how many multiprocessors it has";
  }
  FindInNvml();
}

void Session::FindInNvml() {
  if (!driver_.no_nvml.empty()) {
    described_.warnings.push_back("clock and power are not known: " + driver_.no_nvml);
    return;
  }
  char version[96] = {};
  if (driver_.nvml_version(version, sizeof version - 1) == 0) described_.driver = version;
  const bool is_instance = IsDeviceInstance(described_.name);
  const char* call = "nvmlDeviceGetHandleByUUID";
  int result = driver_.nvml_device(described_.uuid.c_str(), &nvml_);
  if (result == 0 && is_instance) {
    call = "nvmlDeviceGetDeviceHandleFromMigDeviceHandle";
    result = driver_.nvml_whole(nvml_, &nvml_);
  }
  if (result != 0) {
    nvml_ = nullptr;
    described_.warnings.push_back(
        fmt::format("clock and power are not known: {}: error {}", call, result));
    return;
  }
  if (is_instance) {
    described_.warnings.push_back(
        "it is an instance of MIG: clock and power are those of the whole device");
  }
  unsigned milliwatts = 0;
  if (driver_.nvml_limit(nvml_, &milliwatts) == 0) {
    described_.power_limit_watts = milliwatts * 1e-3;
  }
}

Function Session::Find(const char* kernel) {
  Function function = nullptr;
  const bool found = Ok() && driver_.module_function(&function, module_, kernel) == 0;
  return found ? function : nullptr;
}

Grid Session::OnMultiprocessors(Function function, uint32_t blocks_of_each) {
  Grid grid;
  const uint32_t share = shared_ / blocks_of_each;
  const uint32_t most = std::min(shared_of_block_, share - std::min(share, kSharedReserved));
  grid.shared_bytes = most / kSharedReserved * kSharedReserved;
  // The driver may refuse: then its blocks may gather on some multiprocessors.
  if (driver_.function_set(function, kSharedCarveout, 100) != 0 ||
      driver_.function_set(function, kDynamicShared, static_cast<int>(grid.shared_bytes)) != 0) {
    grid.shared_bytes = 0;
  }
  int fit = 0;
  Check("cuOccupancyMaxActiveBlocksPerMultiprocessor",
        driver_.occupancy(&fit, function, kBlockThreads, grid.shared_bytes));
  const uint32_t blocks = std::min(blocks_of_each, static_cast<uint32_t>(std::max(fit, 1)));
  grid.blocks = described_.properties.multiprocessors * blocks;
  return grid;
}

uint64_t Session::FreeBytes() {
  size_t free = 0, total = 0;
  return Ok() && Check("cuMemGetInfo_v2", driver_.memory_info(&free, &total)) ? free : 0;
}

uint64_t Session::Allocate(uint64_t bytes) {
  uint64_t address = 0;
  if (!Ok() || !Check("cuMemAlloc_v2", driver_.allocate(&address, bytes))) return 0;
  memory_.push_back(address);
  return address;
}

void* Session::AllocateHost(uint64_t bytes) {
  void* memory = nullptr;
  if (!Ok() || !Check("cuMemHostAlloc", driver_.host_allocate(&memory, bytes, kPortable))) {
    return nullptr;
  }
  host_memory_.push_back(memory);
  return memory;
}

bool Session::Fill(uint64_t address, uint32_t word, uint64_t bytes) {
  return Ok() && Check("cuMemsetD32_v2", driver_.fill(address, word, bytes / sizeof word));
}

bool Session::ToDevice(uint64_t to, const void* from, uint64_t bytes) {
  return Ok() && Check("cuMemcpyHtoDAsync_v2", driver_.to_device(to, from, bytes, nullptr));
}

bool Session::ToHost(void* to, uint64_t from, uint64_t bytes) {
  return Ok() && Check("cuMemcpyDtoHAsync_v2", driver_.to_host(to, from, bytes, nullptr));
}

bool Session::Launch(Function function, const Grid& grid, const Arguments& arguments) {
  Arguments copy = arguments;
  void* parameters[] = {&copy};
  return Ok() &&
         Check("cuLaunchKernel", driver_.launch(function, grid.blocks, 1, 1, grid.threads, 1, 1,
                                                grid.shared_bytes, nullptr, parameters, nullptr));
}

bool Session::Synchronize() { return Ok() && Check("cuCtxSynchronize", driver_.synchronize()); }

bool Session::Begin() {
  return Ok() && Check("cuEventRecord", driver_.event_record(begin_, nullptr));
}

bool Session::End(double& seconds, Held& held) {
  if (!Ok() || !Check("cuEventRecord", driver_.event_record(end_, nullptr))) return false;
  unsigned megahertz = 0, milliwatts = 0;
  if (nvml_ != nullptr) {
    const bool clock = driver_.nvml_clock(nvml_, kClockOfMultiprocessors, &megahertz) == 0;
    const bool power = driver_.nvml_power(nvml_, &milliwatts) == 0;
    held = {clock ? megahertz * 1e-3 : 0, power ? milliwatts * 1e-3 : 0};
  }
  float milliseconds = 0;
  if (!Check("cuEventSynchronize", driver_.event_synchronize(end_)) ||
      !Check("cuEventElapsedTime", driver_.event_elapsed(&milliseconds, begin_, end_))) {
    return false;
  }
  seconds = milliseconds * 1e-3;
  return true;
}

}  // namespace roofmark::gpu
