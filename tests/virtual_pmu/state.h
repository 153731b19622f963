// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that the virtual kernel knows, in one shared file: events, the contexts they are
// scheduled in, threads, the clock. Threads and processes change it under its one lock.
//
// A descriptor of an event is an open file description of that very file, whose offset is the
// event's number and which holds a lock on one byte, number kLockBase + event, as long as any
// process has it. So duplicates, forks, messages and exits need no bookkeeping: the real kernel
// knows who holds what.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_STATE_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_STATE_H_

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>

namespace vpmu {

inline constexpr uint32_t kMostEvents = 8192, kMostContexts = 4096, kMostThreads = 4096;
inline constexpr uint32_t kMostPmus = 128, kMostCpus = 1024;
inline constexpr uint64_t kMask48 = (uint64_t{1} << 48) - 1;
inline constexpr uint64_t kWrapAfter = 1000;  // counts left before a wrap48 event wraps

// A group's events are those with the same leader; a leader leads itself. Links of 0 end a list.
struct Event {
  bool used, enabled, failed;  // failed: pinned, and found no counter
  bool on;                     // counting at this moment
  bool exclude_user, exclude_kernel, pinned, inherit, mapped;
  uint16_t pmu;
  int32_t tid, cpu;                // -1: any
  uint32_t context, leader, next;  // next event of the context, in order of creation
  uint64_t id, config, read_format, sequence;
  uint64_t count, inherited, enabled_ns, running_ns;
  uint64_t start;     // not 0: 48-bit values that begin here
  uint64_t lost;      // subtracted from reported values (fault rule read:wrap48)
  uint64_t reported;  // the value last given
  uint64_t hardware;  // as `count`, but never reset
};

// The events that share one set of counters: a task's on a PMU, or a package's device.
struct Context {
  bool used, multiplexed;
  uint16_t pmu;
  int32_t tid, place;  // place: a CPU of the core PMU, else the package
  uint32_t first;
  uint32_t rotation;
  uint64_t synced_ns;
};

struct Thread {
  pid_t tid, parent;
  uint64_t sequence;  // of creation, among events
};

// What a test may choose of a machine.
struct Rules {
  int paranoid;
  bool no_user_read;
};

struct Shared {
  uint64_t ready;
  pthread_mutex_t mutex;
  Rules rules;
  bool frozen;
  int64_t clock_ns;  // frozen: the time, else what is added to the monotonic clock
  bool offline[kMostCpus];
  uint64_t sequence, ids;
  uint32_t events_end, contexts_end, threads_end;
  uint8_t reserved[kMostPmus];
  Context contexts[kMostContexts];
  Thread threads[kMostThreads];
  Event events[kMostEvents];
};

// Opens VPMU_STATE or a private file; the first process to do so gives it its rules. False if that
// is impossible.
bool OpenState(const Rules& rules);
// Forgets all events and threads: those of other processes too.
void ResetState(const Rules& rules);
Shared& State();

// Held for every look at State(); works over processes, and survives one that dies with it.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

uint64_t Now();

// A new descriptor for an event; -1 with errno (EMFILE ...).
int NewDescriptor(uint32_t event, bool close_on_exec);
// True while any process holds a descriptor (or has one under way in a message).
bool IsHeld(uint32_t event);
// The event that a descriptor refers to by what the kernel knows of it; 0: it is none of ours.
uint32_t EventOf(int fd);
// Where the page of an event lies in the file.
off_t PageOffset(uint32_t event);
void* PageOf(uint32_t event);
// A new mapping of the page; MAP_FAILED with errno.
void* MapPage(uint32_t event, void* address, size_t length, int protection, bool fixed);

// Descriptors and page mappings of this process, by /proc/self.
uint64_t CountDescriptors();
uint64_t CountMappings();

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_STATE_H_
