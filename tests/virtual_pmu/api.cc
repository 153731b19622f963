// SPDX-License-Identifier: BSD-3-Clause
//
// The start of the library, and the functions of virtual_pmu.h.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "affinity.h"
#include "descriptors.h"
#include "events.h"
#include "faults.h"
#include "page.h"
#include "privilege.h"
#include "processor.h"
#include "schedule.h"
#include "virtual_pmu.h"

namespace vpmu {
namespace {

bool is_privileged = false;

int Variable(const char* name, int fallback) {
  const char* text = getenv(name);
  return text == nullptr ? fallback : atoi(text);
}

// `fresh`: whatever the state holds is of another machine.
bool Use(const char* root, bool fresh) {
  auto machine = ReadMachine(root);
  if (machine == nullptr || machine->pmus.size() > kMostPmus) return false;
  const Rules rules = {Variable("VPMU_PARANOID", machine->paranoid),
                       Variable("VPMU_USER_READ", 1) == 0};
  if (!OpenState(rules)) return false;
  if (fresh) ResetState(rules);
  ForgetAll();
  StartProcessor();
  LearnClock();
  SetFaults(fresh ? nullptr : getenv("VPMU_FAULT"));
  SetCurrent(std::move(machine));
  return true;
}

__attribute__((constructor(101))) void Start() {
  is_privileged = Variable("VPMU_PRIVILEGED", 0) != 0;
  ReadAffinity();
  const char* root = getenv("VPMU_MACHINE");
  // Under the counting engine nobody reads counters, and it does not execute RDPMC.
  if (root == nullptr || getenv("VALGRIND_LIB") != nullptr || Use(root, false)) return;
  const char problem[] = "virtual_pmu: VPMU_MACHINE names no folder with a machine\n";
  if (write(2, problem, sizeof(problem) - 1) < 0) return;
}

pid_t OrCaller(pid_t tid) { return tid == 0 ? gettid() : tid; }

}  // namespace

int Paranoid() { return State().rules.paranoid; }
bool IsPrivileged() { return is_privileged; }
void SetParanoid(int level) { State().rules.paranoid = level; }
void SetPrivileged(bool privileged) { is_privileged = privileged; }

}  // namespace vpmu

using vpmu::Current, vpmu::Locked, vpmu::State;

int vpmu_use(const char* machine) {
  vpmu::SetCurrent(nullptr);
  if (machine == nullptr) return 0;
  return vpmu::Use(machine, true) ? 0 : -1;
}

void vpmu_retire(pid_t tid, uint64_t config, uint64_t n) {
  if (Current() == nullptr) return;
  vpmu::RetireOnThread(vpmu::OrCaller(tid), config, n, vpmu::Mode::kUser);
}

void vpmu_retire_kernel(pid_t tid, uint64_t config, uint64_t n) {
  if (Current() == nullptr) return;
  vpmu::RetireOnThread(vpmu::OrCaller(tid), config, n, vpmu::Mode::kKernel);
}

void vpmu_retire_on_cpu(int cpu, uint64_t config, uint64_t n) {
  if (Current() != nullptr) vpmu::RetireOnCpu(cpu, config, n);
}

int vpmu_device(int package, const char* device, uint64_t config, uint64_t n) {
  return Current() == nullptr ? -1 : vpmu::RetireOnDevice(package, device, config, n);
}

void vpmu_freeze(void) {
  if (Current() == nullptr) return;
  const Locked lock;
  const uint64_t now = vpmu::Now();
  State().frozen = true;
  State().clock_ns = static_cast<int64_t>(now);
  vpmu::SyncAll();
}

void vpmu_advance(uint64_t ns) {
  if (Current() == nullptr) return;
  const Locked lock;
  State().clock_ns += static_cast<int64_t>(ns);
  vpmu::SyncAll();
}

int vpmu_fault(const char* rules) { return vpmu::SetFaults(rules) ? 0 : -1; }

void vpmu_get_statistics(struct vpmu_statistics* statistics) {
  *statistics = {};
  if (Current() == nullptr) return;
  statistics->opens = vpmu::CountOf(vpmu::Call::kOpen);
  statistics->reads = vpmu::CountOf(vpmu::Call::kRead);
  statistics->ioctls = vpmu::CountOf(vpmu::Call::kIoctl);
  statistics->mmaps = vpmu::CountOf(vpmu::Call::kMmap);
  statistics->closes = vpmu::CountOf(vpmu::Call::kClose);
  statistics->rdpmcs = vpmu::CountRdpmc();
  statistics->open_descriptors = vpmu::CountDescriptors();
  statistics->mappings = vpmu::CountMappings();
  statistics->events = vpmu::CountEvents();
}

void vpmu_set_paranoid(int level) {
  if (Current() != nullptr) vpmu::SetParanoid(level);
}

void vpmu_set_privileged(int privileged) { vpmu::SetPrivileged(privileged != 0); }

void vpmu_set_user_read(int allowed) {
  if (Current() == nullptr) return;
  const Locked lock;
  State().rules.no_user_read = allowed == 0;
  vpmu::SyncAll();
}

void vpmu_set_online(int cpu, int online) {
  if (Current() == nullptr) return;
  const Locked lock;
  State().offline[cpu] = online == 0;
}

int vpmu_reserve(const char* device, int n) {
  const int pmu = Current() == nullptr ? -1 : vpmu::PmuNumber(*Current(), device);
  if (pmu < 0) return -1;
  const Locked lock;
  State().reserved[pmu] = static_cast<uint8_t>(n);
  for (uint32_t i = 1; i < State().contexts_end; ++i) {
    vpmu::Context& context = State().contexts[i];
    if (!context.used || context.pmu != pmu) continue;
    vpmu::Sync(context);
    vpmu::Schedule(context);
  }
  return 0;
}

const char* vpmu_no_cpuid(void) { return vpmu::NoCpuid(); }
const char* vpmu_no_rdpmc(void) { return vpmu::NoRdpmc(); }
