// SPDX-License-Identifier: BSD-3-Clause
//
// What around a process decides which GPUs it sees, and whether their counters are its own: told by
// the environment, the kernel's driver and the file system, without CUDA.
#ifndef ROOFMARK_COLLECTORS_CUPTI_SURROUNDINGS_H_
#define ROOFMARK_COLLECTORS_CUPTI_SURROUNDINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofmark::cupti {

struct Surroundings {
  std::optional<std::string> visible;  // CUDA_VISIBLE_DEVICES, where it is set
  uint32_t mig_instances = 0;          // GPU instances into which GPUs are divided
  std::string mps;                     // the folder of MPS's control daemon; empty: there is none
  std::string injection;               // the profiler that CUDA loads (CUDA_INJECTION64_PATH)
  bool dcgm = false;                   // its host engine runs

  // CUDA_VISIBLE_DEVICES hides every GPU.
  bool HidesAll() const;
};

// Where to look; another root in tests.
struct SurroundingRoots {
  std::string driver = "/proc/driver/nvidia";
  std::string processes = "/proc";
  std::string mps = "/tmp/nvidia-mps";  // unless CUDA_MPS_PIPE_DIRECTORY names another one
};
Surroundings ReadSurroundings(const SurroundingRoots& roots = {});

// What to look at where counts are missing or seem too large: one phrase for each, with its cure.
// Empty where there is nothing.
struct SurroundingNote {
  std::string id;           // "cuda_visible_devices", "mig", "mps", "gpu_profiler", "dcgm"
  std::string title;        // "CUDA_VISIBLE_DEVICES"
  std::string found;        // what there is
  std::string cause, cure;  // what it means, and what helps; empty cause: nothing is lost
  bool hides_all = false;
};
std::vector<SurroundingNote> NotesOf(const Surroundings& surroundings);

// Of those with a cause: "MPS: a control daemon in /tmp/nvidia-mps; ...". Empty: there are none.
std::string SurroundingPhrase(const Surroundings& surroundings);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_SURROUNDINGS_H_
