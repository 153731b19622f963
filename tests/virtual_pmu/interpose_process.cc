// SPDX-License-Identifier: BSD-3-Clause
//
// Calls about threads, users, CPUs and signals.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "affinity.h"
#include "events.h"
#include "machine.h"
#include "processor.h"
#include "real.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace vpmu {
namespace {

// No dynamic initialisation: other libraries' constructors may call us before ours ran.
constexpr int kMostCpus = 1024;
int affinity[kMostCpus];
int affinity_size = 0;
std::atomic<unsigned> threads{0};
long user = -1;  // -1: the real one

// Set before fork() by the thread that calls it, read by the child.
struct {
  pid_t parent;
  uint64_t sequence;
} forking;

struct Start {
  void* (*function)(void*);
  void* argument;
  pid_t parent;
  uint64_t sequence;
};

void* RunThread(void* data) {
  const Start start = *static_cast<Start*>(data);
  delete static_cast<Start*>(data);
  RegisterThread(gettid(), start.parent, start.sequence);
  return start.function(start.argument);
}

void BeforeFork() {
  if (Current() != nullptr) forking = {gettid(), CreationSequence()};
}

void AfterForkInChild() {
  if (Current() != nullptr) RegisterThread(getpid(), forking.parent, forking.sequence);
}

// Threads take the CPUs in turn.
int CpuOfThread() {
  thread_local const unsigned number = threads++;
  return affinity[number % affinity_size];
}

int GetAffinity(size_t size, cpu_set_t* set) {
  memset(set, 0, size);
  for (int i = 0; i < affinity_size; ++i) CPU_SET_S(affinity[i], size, set);
  return 0;
}

}  // namespace

void ReadAffinity() {
  if (const char* list = getenv("VPMU_CPUS"); list != nullptr) {
    for (const int cpu : ParseList(list)) {
      if (affinity_size < kMostCpus) affinity[affinity_size++] = cpu;
    }
  }
  if (const char* uid = getenv("VPMU_UID"); uid != nullptr) user = atol(uid);
  pthread_atfork(BeforeFork, nullptr, AfterForkInChild);
}

}  // namespace vpmu

using vpmu::affinity_size, vpmu::Current;

EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*function)(void*), void* argument) noexcept {
  if (Current() == nullptr) return REAL(pthread_create)(thread, attributes, function, argument);
  auto* start = new vpmu::Start{function, argument, gettid(), vpmu::CreationSequence()};
  const int error = REAL(pthread_create)(thread, attributes, vpmu::RunThread, start);
  if (error != 0) delete start;
  return error;
}

EXPORT uid_t getuid() noexcept {
  return vpmu::user < 0 ? REAL(getuid)() : static_cast<uid_t>(vpmu::user);
}

EXPORT uid_t geteuid() noexcept {
  return vpmu::user < 0 ? REAL(geteuid)() : static_cast<uid_t>(vpmu::user);
}

EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t* set) noexcept {
  return affinity_size == 0 ? REAL(sched_getaffinity)(pid, size, set)
                            : vpmu::GetAffinity(size, set);
}

EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) noexcept {
  return affinity_size == 0 ? REAL(pthread_getaffinity_np)(thread, size, set)
                            : vpmu::GetAffinity(size, set);
}

// The CPUs of the machine are not there to be bound to.
EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t* set) noexcept {
  return affinity_size == 0 ? REAL(sched_setaffinity)(pid, size, set) : 0;
}

EXPORT int sched_getcpu() noexcept {
  return affinity_size == 0 ? REAL(sched_getcpu)() : vpmu::CpuOfThread();
}

EXPORT int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  if (Current() != nullptr && vpmu::ChainHandler(signal, action, old)) return 0;
  return REAL(sigaction)(signal, action, old);
}
