// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/machine/gpu/task.h"

namespace roofmark::gpu {
namespace {

constexpr uint64_t kVectorBytes = 16, kWordBytes = 4;
constexpr uint64_t kOfL1 = 16384;
constexpr uint32_t kStrides[] = {2, 4, 8};
constexpr uint32_t kConflicts[] = {1, 2, 4, 8, 16, 32};

// Kernels of memory, as many threads as a multiprocessor holds.
class MemoryTasks {
 public:
  MemoryTasks(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
              std::vector<std::string>& left_out)
      : session_(session), arrays_(arrays), tasks_(tasks), left_out_(left_out) {
    const uint32_t of_each = session.threads_of_multiprocessor() / kBlockThreads;
    grid_.blocks = session.described().properties.multiprocessors * of_each;
  }

  uint64_t Threads() const { return uint64_t{grid_.blocks} * grid_.threads; }

  // nullptr if there is no such kernel. To be completed: amount, count.
  Task* Add(const char* kernel, std::string id, std::string label, const char* unit = "GB/s") {
    const Function function = session_.Find(kernel);
    if (function == nullptr) {
      left_out_.push_back(fmt::format("{}: its kernel is not there", id));
      return nullptr;
    }
    Task task;
    task.id = std::move(id);
    task.label = std::move(label);
    task.unit = unit;
    task.function = function;
    task.grid = grid_;
    task.arguments = {arrays_.a, arrays_.b, arrays_.c, arrays_.verdict, 0, Word(), 0, 0, 0, 1};
    tasks_.push_back(std::move(task));
    return &tasks_.back();
  }

  // Whole rounds of all threads.
  uint64_t Vectors() const {
    const uint64_t round = kReadsUnrolled * Threads();
    return arrays_.bytes / kVectorBytes / round * round;
  }
  uint64_t Sectors() const { return arrays_.bytes / kSectorBytes; }

  void Stream(const char* kernel, const char* id, const char* label, uint32_t arrays, bool writes) {
    if (Task* task = Add(kernel, id, label)) {
      task->arguments.count = Vectors();
      task->amount = static_cast<double>(arrays * kVectorBytes * Vectors());
      task->writes_a = writes;
    }
  }

  // Each block reads all of it.
  void Cache(const char* kernel, const char* id, const char* label, uint64_t bytes) {
    constexpr uint64_t kRound = uint64_t{kReadsUnrolled} * kBlockThreads;
    const uint64_t vectors = std::max(bytes / kVectorBytes / kRound, uint64_t{1}) * kRound;
    if (Task* task = Add(kernel, id, label)) {
      task->arguments.count = vectors;
      task->amount = static_cast<double>(kVectorBytes * vectors * grid_.blocks);
    }
  }

  void Shared(uint32_t stride) {
    if (Task* task = Add(
            "read_shared", fmt::format("shared.stride_{}", stride),
            fmt::format("shared memory, lanes {} word{} apart", stride, stride == 1 ? "" : "s"))) {
      task->arguments.option = stride;
      task->amount = static_cast<double>(kSharedUnroll * kWordBytes * Threads());
    }
  }

  void Atomics(const char* kernel, const char* id, const char* label, uint32_t option) {
    if (Task* task = Add(kernel, id, label, "Gop/s")) {
      task->arguments.option = option;
      task->arguments.count = Threads();
      task->amount = static_cast<double>(kAtomicsUnrolled * Threads());
    }
  }

 private:
  // Of words, and of numbers in double precision, that arrays are full of.
  static uint64_t Word() { return uint64_t{Arrays::kWord} << 32 | Arrays::kWord; }

  Session& session_;
  const Arrays& arrays_;
  std::vector<Task>& tasks_;
  std::vector<std::string>& left_out_;
  Grid grid_;
};

}  // namespace

void AddMemory(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
               std::vector<std::string>& left_out) {
  MemoryTasks memory(session, arrays, tasks, left_out);
  memory.Stream("read", "bandwidth.DRAM.read", "DRAM read", 1, false);
  memory.Stream("copy", "bandwidth.DRAM.copy", "DRAM copy", 2, true);
  memory.Stream("triad", "bandwidth.DRAM.triad", "DRAM triad", 3, true);
  if (const uint64_t l2 = session.described().l2_bytes; l2 > 0) {
    memory.Cache("read_l2", "bandwidth.L2.read", "L2 read", l2 / 4);
  }
  memory.Cache("read_l1", "bandwidth.L1.read", "L1 read", kOfL1);
  for (const uint32_t stride : kConflicts) memory.Shared(stride);
  for (const uint32_t stride : kStrides) {
    if (Task* task = memory.Add("strided", fmt::format("sectors.stride_{}", stride),
                                fmt::format("DRAM, one of {} sectors", stride))) {
      task->arguments.option = stride;
      task->arguments.count = memory.Sectors();
      const uint64_t read = memory.Sectors() / stride;
      task->amount = static_cast<double>(kSectorBytes * read);
    }
  }
  if (Task* task = memory.Add("random_sectors", "sectors.random", "DRAM, sectors at random")) {
    task->arguments.count = memory.Sectors();
    task->amount = static_cast<double>(kSectorBytes * memory.Sectors());
  }
  memory.Atomics("atomic_int", "atomics.int", "atomics, 32 bits, each lane its own", 1);
  memory.Atomics("atomic_int", "atomics.int_one", "atomics, 32 bits, all to one", 0);
  memory.Atomics("atomic_dp", "atomics.dp", "atomics, double, each lane its own", 1);
  memory.Atomics("atomic_dp", "atomics.dp_one", "atomics, double, all to one", 0);
}

}  // namespace roofmark::gpu
