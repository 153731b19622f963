// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libgomp that compilers call where threads work together, or wait. Host teams
// (GOMP_teams_reg) are executed one after another by the thread that begins them: their parallel
// regions are seen.
#ifndef ROOFMARK_MARKERS_OPENMP_WAIT_GOMP_CALLS_H_
#define ROOFMARK_MARKERS_OPENMP_WAIT_GOMP_CALLS_H_

// Name, number of arguments.
// clang-format off
#define ROOFMARK_GOMP_FORKS(FORK) \
  FORK(GOMP_parallel, 4) \
  FORK(GOMP_parallel_reductions, 4) \
  FORK(GOMP_parallel_sections, 5) \
  FORK(GOMP_parallel_loop_static, 8) \
  FORK(GOMP_parallel_loop_dynamic, 8) \
  FORK(GOMP_parallel_loop_guided, 8) \
  FORK(GOMP_parallel_loop_runtime, 7) \
  FORK(GOMP_parallel_loop_nonmonotonic_dynamic, 8) \
  FORK(GOMP_parallel_loop_nonmonotonic_guided, 8) \
  FORK(GOMP_parallel_loop_nonmonotonic_runtime, 7) \
  FORK(GOMP_parallel_loop_maybe_nonmonotonic_runtime, 7)

#define ROOFMARK_GOMP_WAITS(WAIT) \
  WAIT(GOMP_barrier, 0) \
  WAIT(GOMP_barrier_cancel, 0) \
  WAIT(GOMP_loop_end, 0) \
  WAIT(GOMP_loop_end_cancel, 0) \
  WAIT(GOMP_sections_end, 0) \
  WAIT(GOMP_sections_end_cancel, 0) \
  WAIT(GOMP_single_copy_start, 0) \
  WAIT(GOMP_single_copy_end, 1) \
  WAIT(GOMP_ordered_start, 0) \
  WAIT(GOMP_critical_start, 0) \
  WAIT(GOMP_critical_name_start, 1) \
  WAIT(GOMP_atomic_start, 0) \
  WAIT(GOMP_taskwait, 0) \
  WAIT(GOMP_taskwait_depend, 1) \
  WAIT(GOMP_taskgroup_end, 0)
// clang-format on

#endif  // ROOFMARK_MARKERS_OPENMP_WAIT_GOMP_CALLS_H_
