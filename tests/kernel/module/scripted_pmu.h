/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The devices of the scripted PMU. */
#ifndef ROOFMARK_TESTS_KERNEL_MODULE_SCRIPTED_PMU_H_
#define ROOFMARK_TESTS_KERNEL_MODULE_SCRIPTED_PMU_H_

#include <linux/cpumask.h>
#include <linux/perf_event.h>

#define MOST_COUNTERS 11 /* of the largest device */

struct counter {
  struct perf_event* event;
  u64 value;
};

struct scripted {
  struct pmu pmu;
  const char* name;
  bool is_core;
  const u64* fixed; /* encodings with a counter of their own, 0 at the end */
  u64 bits, bits1;  /* of config and config1 in format/ */
  u64 ignored;      /* bits of config that the kernel sets itself */
  int general;      /* counters; the fixed ones come after them */
  int reserved;     /* general ones that somebody else holds */
  struct counter __percpu* counters;
};

/* The CPUs on which the devices of a package are read. */
extern cpumask_t leaders;
void find_leaders(void);

extern struct scripted scripted_devices[];
extern const int scripted_count;
#define for_each_scripted(device) \
  for (device = scripted_devices; device < scripted_devices + scripted_count; ++device)
struct scripted* find_scripted(const char* name); /* NULL: none */

#endif /* ROOFMARK_TESTS_KERNEL_MODULE_SCRIPTED_PMU_H_ */
