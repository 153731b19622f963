// SPDX-License-Identifier: BSD-3-Clause
//
// A scripted CUDA driver and NVML: kernels are not executed, but each takes a known time by the
// events of the driver, and says that all its threads and blocks were right.
#ifndef ROOFMARK_TESTS_BENCHMARKS_MACHINE_GPU_STAND_IN_H_
#define ROOFMARK_TESTS_BENCHMARKS_MACHINE_GPU_STAND_IN_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace gpu_stand_in {

inline constexpr double kIterationNs = 1000;  // of every kernel
inline constexpr double kLaunchNs = 2000;     // of one without iterations
inline constexpr double kCopyNsOfByte = 0.04, kLeastCopyNs = 500;
inline constexpr double kPeerNsOfByte = 0.01;
inline constexpr double kBlasFlopsOfNs = 2000;
inline constexpr int kMultiprocessors = 10, kMegahertz = 1500, kWatts = 300;

struct Script {
  int devices = 1;
  const char* name = "NVIDIA TEST";
  int major = 9, minor = 0;             // compute capability
  std::map<std::string, int> failures;  // result of a function
  std::map<std::string, int> from;      // at its n-th call, counted from 1; else at each
  std::set<std::string> no_kernel;      // names that the image does not have
  std::set<std::string> wrong;          // kernels of which a thread has a wrong result
  std::set<std::string> unfinished;     // kernels of which a block does not end
  int most_blocks = 16;                 // of a multiprocessor, by registers
  std::set<int> no_product;             // types that cuBLAS has no algorithm for
  bool wrong_product = false;           // the last number of each is wrong
  bool reaches = true;                  // each device the others
  bool nvlink = true;                   // by NVLink, as NVML says
};

void Reset(const Script& script);
// Contexts, events and memory that were not given back.
int Open();
int Calls(const std::string& function);

}  // namespace gpu_stand_in

#endif  // ROOFMARK_TESTS_BENCHMARKS_MACHINE_GPU_STAND_IN_H_
