// SPDX-License-Identifier: BSD-3-Clause
//
// What the virtual kernel does with events: opening, counting, reading, commands. Functions that
// fail return a negative errno. They take the state's lock themselves.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_EVENTS_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_EVENTS_H_

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "machine.h"

namespace vpmu {

// The tests of the kernel, in its order, then a new event and its descriptor.
int OpenEvent(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, uint64_t flags,
              bool wraps);

enum class ReadFault { kNone, kBackwards, kStale, kWrap };
// Bytes written to `buffer`; 0: end of file.
ssize_t ReadEvent(uint32_t event, void* buffer, size_t size, ReadFault fault);

int ControlEvent(uint32_t event, unsigned long request, unsigned long argument);

// May the page be mapped? Marks the event as mapped.
int PrepareMapping(uint32_t event, size_t length, off_t offset);

// Ends the event if nobody holds it any more.
void Release(uint32_t event);
// Ends the event; its group falls apart if it led one. Needs the lock.
void Remove(uint32_t event);
// Those alive, after removing what dead processes left.
uint64_t CountEvents();

enum class Mode { kUser, kKernel };
void RetireOnThread(pid_t tid, uint64_t config, uint64_t n, Mode mode);
void RetireOnCpu(int cpu, uint64_t config, uint64_t n);
int RetireOnDevice(int package, const std::string& device, uint64_t config, uint64_t n);

// Who created whom, for inherited events. `sequence` is that of the moment before the creation.
uint64_t CreationSequence();
void RegisterThread(pid_t tid, pid_t parent, uint64_t sequence);

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_EVENTS_H_
