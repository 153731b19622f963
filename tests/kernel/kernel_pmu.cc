// SPDX-License-Identifier: BSD-3-Clause
//
// The calls of virtual_pmu.h on a real kernel with the scripted PMU (module/): a library that takes
// the virtual PMU's place under its name, so that the same test programs run, bit for bit. What it
// cannot do is told in guest/skipped.txt for each test that needs it.
//
//   a machine   skx only, the one that the kernel runs on
//   the clock   is the kernel's: vpmu_advance() waits that long; after vpmu_freeze(), what has been
//               retired happens while it waits, evenly, as work does
//   privilege   CAP_PERFMON and CAP_SYS_ADMIN, of the calling thread and those it creates later
//   faults      none: vpmu_fault() refuses every rule
#include <fcntl.h>
#include <linux/capability.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "calls.h"
#include "module/protocol.h"
#include "virtual_pmu.h"

namespace {

constexpr char kMachine[] = "skx";
constexpr int kPackages = 2, kCpus = 8;
constexpr int kHighDescriptor = 900;  // tests count on low ones being free

int device = -1;

[[noreturn]] void Die(const char* what) {
  fprintf(stderr, "kernel_pmu: %s: %s\n", what, strerror(errno));
  abort();
}

void OpenDevice() {
  const int fd = open("/dev/scripted_pmu", O_RDWR | O_CLOEXEC);
  device = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
  if (device < 0) Die("/dev/scripted_pmu");
  close(fd);
}

void WriteFile(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, text, strlen(text)) < 0) Die(path);
  close(fd);
}

int Work(const scripted_work& work) { return RealIoctl(device, SCRIPTED_WORK, &work); }

uint64_t Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// --- after vpmu_freeze(), by the thread that called it
// ---------------------------------------------

constexpr uint64_t kStepNs = 20'000;

thread_local bool is_frozen = false;
thread_local std::vector<scripted_work> waiting;

// Spinning, so that the thread's own events stay on its CPU.
void SpreadOver(uint64_t ns) {
  const uint64_t start = Now(), steps = ns / kStepNs + 1;
  for (uint64_t step = 0; step < steps; ++step) {
    for (const scripted_work& work : waiting) {
      scripted_work part = work;
      part.count = work.count * (step + 1) / steps - work.count * step / steps;
      if (part.count != 0 && Work(part) != 0) Die("SCRIPTED_WORK, spread");
    }
    while (Now() < start + ns * (step + 1) / steps) {
    }
  }
  waiting.clear();
}

// --- a thread that is not the caller retires in a signal handler of its own ----------------------

std::mutex others_mutex;
scripted_work others_work;
int others_error;
sem_t others_done;

int OthersSignal() { return SIGRTMAX - 1; }

void OnSignal(int) {
  const int before = errno;
  others_error = Work(others_work) == 0 ? 0 : errno;
  errno = before;
  sem_post(&others_done);
}

void RetireOn(pid_t tid, const scripted_work& work) {
  if (tid == 0 && is_frozen) {
    waiting.push_back(work);
    return;
  }
  if (tid == 0 || tid == gettid()) {
    if (Work(work) != 0) Die("SCRIPTED_WORK");
    return;
  }
  const std::lock_guard lock(others_mutex);
  others_work = work;
  if (syscall(SYS_tgkill, getpid(), tid, OthersSignal()) != 0) Die("a thread that retires");
  while (sem_wait(&others_done) != 0 && errno == EINTR) {
  }
  if ((errno = others_error) != 0) Die("SCRIPTED_WORK of a thread");
}

// --- the machine
// -----------------------------------------------------------------------------------

int Variable(const char* name, int fallback) {
  const char* text = getenv(name);
  return text == nullptr ? fallback : atoi(text);
}

void Reset() {
  for (int cpu = 1; cpu < kCpus; ++cpu) vpmu_set_online(cpu, 1);
  vpmu_set_paranoid(Variable("VPMU_PARANOID", 2));
  vpmu_set_privileged(Variable("VPMU_PRIVILEGED", 0));
  vpmu_reserve("cpu", 0);
  for (const char* controller : {"uncore_imc_0", "uncore_imc_1", "uncore_imc_2", "uncore_imc_3",
                                 "uncore_imc_4", "uncore_imc_5"}) {
    vpmu_reserve(controller, 0);
  }
}

__attribute__((constructor(101))) void Start() {
  OpenDevice();
  sem_init(&others_done, 0, 0);
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigaction(OthersSignal(), &action, nullptr);
  const char* machine = getenv("VPMU_MACHINE");
  if (machine != nullptr && vpmu_use(machine) != 0) {
    fprintf(stderr, "kernel_pmu: the kernel runs on %s, not on %s\n", kMachine, machine);
    abort();
  }
}

}  // namespace

int vpmu_use(const char* machine) {
  is_frozen = false;
  waiting.clear();
  if (machine == nullptr) return 0;
  const char* slash = strrchr(machine, '/');
  if (strcmp(slash == nullptr ? machine : slash + 1, kMachine) != 0) return -1;
  Reset();
  ForgetCalls();
  return 0;
}

void vpmu_retire(pid_t tid, uint64_t config, uint64_t n) {
  RetireOn(tid, {SCRIPTED_THREAD_USER, 0, config, n, ""});
}

void vpmu_retire_kernel(pid_t tid, uint64_t config, uint64_t n) {
  RetireOn(tid, {SCRIPTED_THREAD_KERNEL, 0, config, n, ""});
}

void vpmu_retire_on_cpu(int cpu, uint64_t config, uint64_t n) {
  if (Work({SCRIPTED_CPU, cpu, config, n, ""}) != 0) Die("SCRIPTED_WORK on a CPU");
}

int vpmu_device(int package, const char* name, uint64_t config, uint64_t n) {
  if (package < 0 || package >= kPackages) return -1;
  scripted_work work{SCRIPTED_DEVICE, package, config, n, ""};
  snprintf(work.device, sizeof(work.device), "%s", name);
  return Work(work) == 0 ? 0 : -1;
}

void vpmu_freeze(void) { is_frozen = true; }

void vpmu_advance(uint64_t ns) { SpreadOver(ns); }

int vpmu_fault(const char* rules) { return rules == nullptr ? 0 : -1; }

void vpmu_get_statistics(vpmu_statistics* statistics) {
  CountCalls(*statistics);
  __u32 events = 0;
  if (RealIoctl(device, SCRIPTED_EVENTS, &events) != 0) Die("SCRIPTED_EVENTS");
  statistics->events = events;
}

void vpmu_set_paranoid(int level) {
  char text[16];
  snprintf(text, sizeof(text), "%d", level);
  WriteFile("/proc/sys/kernel/perf_event_paranoid", text);
}

void vpmu_set_privileged(int privileged) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) Die("capget");
  for (const int capability : {CAP_PERFMON, CAP_SYS_ADMIN}) {
    const uint32_t bit = CAP_TO_MASK(capability);
    uint32_t& effective = data[CAP_TO_INDEX(capability)].effective;
    effective = privileged != 0 ? effective | bit : effective & ~bit;
  }
  if (syscall(SYS_capset, &header, data) != 0) Die("capset");
}

void vpmu_set_user_read(int) {}

void vpmu_set_online(int cpu, int online) {
  if (cpu < 0 || cpu >= kCpus) return;
  char path[64];
  snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
  char is_online = 0;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;  // a guest of one CPU
  if (read(fd, &is_online, 1) != 1) Die(path);
  close(fd);
  if ((is_online == '1') != (online != 0)) WriteFile(path, online != 0 ? "1" : "0");
}

int vpmu_reserve(const char* name, int n) {
  scripted_reserve request{static_cast<__u32>(n), ""};
  snprintf(request.device, sizeof(request.device), "%s", name);
  return RealIoctl(device, SCRIPTED_RESERVE, &request) == 0 ? 0 : -1;
}

const char* vpmu_no_cpuid(void) { return nullptr; }  // it is the kernel's machine

const char* vpmu_no_rdpmc(void) { return "the scripted PMU has no counter register to read"; }
