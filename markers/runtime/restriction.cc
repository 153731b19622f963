// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/restriction.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/core/inside.h"
#include "lib/core/log.h"
#include "lib/core/messages/recording.h"
#include "lib/core/seccomp_filter.h"
#include "markers/runtime/runtime.h"

namespace roofmark::runtime {
namespace {

struct NamedCall {
  long number;
  std::string_view name;
};

#define ROOF_CALL(name) \
  NamedCall { SYS_##name, #name }
// While visits are recorded, and where the file is written and the spool removed; those first that
// filters forbid most.
constexpr std::array kCalls = {
    ROOF_CALL(openat),        ROOF_CALL(getrusage),      ROOF_CALL(newfstatat),
    ROOF_CALL(linkat),        ROOF_CALL(unlinkat),       ROOF_CALL(getdents64),
    ROOF_CALL(pread64),       ROOF_CALL(read),           ROOF_CALL(write),
    ROOF_CALL(close),         ROOF_CALL(lseek),          ROOF_CALL(renameat),
    ROOF_CALL(mkdirat),       ROOF_CALL(fsync),          ROOF_CALL(fchmod),
    ROOF_CALL(fcntl),         ROOF_CALL(fallocate),      ROOF_CALL(readlinkat),
    ROOF_CALL(mmap),          ROOF_CALL(munmap),         ROOF_CALL(mprotect),
    ROOF_CALL(brk),           ROOF_CALL(futex),          ROOF_CALL(getpid),
    ROOF_CALL(gettid),        ROOF_CALL(geteuid),        ROOF_CALL(prlimit64),
    ROOF_CALL(rt_sigpending), ROOF_CALL(rt_sigprocmask), ROOF_CALL(sched_getaffinity),
    ROOF_CALL(uname),         ROOF_CALL(getrandom),      ROOF_CALL(clock_gettime),
#ifdef SYS_mkdir
    ROOF_CALL(mkdir),         ROOF_CALL(rmdir),          ROOF_CALL(readlink),
    ROOF_CALL(poll),          ROOF_CALL(rename),         ROOF_CALL(unlink),
#endif
};
#undef ROOF_CALL

#if defined(__x86_64__)
constexpr uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kMachine = 0;
#endif

std::atomic<bool> g_restricted{false};

// False: the kernel will find no memory there either.
bool ReadOwn(const void* from, void* to, size_t bytes) {
  const iovec local = {to, bytes};
  const iovec remote = {const_cast<void*>(from), bytes};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

std::vector<sock_filter> ReadProgram(const void* address) {
  sock_fprog program = {};
  if (!ReadOwn(address, &program, sizeof program) || program.len > BPF_MAXINSNS) return {};
  std::vector<sock_filter> filter(program.len);
  if (!ReadOwn(program.filter, filter.data(), program.len * sizeof program.filter[0])) return {};
  return filter;
}

void EndBefore(const std::string& forbidden) {
  Complain(message::kSandboxEndsRecording, forbidden);
  EndEarly(InWords(message::kSandboxEndsRecording, forbidden));
  g_restricted = true;
}

template <typename Body>
void WhileRecording(Body body) noexcept {
  const int error = errno;
  const Inside inside;
  try {
    if (inside && Active()) body();
  } catch (...) {  // memory is short: it goes on as if nobody had looked
  }
  errno = error;
}

}  // namespace

std::string ForbiddenCalls(std::span<const sock_filter> filter) {
  constexpr size_t kNamed = 3;
  std::string names;
  size_t forbidden = 0;
  for (const NamedCall& call : kCalls) {
    const seccomp_data asked = {static_cast<int>(call.number), kMachine, 0, {}};
    if (IsHarmless(FilterSays(filter, asked)) || ++forbidden > kNamed) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", call.name);
  }
  if (forbidden > kNamed) names += fmt::format(" and {} more", forbidden - kNamed);
  return names;
}

void BeforeFilter(const void* program) noexcept {
  WhileRecording([program] {
    const std::string forbidden = ForbiddenCalls(ReadProgram(program));
    if (!forbidden.empty()) EndBefore(forbidden);
  });
}

void BeforeStrictMode() noexcept {
  WhileRecording([] { EndBefore("all but read, write and exit"); });
}

bool IsRestricted() noexcept { return g_restricted.load(std::memory_order_relaxed); }

}  // namespace roofmark::runtime
