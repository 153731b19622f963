/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A virtual PMU: a shared library that plays the kernel's perf_event interface for a described
 * machine, so that programs above it (our collectors, libpfm4, PAPI) count exactly what a test says
 * was retired, on a machine without any PMU.
 *
 * How to use it from a test
 *   CMake      target_link_libraries(my_test PRIVATE virtual_pmu ...), named before libpapi, libpfm
 *              and whatever else calls perf_event_open; or LD_PRELOAD=libvirtual_pmu.so for a whole
 *              program. Linked, its calls below are real; preloaded or absent, they resolve weakly:
 *              ask vpmu_present() before the first call.
 *   a machine  VPMU_MACHINE=<dir>/<name>, or vpmu_use("<dir>/<name>") in the test. CMake has the
 *              folder in VPMU_MACHINES; the names are skx clx icx spr spr61 emr zen3 zen4 zen5: two
 *              packages of four CPUs (0-3, 4-7). machines.py writes them and says what is in them.
 *              With no machine the library passes everything through.
 *   counting   vpmu_retire(gettid(), 0x1c7, 100) then read(fd): exactly 100 more. An event counts
 *              what has its own encoding, and what has fewer bits in the unit mask (0x3c7 counts
 *              0x1c7 and 0x2c7). Encodings are perf_event's `config`, without privilege bits.
 *   a clock    wall time, until vpmu_freeze(); then only vpmu_advance() moves it. More events than
 *              counters are rotated every millisecond of that clock, and while an event waits what
 *              is retired passes it by, as on silicon.
 *   faults     vpmu_fault("read:7:EIO") or VPMU_FAULT: see vpmu_fault() below.
 *   leaks      vpmu_get_statistics(): descriptors and mappings open now, calls so far.
 *
 * Environment, read when the program starts
 *   VPMU_MACHINE     folder of the machine
 *   VPMU_STATE       file that holds all counters: processes that name the same file share one
 *                    machine. A descriptor passed by SCM_RIGHTS, inherited over fork or duplicated
 *                    refers to the same event. Without it, a process shares with its children only.
 *                    A new file for each job: what an earlier one left is not forgotten.
 *   VPMU_PARANOID    perf_event_paranoid (default: as in the machine's folder, 2)
 *   VPMU_PRIVILEGED  1: the process has CAP_PERFMON (default 0, whatever the real user)
 *   VPMU_USER_READ   0: rdpmc is off (default 1)
 *   VPMU_UID         what getuid() and geteuid() say
 *   VPMU_CPUS        CPUs of the virtual machine that this process runs on, as in "4-7": answers of
 *                    sched_getaffinity() and sched_getcpu(). Bind real CPUs by no means (mpirun
 *                    --bind-to none). The package of a rank is the package of its CPUs.
 *   VPMU_FAULT       fault rules
 *   VPMU_CPUID       parts of names of further libraries, by ':', in which CPUID shall answer for
 *                    the machine, as it does in libpfm. The two bytes are replaced wherever they
 *                    stand: make sure that nothing else in that text looks like them
 *
 * What differs from a kernel
 *   - Software events, tracepoints and breakpoints go to the real kernel. They are counted in the
 *     statistics and hit by faults, but cannot share a group with virtual events (EINVAL).
 *   - Encodings with bits outside the device's format/ give EINVAL; kernels often ignore them.
 *   - Every thread runs all the time, on a CPU of its own: times never stop, and another thread's
 *     page always invites to an rdpmc that reads a wrong counter (on silicon: while it runs).
 *   - No sampling: such events open and count, nothing is written.
 *   - RESET leaves what ended children have added, as kernels do, and that of living ones.
 *   - The user-space read (rdpmc) is emulated where the instruction traps; where it does not,
 *     cap_user_rdpmc is 0. CPUID is faked by replacing the instruction in libpfm's text by an
 *     undefined one: that works under every hypervisor, where CPUID faulting mostly does not, and
 *     leaves the choice of code in other libraries alone.
 *
 * All functions are thread-safe. The *_test.cc here are examples. */
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_VIRTUAL_PMU_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_VIRTUAL_PMU_H_

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VPMU_API __attribute__((weak, visibility("default")))

/* Describes the machine anew: all events are forgotten, statistics and faults start again, the
 * clock runs. Close descriptors before. libpfm4 and PAPI look at the machine once in a process:
 * what uses them needs a process for each machine. Returns 0, or -1 if the folder has no machine;
 * NULL: no machine. */
VPMU_API int vpmu_use(const char* machine);

/* Thread `tid` (0: the caller) retires n of `config` in user mode, or in the kernel: seen by its
 * own events and by those that it inherited. */
VPMU_API void vpmu_retire(pid_t tid, uint64_t config, uint64_t n);
VPMU_API void vpmu_retire_kernel(pid_t tid, uint64_t config, uint64_t n);
/* Something on `cpu` retires n: seen by that CPU's events of the core PMU. */
VPMU_API void vpmu_retire_on_cpu(int cpu, uint64_t config, uint64_t n);
/* The device ("uncore_imc_3", "amd_umc_17", "amd_df") of a package sees n of `config`. Returns -1
 * if the package has no such device. */
VPMU_API int vpmu_device(int package, const char* device, uint64_t config, uint64_t n);

/* From here only vpmu_advance() moves the clock, until vpmu_use(). */
VPMU_API void vpmu_freeze(void);
VPMU_API void vpmu_advance(uint64_t ns);

/* Rules "OP:K:KIND", joined by ';', replace those before and start the counting of calls again;
 * NULL removes all. OP is open, read, ioctl, mmap or close; K is the number of the call in this
 * process (from 1), "K+" for that and all later ones, or "*". KIND is EACCES, EIO ...  any errno by
 * name (a close that fails has closed) short, eof       (read) half of the bytes; none backwards,
 * stale (read) values smaller than, or the same as, those that the event gave last wrap48 (read)
 * from this read on the event's values start at 0 again: 48 bits were lost; (open) the event starts
 * 1000 below 2^48 and wraps there Returns 0, or -1 if a rule cannot be understood (then no rule is
 * active). */
VPMU_API int vpmu_fault(const char* rules);

struct vpmu_statistics {
  uint64_t opens, reads, ioctls, mmaps, closes; /* calls of this process, failed ones too */
  uint64_t rdpmcs;                              /* user-space reads that were emulated */
  uint64_t open_descriptors; /* virtual events' descriptors of this process, now */
  uint64_t mappings;         /* their mappings, now */
  uint64_t events;           /* events alive in all processes of the state */
};
VPMU_API void vpmu_get_statistics(struct vpmu_statistics* statistics);

VPMU_API void vpmu_set_paranoid(int level);
VPMU_API void vpmu_set_privileged(int privileged);
/* 0: no event may be read by rdpmc, as with 0 in a kernel's /sys/devices/cpu/rdpmc. */
VPMU_API void vpmu_set_user_read(int allowed);
VPMU_API void vpmu_set_online(int cpu, int online);
/* Somebody else (the NMI watchdog, a site's monitoring) holds n of the device's counters. Returns
 * -1 if there is no such device. */
VPMU_API int vpmu_reserve(const char* device, int n);

/* NULL if CPUID answers for the machine in libpfm, else why it does not; then LIBPFM_FORCE_PMU
 * chooses the PMU. NULL likewise if rdpmc is emulated. */
VPMU_API const char* vpmu_no_cpuid(void);
VPMU_API const char* vpmu_no_rdpmc(void);

static inline int vpmu_present(void) { return vpmu_retire != 0; }

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_VIRTUAL_PMU_VIRTUAL_PMU_H_ */
