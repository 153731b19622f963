/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A PMU whose hardware is a script: the kernel schedules, groups, multiplexes, inherits and checks
 * permission as it does for silicon, and what the counters see is said through /dev/scripted_pmu
 * (protocol.h). Counters are 48 bits wide, count only while their event is scheduled on that CPU,
 * and start anywhere: here 1000 below the point where they wrap. */
#include "scripted_pmu.h"

#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include "protocol.h"

#define MASK48 ((1ULL << 48) - 1)
#define UNIT_MASK 0xff00ULL

static atomic_t open_events = ATOMIC_INIT(0);

static struct scripted* scripted_of(struct perf_event* event) {
  return container_of(event->pmu, struct scripted, pmu);
}

static bool has_fixed_counter(const struct scripted* device, u64 config) {
  for (const u64* fixed = device->fixed; *fixed != 0; ++fixed) {
    if (*fixed == config) return true;
  }
  return false;
}

/* --- opening -----------------------------------------------------------------------------------
 */

/* PERF_COUNT_HW_* in their order. */
static const u64 generic[] = {0x3c, 0xc0, 0x4f2e, 0x412e, 0xc4, 0xc5, 0x13c};

static int set_config(struct scripted* device, struct perf_event* event) {
  u64 config = event->attr.config;
  if (device->is_core && event->attr.type == PERF_TYPE_HARDWARE) {
    if (config >= ARRAY_SIZE(generic)) return -ENOENT;
    config = generic[config];
  } else if (event->attr.type != device->pmu.type) {
    return -ENOENT;
  }
  config &= ~device->ignored;
  if ((config & ~device->bits) != 0 || (event->attr.config1 & ~device->bits1) != 0 ||
      event->attr.config2 != 0) {
    return -EINVAL;
  }
  event->hw.config = config;
  return 0;
}

/* A controller counts for everybody, and is read on one CPU of its package. */
static int place_on_leader(struct perf_event* event) {
  int cpu;
  if (event->attr.sample_period != 0 || event->cpu < 0) return -EINVAL;
  for_each_cpu(cpu, &leaders) {
    if (topology_physical_package_id(cpu) == topology_physical_package_id(event->cpu)) {
      event->cpu = cpu;
      return 0;
    }
  }
  return -EINVAL;
}

static int needs_general(const struct scripted* device, const struct perf_event* event) {
  return event->pmu == &device->pmu && !has_fixed_counter(device, event->hw.config);
}

/* A group that no empty PMU could hold is refused, whatever others hold at the moment. */
static bool group_can_fit(const struct scripted* device, struct perf_event* event) {
  struct perf_event *leader = event->group_leader, *sibling;
  int general = needs_general(device, event);
  if (leader == event) return true;
  general += needs_general(device, leader);
  for_each_sibling_event(sibling, leader) general += needs_general(device, sibling);
  return general <= device->general;
}

static void forget(struct perf_event* event) { atomic_dec(&open_events); }

static int scripted_init(struct perf_event* event) {
  struct scripted* device = scripted_of(event);
  int error = set_config(device, event);
  if (error == 0 && !device->is_core) error = place_on_leader(event);
  if (error == 0 && !group_can_fit(device, event)) error = -EINVAL;
  if (error == 0 && event->parent == NULL) {
    atomic_inc(&open_events);
    event->destroy = forget;
  }
  return error;
}

/* --- scheduling, called by the kernel on the CPU with interrupts off ---------------------------
 */

static void scripted_read(struct perf_event* event) {
  const u64 now = this_cpu_ptr(scripted_of(event)->counters)[event->hw.idx].value;
  const u64 before = local64_xchg(&event->hw.prev_count, now);
  local64_add((now - before) & MASK48, &event->count);
}

static void scripted_start(struct perf_event* event, int flags) {
  struct counter* counter = &this_cpu_ptr(scripted_of(event)->counters)[event->hw.idx];
  local64_set(&event->hw.prev_count, counter->value);
  event->hw.state = 0;
}

static void scripted_stop(struct perf_event* event, int flags) {
  if (event->hw.state & PERF_HES_STOPPED) return;
  scripted_read(event);
  event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int free_counter(struct scripted* device, u64 config) {
  const struct counter* counters = this_cpu_ptr(device->counters);
  int i;
  for (i = 0; device->fixed[i] != 0; ++i) {
    const int idx = device->general + i;
    if (device->fixed[i] == config && counters[idx].event == NULL) return idx;
  }
  for (i = 0; i < device->general - READ_ONCE(device->reserved); ++i) {
    if (counters[i].event == NULL) return i;
  }
  return -EAGAIN;
}

static int scripted_add(struct perf_event* event, int flags) {
  struct scripted* device = scripted_of(event);
  const int idx = free_counter(device, event->hw.config);
  if (idx < 0) return idx;
  this_cpu_ptr(device->counters)[idx].event = event;
  event->hw.idx = idx;
  event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
  if (flags & PERF_EF_START) scripted_start(event, flags);
  return 0;
}

static void scripted_del(struct perf_event* event, int flags) {
  scripted_stop(event, flags);
  this_cpu_ptr(scripted_of(event)->counters)[event->hw.idx].event = NULL;
}

/* --- the script --------------------------------------------------------------------------------
 */

struct order {
  const struct scripted_work* work;
  struct scripted* device;
};

/* Same event, and no bit in the unit mask of what happened that this one does not count. */
static bool counts(u64 config, u64 happened) {
  const u64 unit = happened & UNIT_MASK;
  if (config == happened) return true;
  return unit != 0 && ((config ^ happened) & ~UNIT_MASK) == 0 && (config & unit) == unit;
}

static bool is_meant(const struct perf_event* event, const struct scripted_work* work) {
  const bool of_thread = event->attach_state & PERF_ATTACH_TASK;
  if (event->hw.state & PERF_HES_STOPPED || !counts(event->hw.config, work->config)) return false;
  if (work->kind == SCRIPTED_THREAD_USER) return of_thread && !event->attr.exclude_user;
  if (work->kind == SCRIPTED_THREAD_KERNEL) return of_thread && !event->attr.exclude_kernel;
  return !of_thread;
}

/* On the CPU where it happens, with interrupts off: the events in the counters are those of the
 * thread that runs here, and this CPU's own. */
static void work_here(void* argument) {
  const struct order* order = argument;
  struct counter* counters = this_cpu_ptr(order->device->counters);
  int i;
  for (i = 0; i < MOST_COUNTERS; ++i) {
    if (counters[i].event == NULL || !is_meant(counters[i].event, order->work)) continue;
    counters[i].value = (counters[i].value + order->work->count) & MASK48;
  }
}

static int work_on_leader(struct order* order, int package) {
  int cpu;
  for_each_cpu(cpu, &leaders) {
    if (topology_physical_package_id(cpu) == package) {
      return smp_call_function_single(cpu, work_here, order, 1) != 0 ? -ENODEV : 0;
    }
  }
  return -ENODEV;
}

static int do_work(struct scripted_work* work) {
  struct order order = {work, find_scripted("cpu")};
  unsigned long flags;
  work->device[sizeof(work->device) - 1] = 0;
  switch (work->kind) {
    case SCRIPTED_THREAD_USER:
    case SCRIPTED_THREAD_KERNEL:
      local_irq_save(flags);
      work_here(&order);
      local_irq_restore(flags);
      return 0;
    case SCRIPTED_CPU:
      return smp_call_function_single(work->place, work_here, &order, 1) != 0 ? -ENODEV : 0;
    case SCRIPTED_DEVICE:
      order.device = find_scripted(work->device);
      return order.device == NULL ? -ENODEV : work_on_leader(&order, work->place);
    default:
      return -EINVAL;
  }
}

static int reserve(struct scripted_reserve* request) {
  struct scripted* device;
  request->device[sizeof(request->device) - 1] = 0;
  device = find_scripted(request->device);
  if (device == NULL) return -ENODEV;
  if (request->count > device->general) return -EINVAL;
  WRITE_ONCE(device->reserved, request->count);
  return 0;
}

static long scripted_ioctl(struct file* file, unsigned int request, unsigned long argument) {
  union {
    struct scripted_work work;
    struct scripted_reserve reserve;
  } said;
  void __user* user = (void __user*)argument;
  if (request == SCRIPTED_EVENTS) return put_user(atomic_read(&open_events), (u32 __user*)user);
  if (request != SCRIPTED_WORK && request != SCRIPTED_RESERVE) return -ENOTTY;
  if (copy_from_user(&said, user, _IOC_SIZE(request)) != 0) return -EFAULT;
  return request == SCRIPTED_WORK ? do_work(&said.work) : reserve(&said.reserve);
}

static const struct file_operations operations = {.owner = THIS_MODULE,
                                                  .unlocked_ioctl = scripted_ioctl};
static struct miscdevice device_file = {
    .minor = MISC_DYNAMIC_MINOR, .name = "scripted_pmu", .fops = &operations, .mode = 0666};

/* --- start -------------------------------------------------------------------------------------
 */

static int add_device(struct scripted* device) {
  int cpu, i;
  device->pmu.event_init = scripted_init;
  device->pmu.add = scripted_add;
  device->pmu.del = scripted_del;
  device->pmu.start = scripted_start;
  device->pmu.stop = scripted_stop;
  device->pmu.read = scripted_read;
  device->pmu.module = THIS_MODULE;
  device->counters = __alloc_percpu(MOST_COUNTERS * sizeof(struct counter), sizeof(u64));
  if (device->counters == NULL) return -ENOMEM;
  for_each_possible_cpu(cpu) {
    for (i = 0; i < MOST_COUNTERS; ++i) {
      per_cpu_ptr(device->counters, cpu)[i].value = MASK48 + 1 - 1000;
    }
  }
  return perf_pmu_register(&device->pmu, device->name, device->is_core ? PERF_TYPE_RAW : -1);
}

static int __init scripted_start_all(void) {
  struct scripted* device;
  int error = 0;
  find_leaders();
  for_each_scripted(device) {
    if (error == 0) error = add_device(device);
  }
  return error != 0 ? error : misc_register(&device_file);
}

/* The machine is switched off after the tests: there is no way to unload. */
module_init(scripted_start_all);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A PMU whose counts are said by tests");
