// SPDX-License-Identifier: BSD-3-Clause
//
// Calls on event descriptors.
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "descriptors.h"
#include "events.h"
#include "faults.h"
#include "machine.h"
#include "real.h"
#include "state.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace vpmu {
namespace {

template <typename T>
T Answer(T result) {
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

template <typename T>
T Failed(int error, T result) {
  errno = error;
  return result;
}

bool IsRealType(uint32_t type) {
  return type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_TRACEPOINT || type == PERF_TYPE_BREAKPOINT;
}

Descriptor Find(int fd) {
  return Current() == nullptr ? Descriptor{Descriptor::kOther, 0} : Lookup(fd);
}

// The part of the attributes that the caller's structure has; the rest is 0.
int CopyAttributes(perf_event_attr* given, perf_event_attr& attr) {
  if (given == nullptr) return -EFAULT;
  const uint32_t size = given->size == 0 ? uint32_t{PERF_ATTR_SIZE_VER0} : given->size;
  const auto* bytes = reinterpret_cast<const char*>(given);
  bool fits = size >= PERF_ATTR_SIZE_VER0 && size <= 4096;
  for (size_t i = sizeof(attr); fits && i < size; ++i) fits = bytes[i] == 0;
  if (!fits) {
    given->size = sizeof(attr);
    return -E2BIG;
  }
  memcpy(&attr, given, std::min<size_t>(size, sizeof(attr)));
  return 0;
}

long Open(perf_event_attr* given, pid_t pid, int cpu, int group, unsigned long flags) {
  const Fault fault = Next(Call::kOpen);
  if (fault.kind == Fault::kErrno) return Failed(fault.error, -1L);
  perf_event_attr attr{};
  if (const int error = CopyAttributes(given, attr); error != 0) return Answer<long>(error);
  if (!IsRealType(attr.type)) {
    return Answer<long>(OpenEvent(attr, pid, cpu, group, flags, fault.kind == Fault::kWrap));
  }
  if (Lookup(group).kind == Descriptor::kVirtual) return Failed(EINVAL, -1L);
  const long fd = REAL(syscall)(SYS_perf_event_open, given, pid, cpu, group, flags);
  if (fd >= 0) RememberReal(static_cast<int>(fd));
  return fd;
}

ReadFault ToReadFault(const Fault& fault) {
  if (fault.kind == Fault::kBackwards) return ReadFault::kBackwards;
  if (fault.kind == Fault::kStale) return ReadFault::kStale;
  return fault.kind == Fault::kWrap ? ReadFault::kWrap : ReadFault::kNone;
}

ssize_t Read(int fd, const Descriptor& descriptor, void* buffer, size_t size) {
  const Fault fault = Next(Call::kRead);
  if (fault.kind == Fault::kErrno) return Failed(fault.error, ssize_t{-1});
  if (fault.kind == Fault::kEndOfFile) return 0;
  const ssize_t bytes = descriptor.kind == Descriptor::kReal
                            ? REAL(read)(fd, buffer, size)
                            : Answer(ReadEvent(descriptor.event, buffer, size, ToReadFault(fault)));
  return fault.kind == Fault::kShort && bytes > 0 ? bytes / 2 : bytes;
}

int Ioctl(int fd, const Descriptor& descriptor, unsigned long request, unsigned long argument) {
  const Fault fault = Next(Call::kIoctl);
  if (fault.kind == Fault::kErrno) return Failed(fault.error, -1);
  return descriptor.kind == Descriptor::kReal
             ? REAL(ioctl)(fd, request, argument)
             : Answer(ControlEvent(descriptor.event, request, argument));
}

// Even one that fails has closed.
int Close(int fd, const Descriptor& descriptor) {
  const Fault fault = Next(Call::kClose);
  Forget(fd);
  const int result = REAL(close)(fd);
  if (descriptor.kind == Descriptor::kVirtual) Release(descriptor.event);
  return fault.kind == Fault::kErrno ? Failed(fault.error, -1) : result;
}

void* Map(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  const Descriptor descriptor =
      (flags & MAP_ANONYMOUS) != 0 ? Descriptor{Descriptor::kOther, 0} : Find(fd);
  if (descriptor.kind == Descriptor::kOther) {
    return REAL(mmap)(address, length, protection, flags, fd, offset);
  }
  const Fault fault = Next(Call::kMmap);
  if (fault.kind == Fault::kErrno) return Failed(fault.error, MAP_FAILED);
  if (descriptor.kind == Descriptor::kReal) {
    return REAL(mmap)(address, length, protection, flags, fd, offset);
  }
  const int error =
      (flags & MAP_SHARED) == 0 ? -EINVAL : PrepareMapping(descriptor.event, length, offset);
  if (error != 0) return Failed(-error, MAP_FAILED);
  return MapPage(descriptor.event, address, length, protection, (flags & MAP_FIXED) != 0);
}

// A number that now means what another one means.
int Duplicated(int original, int copy) {
  if (copy < 0 || Current() == nullptr) return copy;
  Forget(copy);
  if (Lookup(original).kind == Descriptor::kReal) RememberReal(copy);
  return copy;
}

int Replace(int fd, int number, int flags) {
  const Descriptor before = fd == number ? Descriptor{Descriptor::kOther, 0} : Find(number);
  const int copy = flags == 0 ? REAL(dup2)(fd, number) : REAL(dup3)(fd, number, flags);
  if (copy < 0 || fd == number) return copy;
  if (before.kind == Descriptor::kVirtual) Release(before.event);
  return Duplicated(fd, copy);
}

void ForgetReceived(const msghdr* message) {
  auto* header = const_cast<msghdr*>(message);
  for (cmsghdr* part = CMSG_FIRSTHDR(header); part != nullptr; part = CMSG_NXTHDR(header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      Forget(fd);
    }
  }
}

}  // namespace
}  // namespace vpmu

using vpmu::Current, vpmu::Descriptor;

// Reads six arguments however many were given, as the kernel does; to a sanitizer those are
// foreign.
EXPORT __attribute__((no_sanitize("address"))) long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& value : a) value = va_arg(list, long);
  va_end(list);
  if (Current() != nullptr && number == SYS_perf_event_open) {
    return vpmu::Open(reinterpret_cast<perf_event_attr*>(a[0]), static_cast<pid_t>(a[1]),
                      static_cast<int>(a[2]), static_cast<int>(a[3]),
                      static_cast<unsigned long>(a[4]));
  }
  if (number == SYS_close) return close(static_cast<int>(a[0]));
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

EXPORT ssize_t read(int fd, void* buffer, size_t size) {
  const Descriptor descriptor = vpmu::Find(fd);
  if (descriptor.kind == Descriptor::kOther) return REAL(read)(fd, buffer, size);
  return vpmu::Read(fd, descriptor, buffer, size);
}

EXPORT ssize_t __read_chk(int fd, void* buffer, size_t size, size_t) {
  return read(fd, buffer, size);
}

EXPORT ssize_t write(int fd, const void* buffer, size_t size) {
  if (vpmu::Find(fd).kind != Descriptor::kVirtual) return REAL(write)(fd, buffer, size);
  return vpmu::Failed(EINVAL, ssize_t{-1});
}

EXPORT off_t lseek(int fd, off_t offset, int whence) noexcept {
  if (vpmu::Find(fd).kind != Descriptor::kVirtual) return REAL(lseek)(fd, offset, whence);
  return vpmu::Failed(ESPIPE, off_t{-1});
}

EXPORT off64_t lseek64(int fd, off64_t offset, int whence) noexcept {
  return lseek(fd, offset, whence);
}

EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  const unsigned long argument = va_arg(list, unsigned long);
  va_end(list);
  const Descriptor descriptor = vpmu::Find(fd);
  if (descriptor.kind == Descriptor::kOther) return REAL(ioctl)(fd, request, argument);
  return vpmu::Ioctl(fd, descriptor, request, argument);
}

EXPORT void* mmap(void* address, size_t length, int protection, int flags, int fd,
                  off_t offset) noexcept {
  return vpmu::Map(address, length, protection, flags, fd, offset);
}

EXPORT void* mmap64(void* address, size_t length, int protection, int flags, int fd,
                    off64_t offset) noexcept {
  return vpmu::Map(address, length, protection, flags, fd, offset);
}

EXPORT int close(int fd) {
  const Descriptor descriptor = vpmu::Find(fd);
  if (descriptor.kind != Descriptor::kOther) return vpmu::Close(fd, descriptor);
  if (Current() != nullptr) vpmu::Forget(fd);
  return REAL(close)(fd);
}

EXPORT int dup(int fd) noexcept { return vpmu::Duplicated(fd, REAL(dup)(fd)); }
EXPORT int dup2(int fd, int number) noexcept { return vpmu::Replace(fd, number, 0); }
EXPORT int dup3(int fd, int number, int flags) noexcept {
  return flags == 0 && fd == number ? REAL(dup3)(fd, number, flags)
                                    : vpmu::Replace(fd, number, flags);
}

EXPORT int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  const int result = REAL(fcntl)(fd, command, argument);
  const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  return copies ? vpmu::Duplicated(fd, result) : result;
}

EXPORT int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  return fcntl(fd, command, argument);
}

EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  const ssize_t bytes = REAL(recvmsg)(fd, message, flags);
  if (bytes >= 0 && Current() != nullptr) vpmu::ForgetReceived(message);
  return bytes;
}

EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  const int result = REAL(close_range)(first, last, flags);
  if (Current() != nullptr) vpmu::ForgetAll();
  return result;
}
