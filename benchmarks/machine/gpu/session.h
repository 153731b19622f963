// SPDX-License-Identifier: BSD-3-Clause
//
// One GPU that is measured. The first call of the driver that fails is kept, and nothing is done
// from then on: after most errors a context is dead. Not thread-safe.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_SESSION_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_SESSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/machine/gpu/arguments.h"
#include "benchmarks/machine/gpu/driver.h"
#include "lib/core/result.h"
#include "lib/model/gpu_machine.h"

namespace roofmark::gpu {

struct Grid {
  uint32_t blocks = 1, threads = kBlockThreads, shared_bytes = 0;
};

// What NVML says while a kernel runs; 0: it does not.
struct Held {
  double ghz = 0, watts = 0;
};

// Memory of another device.
struct PeerMemory {
  Context context = nullptr;
  uint64_t address = 0;
  bool by_nvlink = false;  // NVML says so
};

class Session {
 public:
  // `driver` must outlive it. `image`: what nvcc made of kernels.cu.
  Session(const Driver& driver, int index, const std::string& image);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  const std::string& failed() const { return failed_; }
  bool Ok() const { return failed_.empty(); }
  const Driver& driver() const { return driver_; }
  const GpuMachine& described() const { return described_; }
  uint32_t threads_of_multiprocessor() const { return threads_; }
  int index() const { return index_; }
  int devices() const { return devices_; }  // that the driver lists

  // nullptr where the image has none of this name: that is no failure.
  Function Find(const char* kernel);
  // Bytes of dynamic shared memory with which just so many blocks of it fit on a multiprocessor,
  // and how many do: fewer where registers allow no more.
  Grid OnMultiprocessors(Function function, uint32_t blocks_of_each);

  uint64_t FreeBytes();
  // 0 if it fails. Freed with the session.
  uint64_t Allocate(uint64_t bytes);
  void* AllocateHost(uint64_t bytes);
  bool Fill(uint64_t address, uint32_t word, uint64_t bytes);
  bool ToDevice(uint64_t to, const void* from, uint64_t bytes);
  bool ToHost(void* to, uint64_t from, uint64_t bytes);
  bool Launch(Function function, const Grid& grid, const Arguments& arguments);
  // On the device of this index, which this one must reach; the session remains as it is if that
  // fails. Freed with the session; one for each.
  Result<PeerMemory> AllocateOnPeer(int index, uint64_t bytes);
  bool ToPeer(const PeerMemory& to, uint64_t from, uint64_t bytes);
  bool Synchronize();

  // Between the two the device works; the clock is read meanwhile.
  bool Begin();
  bool End(double& seconds, Held& held);

 private:
  bool Check(const char* call, int result);
  int Ask(int attribute);
  void Describe(int index);
  void FindInNvml();
  std::string ReachPeer(int index, uint64_t bytes);
  void LeavePeer();
  bool IsLinked(Device other) const;

  const Driver& driver_;
  const int index_;
  int devices_ = 0;
  std::string failed_;
  GpuMachine described_;
  uint32_t threads_ = 0, shared_ = 0, shared_of_block_ = 0;
  Device device_ = 0;
  Context context_ = nullptr;
  Module module_ = nullptr;
  Event begin_ = nullptr, end_ = nullptr;
  NvmlDevice nvml_ = nullptr;
  Device peer_device_ = 0;
  PeerMemory peer_;
  std::vector<uint64_t> memory_;
  std::vector<void*> host_memory_;
};

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_SESSION_H_
