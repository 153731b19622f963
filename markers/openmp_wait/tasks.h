// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_MARKERS_OPENMP_WAIT_TASKS_H_
#define ROOFMARK_MARKERS_OPENMP_WAIT_TASKS_H_

namespace roofmark::openmp_wait {

using TaskFunction = void (*)(void*);

// A function that executes `task` with the argument that it gets, as a task of the calling thread.
// The runtime keeps its arguments as it likes, so each function of the program gets one of its own.
// If there are more of them than places, `task` itself, and no time is measured from then on.
TaskFunction TimedTask(TaskFunction task) noexcept;

}  // namespace roofmark::openmp_wait

#endif  // ROOFMARK_MARKERS_OPENMP_WAIT_TASKS_H_
