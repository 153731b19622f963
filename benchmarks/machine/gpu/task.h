// SPDX-License-Identifier: BSD-3-Clause
//
// One point of a ceiling of a GPU: what is executed for it, and what one iteration of it is worth.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_TASK_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_TASK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/machine/gpu/session.h"

namespace roofmark::gpu {

struct Task {
  std::string id, label, unit;
  uint32_t warps = 0;  // of each multiprocessor
  // FLOPs, operations or bytes of one iteration, whose rate is wanted in billions; with the unit
  // "ns": steps of one iteration, of which one's time is wanted.
  double amount = 0;
  uint32_t most_iterations = UINT32_MAX;
  // Either this kernel, or, where it is null, what `enqueue` does.
  Function function = nullptr;
  Grid grid;
  Arguments arguments = {};
  // False: the session failed, or `wrong` says why. So is the check.
  std::function<bool(Session&, uint32_t iterations, std::string& wrong)> enqueue = {};
  std::function<bool(Session&)> prepare = {};                    // once, untimed; may be empty
  std::function<bool(Session&, std::string& wrong)> check = {};  // at the end; may be empty
  bool writes_a = false;  // a must be what it was when it is done

  bool IsTime() const { return unit == "ns"; }
};

// Arrays of the session, all full of `word` but the last two.
struct Arrays {
  static constexpr uint32_t kWord = 0x3f800000;
  uint64_t bytes = 0;  // of each of the three
  uint64_t a = 0, b = 0, c = 0;
  uint64_t verdict = 0;
  uint64_t chase = 0;
  uint64_t copy_bytes = 0;  // of the host's buffer
  void* host = nullptr;
};
// False where the session failed: it says why.
bool MakeArrays(Session& session, Arrays& arrays);

// All of this device that the image has kernels for; what is left out stands in `left_out`.
std::vector<Task> TasksOf(Session& session, const Arrays& arrays,
                          std::vector<std::string>& left_out);

// Parts of these.
void AddArithmetic(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
                   std::vector<std::string>& left_out);
void AddMemory(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
               std::vector<std::string>& left_out);
void AddLatencies(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
                  std::vector<std::string>& left_out);
// Kernels for one compute capability alone. They come last: they were never executed, and after one
// that fails nothing more can be measured.
void AddAsynchronous(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
                     std::vector<std::string>& left_out);
// Products of matrices by cuBLAS, where it is.
void AddBlas(Session& session, std::vector<Task>& tasks, std::vector<std::string>& left_out);
// Copies to the next one of the process's devices, if there are several.
void AddPeer(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
             std::vector<std::string>& left_out);
// `copy` that may be repeated as often as copies are.
Task CopyTask(const std::string& id, const std::string& label, uint64_t bytes, const char* unit);

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_TASK_H_
