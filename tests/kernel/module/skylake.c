/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The devices of a two-socket Skylake-SP, spelled as its drivers do: the core PMU and, in each
 * package, six memory controllers. The virtual PMU's `skx` describes the same machine. */
#include <linux/device.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "scripted_pmu.h"

#define TEXT(variable, file, content)                                                \
  static struct perf_pmu_events_attr variable = {                                    \
      .attr = {.attr = {.name = file, .mode = 0444}, .show = perf_event_sysfs_show}, \
      .event_str = content}
#define FILE_OF(variable) &variable.attr.attr

TEXT(event, "event", "config:0-7");
TEXT(umask, "umask", "config:8-15");
TEXT(edge, "edge", "config:18");
TEXT(any, "any", "config:21");
TEXT(inv, "inv", "config:23");
TEXT(cmask, "cmask", "config:24-31");
TEXT(thresh, "thresh", "config:24-31");
TEXT(offcore_rsp, "offcore_rsp", "config1:0-63");
TEXT(ldlat, "ldlat", "config1:0-15");
TEXT(frontend, "frontend", "config1:0-23");
static struct attribute* core_format_files[] = {
    FILE_OF(event), FILE_OF(umask),       FILE_OF(edge),  FILE_OF(any),      FILE_OF(inv),
    FILE_OF(cmask), FILE_OF(offcore_rsp), FILE_OF(ldlat), FILE_OF(frontend), NULL};
static struct attribute* imc_format_files[] = {FILE_OF(event), FILE_OF(umask),  FILE_OF(edge),
                                               FILE_OF(inv),   FILE_OF(thresh), NULL};

TEXT(cycles, "cpu-cycles", "event=0x3c");
TEXT(instructions, "instructions", "event=0xc0");
TEXT(references, "cache-references", "event=0x2e,umask=0x4f");
TEXT(misses, "cache-misses", "event=0x2e,umask=0x41");
static struct attribute* core_event_files[] = {FILE_OF(cycles), FILE_OF(instructions),
                                               FILE_OF(references), FILE_OF(misses), NULL};

TEXT(clockticks, "clockticks", "event=0xff");
TEXT(cas_read, "cas_count_read", "event=0x04,umask=0x03");
TEXT(cas_read_scale, "cas_count_read.scale", "6.103515625e-5");
TEXT(cas_read_unit, "cas_count_read.unit", "MiB");
TEXT(cas_write, "cas_count_write", "event=0x04,umask=0x0c");
TEXT(cas_write_scale, "cas_count_write.scale", "6.103515625e-5");
TEXT(cas_write_unit, "cas_count_write.unit", "MiB");
static struct attribute* imc_event_files[] = {
    FILE_OF(clockticks), FILE_OF(cas_read),        FILE_OF(cas_read_scale), FILE_OF(cas_read_unit),
    FILE_OF(cas_write),  FILE_OF(cas_write_scale), FILE_OF(cas_write_unit), NULL};

cpumask_t leaders;
static ssize_t cpumask_show(struct device* device, struct device_attribute* attr, char* text) {
  return cpumap_print_to_pagebuf(true, text, &leaders);
}
static DEVICE_ATTR_RO(cpumask);
static struct attribute* imc_mask_files[] = {&dev_attr_cpumask.attr, NULL};

static const struct attribute_group core_format = {.name = "format", .attrs = core_format_files};
static const struct attribute_group core_events = {.name = "events", .attrs = core_event_files};
static const struct attribute_group imc_format = {.name = "format", .attrs = imc_format_files};
static const struct attribute_group imc_events = {.name = "events", .attrs = imc_event_files};
static const struct attribute_group imc_mask = {.attrs = imc_mask_files};
static const struct attribute_group* core_groups[] = {&core_format, &core_events, NULL};
static const struct attribute_group* imc_groups[] = {&imc_format, &imc_events, &imc_mask, NULL};

static const u64 core_fixed[] = {0xc0, 0x3c, 0x300, 0}, imc_fixed[] = {0xff, 0};

#define IMC(number)                                                                      \
  {                                                                                      \
    .pmu = {.task_ctx_nr = perf_invalid_context,                                         \
            .attr_groups = imc_groups,                                                   \
            .capabilities = PERF_PMU_CAP_NO_EXCLUDE | PERF_PMU_CAP_NO_INTERRUPT},        \
    .name = "uncore_imc_" #number, .fixed = imc_fixed, .bits = 0xff84ffff, .general = 4, \
  }

struct scripted scripted_devices[] = {{.pmu = {.task_ctx_nr = perf_hw_context,
                                               .attr_groups = core_groups,
                                               .capabilities = PERF_PMU_CAP_NO_INTERRUPT},
                                       .name = "cpu",
                                       .is_core = true,
                                       .fixed = core_fixed,
                                       .bits = 0xffa4ffff,
                                       .bits1 = ~0ULL,
                                       .ignored = 1 << 16 | 1 << 17 | 1 << 20 | 1 << 22,
                                       .general = 8},
                                      IMC(0),
                                      IMC(1),
                                      IMC(2),
                                      IMC(3),
                                      IMC(4),
                                      IMC(5)};
const int scripted_count = ARRAY_SIZE(scripted_devices);

struct scripted* find_scripted(const char* name) {
  struct scripted* device;
  for_each_scripted(device) {
    if (strcmp(device->name, name) == 0) return device;
  }
  return NULL;
}

void find_leaders(void) {
  int cpu, leader;
  for_each_online_cpu(cpu) {
    bool is_first = true;
    for_each_cpu(leader, &leaders) {
      is_first &= topology_physical_package_id(leader) != topology_physical_package_id(cpu);
    }
    if (is_first) cpumask_set_cpu(cpu, &leaders);
  }
}
