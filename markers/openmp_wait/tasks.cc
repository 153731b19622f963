// SPDX-License-Identifier: BSD-3-Clause
#include "markers/openmp_wait/tasks.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "markers/openmp_wait/team.h"

namespace roofmark::openmp_wait {
namespace {

constexpr size_t kPlaces = 512;  // functions that are tasks
std::atomic<TaskFunction> g_tasks[kPlaces];

class Task {
 public:
  Task() : before_(BeginTask()) {}
  ~Task() { EndTask(before_); }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

 private:
  const Interrupted before_;
};

template <size_t place>
void Execute(void* argument) {
  const Task task;
  g_tasks[place].load(std::memory_order_relaxed)(argument);
}

template <size_t... places>
constexpr std::array<TaskFunction, kPlaces> All(std::index_sequence<places...>) {
  return {&Execute<places>...};
}
constexpr std::array<TaskFunction, kPlaces> kTimed = All(std::make_index_sequence<kPlaces>());

}  // namespace

TaskFunction TimedTask(TaskFunction task) noexcept {
  const size_t first = (reinterpret_cast<uintptr_t>(task) >> 4) * 0x9E3779B1u;
  for (size_t i = 0; i < kPlaces; ++i) {
    const size_t place = (first + i) % kPlaces;
    TaskFunction known = g_tasks[place].load(std::memory_order_relaxed);
    if (known == nullptr && g_tasks[place].compare_exchange_strong(known, task))
      return kTimed[place];
    if (known == task) return kTimed[place];
  }
  MeasureNoMore();
  return task;
}

}  // namespace roofmark::openmp_wait
