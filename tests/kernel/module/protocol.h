/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a test program says to the scripted PMU's device file, /dev/scripted_pmu. */
#ifndef ROOFMARK_TESTS_KERNEL_MODULE_PROTOCOL_H_
#define ROOFMARK_TESTS_KERNEL_MODULE_PROTOCOL_H_

#include <linux/ioctl.h>
#include <linux/types.h>

enum scripted_kind {
  SCRIPTED_THREAD_USER,   /* the calling thread, in user mode */
  SCRIPTED_THREAD_KERNEL, /* the calling thread, in the kernel */
  SCRIPTED_CPU,           /* something on CPU `place` */
  SCRIPTED_DEVICE,        /* `device` of package `place` */
};

/* `count` of the event `config` happen. ENODEV: no such CPU, package or device. */
struct scripted_work {
  __u32 kind;
  __s32 place;
  __u64 config;
  __u64 count;
  char device[24];
};

/* `count` general counters of the device are not to be had. */
struct scripted_reserve {
  __u32 count;
  char device[24];
};

#define SCRIPTED_WORK _IOW('R', 1, struct scripted_work)
#define SCRIPTED_RESERVE _IOW('R', 2, struct scripted_reserve)
#define SCRIPTED_EVENTS _IOR('R', 3, __u32) /* events that are open now; inherited ones are not */

#endif /* ROOFMARK_TESTS_KERNEL_MODULE_PROTOCOL_H_ */
