// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <utility>

#include "benchmarks/machine/gpu/task.h"

namespace roofmark::gpu {
namespace {

constexpr uint64_t kChaseStride = 128;  // a line of L1
constexpr uint64_t kL1Chase = 16384;
constexpr uint64_t kLeastChase = 64 << 20;  // of DRAM
constexpr uint64_t kMostArray = uint64_t{1} << 30, kCopyBytes = 64 << 20;
constexpr uint32_t kLaunchesOfSample = 4096, kCopiesOfSample = 64;

uint64_t PowerOfTwoBelow(uint64_t number) {
  uint64_t power = 1;
  while (power <= number / 2) power *= 2;
  return power;
}

// Behind each line the distance of the next one from the begin: one cycle through all of them, in
// an order that no prefetcher foresees (Sattolo's algorithm, numbers of a linear congruence).
std::vector<uint64_t> CycleOf(uint64_t bytes) {
  std::vector<uint64_t> order(bytes / kChaseStride);
  std::iota(order.begin(), order.end(), uint64_t{0});
  uint64_t state = 88172645463325252u;
  for (size_t i = order.size() - 1; i > 0; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i], order[(state >> 33) % i]);
  }
  std::vector<uint64_t> next(bytes / sizeof(uint64_t));
  constexpr uint64_t kWords = kChaseStride / sizeof(uint64_t);
  for (size_t i = 0; i < order.size(); ++i) {
    next[order[i] * kWords] = order[(i + 1) % order.size()] * kChaseStride;
  }
  return next;
}

uint64_t DramChase(const Session& session) {
  return std::max(kLeastChase, PowerOfTwoBelow(8 * session.described().l2_bytes));
}

// Makes the cycle when it is executed: one array serves all levels.
Task ChaseTask(Session& session, const Arrays& arrays, const char* kernel, uint64_t bytes) {
  Task task;
  task.unit = "ns";
  task.amount = kChaseUnroll;
  task.function = session.Find(kernel);
  task.grid = {1, 1, 0};
  task.arguments.a = arrays.chase;
  task.arguments.verdict = arrays.verdict;
  task.arguments.count = bytes;
  return task;
}

void AddChase(Session& session, const Arrays& arrays, const char* kernel, const char* level,
              uint64_t bytes, std::vector<Task>& tasks, std::vector<std::string>& left_out) {
  Task task = ChaseTask(session, arrays, kernel, bytes);
  task.id = std::string("latency.") + level;
  task.label = std::string("latency, ") + level;
  if (task.function == nullptr) {
    left_out.push_back(task.id + ": its kernel is not there");
    return;
  }
  if (bytes > 0) {
    task.prepare = [bytes, address = arrays.chase](Session& on) {
      const std::vector<uint64_t> cycle = CycleOf(bytes);
      return on.ToDevice(address, cycle.data(), bytes) && on.Synchronize();
    };
  }
  tasks.push_back(std::move(task));
}

}  // namespace

Task CopyTask(const std::string& id, const std::string& label, uint64_t bytes, const char* unit) {
  Task task;
  task.id = id;
  task.label = label;
  task.unit = unit;
  task.amount = task.IsTime() ? 1 : static_cast<double>(bytes);
  task.most_iterations = kCopiesOfSample;
  return task;
}

bool MakeArrays(Session& session, Arrays& arrays) {
  constexpr uint64_t kVerdictBytes = 8, kParts = 8;
  arrays.bytes = std::min(kMostArray, PowerOfTwoBelow(session.FreeBytes() / kParts));
  arrays.a = session.Allocate(arrays.bytes);
  arrays.b = session.Allocate(arrays.bytes);
  arrays.c = session.Allocate(arrays.bytes);
  arrays.verdict = session.Allocate(kVerdictBytes);
  arrays.chase = session.Allocate(DramChase(session));
  arrays.copy_bytes = std::min(kCopyBytes, arrays.bytes);
  arrays.host = session.AllocateHost(arrays.copy_bytes);
  if (!session.Ok()) return false;
  std::fill_n(static_cast<uint32_t*>(arrays.host), arrays.copy_bytes / sizeof(uint32_t),
              Arrays::kWord);
  for (const uint64_t array : {arrays.a, arrays.b, arrays.c}) {
    session.Fill(array, Arrays::kWord, arrays.bytes);
  }
  return session.Ok();
}

void AddLatencies(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
                  std::vector<std::string>& left_out) {
  AddChase(session, arrays, "chase_shared", "shared", 0, tasks, left_out);
  AddChase(session, arrays, "chase_l1", "L1", kL1Chase, tasks, left_out);
  if (const uint64_t l2 = session.described().l2_bytes; l2 > 0) {
    AddChase(session, arrays, "chase", "L2", PowerOfTwoBelow(l2 / 4), tasks, left_out);
  }
  AddChase(session, arrays, "chase", "DRAM", DramChase(session), tasks, left_out);
  if (const Function nothing = session.Find("nothing")) {
    const auto launches = [=](Session& on, uint32_t iterations, bool wait) {
      for (uint32_t i = 0; i < iterations; ++i) {
        if (!on.Launch(nothing, {1, kWarpThreads, 0}, {})) return false;
        if (wait && !on.Synchronize()) return false;
      }
      return true;
    };
    Task task = CopyTask("latency.launch", "launch of a kernel after another", 0, "ns");
    task.most_iterations = kLaunchesOfSample;
    task.enqueue = [=](Session& on, uint32_t n, std::string&) { return launches(on, n, false); };
    tasks.push_back(task);
    task.id = "latency.launch_and_wait";
    task.label = "launch of a kernel, waited for";
    task.enqueue = [=](Session& on, uint32_t n, std::string&) { return launches(on, n, true); };
    tasks.push_back(task);
  }
  const auto copies = [=](bool to_device, uint64_t bytes) {
    return [=](Session& on, uint32_t iterations, std::string&) {
      for (uint32_t i = 0; i < iterations; ++i) {
        const bool copied = to_device ? on.ToDevice(arrays.a, arrays.host, bytes)
                                      : on.ToHost(arrays.host, arrays.a, bytes);
        if (!copied) return false;
      }
      return true;
    };
  };
  Task task = CopyTask("copy.to_device", "copy to the device, pinned", arrays.copy_bytes, "GB/s");
  task.enqueue = copies(true, arrays.copy_bytes);
  tasks.push_back(task);
  task = CopyTask("copy.to_host", "copy to the host, pinned", arrays.copy_bytes, "GB/s");
  task.enqueue = copies(false, arrays.copy_bytes);
  tasks.push_back(task);
  task = CopyTask("latency.copy", "copy of 8 bytes to the device", 8, "ns");
  task.enqueue = copies(true, sizeof(uint64_t));
  task.most_iterations = kLaunchesOfSample;
  tasks.push_back(task);
}

std::vector<Task> TasksOf(Session& session, const Arrays& arrays,
                          std::vector<std::string>& left_out) {
  std::vector<Task> tasks;
  AddArithmetic(session, arrays, tasks, left_out);
  AddBlas(session, tasks, left_out);
  AddMemory(session, arrays, tasks, left_out);
  AddLatencies(session, arrays, tasks, left_out);
  AddPeer(session, arrays, tasks, left_out);
  AddAsynchronous(session, arrays, tasks, left_out);
  return tasks;
}

}  // namespace roofmark::gpu
