// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/signal_timer.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "lib/core/clock.h"

namespace roofmark::samples {
namespace {

constexpr int kSignal = SIGURG;
constexpr uint64_t kSecond = 1'000'000'000;

// One for each timer. A signal carries the address of its slot, so that no signal of somebody
// else's timer can lead the handler astray.
struct Slot {
  std::atomic<SignalBuffer*> buffer{nullptr};
  std::atomic<bool> taken{false};
};
constexpr size_t kSlots = 4096;
Slot g_slots[kSlots];

struct sigaction g_before;

// 0: of this architecture it is not known where a context has it.
uint64_t AddressIn(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#elif defined(__powerpc64__)
  constexpr int kNextInstruction = 32;
  return context.uc_mcontext.gp_regs[kNextInstruction];
#else
  static_cast<void>(context);
  return 0;
#endif
}
#if defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__)
constexpr bool kKnowsContexts = true;
#else
constexpr bool kKnowsContexts = false;
#endif

// Only loads and stores: it takes no lock, calls nothing and leaves errno alone.
void Handle(int, siginfo_t* info, void* context) {
  if (info == nullptr || info->si_code != SI_TIMER) return;
  auto* slot = static_cast<Slot*>(info->si_value.sival_ptr);
  if (slot < g_slots || slot >= g_slots + kSlots) return;
  SignalBuffer* buffer = slot->buffer.load(std::memory_order_acquire);
  if (buffer == nullptr) return;
  const auto missed = static_cast<uint64_t>(std::max(info->si_overrun, 0));
  const uint32_t at = buffer->written.load(std::memory_order_relaxed);
  const bool full = at - buffer->read.load(std::memory_order_acquire) >= SignalBuffer::kEntries;
  const uint64_t lost = missed + (full ? 1 : 0);
  if (lost > 0) buffer->lost.fetch_add(lost, std::memory_order_relaxed);
  if (full) return;
  buffer->address[at % SignalBuffer::kEntries].store(
      AddressIn(*static_cast<const ucontext_t*>(context)), std::memory_order_relaxed);
  buffer->written.store(at + 1, std::memory_order_release);
}

bool IsOurs(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &Handle;
}

size_t TakeSlot() noexcept {
  for (size_t i = 0; i < kSlots; ++i) {
    bool free = false;
    if (!g_slots[i].taken.compare_exchange_strong(free, true)) continue;
    if (g_slots[i].buffer.load() == nullptr) {
      auto* made = new (std::nothrow) SignalBuffer;
      if (made == nullptr) {
        g_slots[i].taken = false;
        return kSlots;
      }
      g_slots[i].buffer = made;
    }
    return i;
  }
  return kSlots;
}

// Into what a signal carries, and by the kernel's own number: glibc's timers have a thread of
// their own in some cases, and take memory.
int MakeTimer(pid_t tid, Slot* slot) noexcept {
  struct sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event.sigev_value.sival_ptr = slot;
  event._sigev_un._tid = tid;
  int timer = -1;
  // As ThreadCpuNs().
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6);
  return syscall(SYS_timer_create, clock, &event, &timer) == 0 ? timer : -1;
}

timespec TimeOf(uint64_t ns) noexcept {
  return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}

uint64_t TickNs() noexcept {
  timespec tick = {};
  clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
  return static_cast<uint64_t>(tick.tv_sec) * kSecond + static_cast<uint64_t>(tick.tv_nsec);
}

// The first signal comes at any of the ticks of a period: of threads that live shorter than that,
// some are met.
bool Arm(int timer, uint64_t period_ns) noexcept {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
  const uint64_t tick_ns = std::max<uint64_t>(TickNs(), 1);
  const uint64_t ticks = std::max<uint64_t>(period_ns / tick_ns, 1);
  const uint64_t first_ns = (CpuCounter() * kOdd >> 32) % ticks * tick_ns + 1;
  const itimerspec each = {TimeOf(period_ns), TimeOf(first_ns)};
  return syscall(SYS_timer_settime, timer, 0, &each, nullptr) == 0;
}

}  // namespace

std::string SignalTimer::Install() noexcept {
  if (!kKnowsContexts) return "roofmark does not know the signal contexts of this architecture";
  struct sigaction now;
  if (sigaction(kSignal, nullptr, &now) != 0) return "sigaction failed";
  if (IsOurs(now)) return {};
  const bool has_handler = (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL;
  if (has_handler && now.sa_handler != SIG_IGN) return "the program handles SIGURG itself";
  g_before = now;
  struct sigaction ours = {};
  ours.sa_sigaction = &Handle;
  // On the program's own signal stack, if it has one: its threads may have small stacks.
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(kSignal, &ours, nullptr) == 0 ? "" : "sigaction failed";
}

bool SignalTimer::IsInstalled() noexcept {
  struct sigaction now;
  return sigaction(kSignal, nullptr, &now) == 0 && IsOurs(now);
}

void SignalTimer::Uninstall() noexcept {
  if (IsInstalled()) sigaction(kSignal, &g_before, nullptr);
}

uint64_t SignalTimer::PeriodFor(uint64_t period_ns) noexcept {
  const uint64_t tick_ns = TickNs();
  return tick_ns == 0 ? period_ns : (period_ns + tick_ns - 1) / tick_ns * tick_ns;
}

std::optional<SignalTimer> SignalTimer::Start(pid_t tid, uint64_t period_ns, int* error) noexcept {
  const size_t slot = TakeSlot();
  if (slot == kSlots) {
    *error = ENOMEM;
    return std::nullopt;
  }
  SignalBuffer& buffer = *g_slots[slot].buffer.load();
  buffer.read.store(buffer.written.load());
  buffer.lost.store(0);
  SignalTimer made(MakeTimer(tid, &g_slots[slot]), slot);
  if (made.timer_ >= 0 && Arm(made.timer_, period_ns)) return made;
  *error = errno;
  if (made.timer_ < 0) g_slots[slot].taken = false;
  return std::nullopt;
}

SignalTimer::SignalTimer(SignalTimer&& other) noexcept
    : timer_(std::exchange(other.timer_, -1)), slot_(other.slot_) {}

SignalTimer::~SignalTimer() {
  if (timer_ < 0) return;
  syscall(SYS_timer_delete, timer_);
  g_slots[slot_].taken = false;
}

void SignalTimer::Drain(std::vector<uint64_t>& addresses, Drained& drained) noexcept {
  SignalBuffer& buffer = *g_slots[slot_].buffer.load(std::memory_order_relaxed);
  const uint32_t end = buffer.written.load(std::memory_order_acquire);
  for (uint32_t at = buffer.read.load(std::memory_order_relaxed); at != end; ++at) {
    drained.Take(buffer.address[at % SignalBuffer::kEntries].load(std::memory_order_relaxed),
                 addresses);
  }
  buffer.read.store(end, std::memory_order_release);
  drained.lost += buffer.lost.exchange(0, std::memory_order_relaxed);
}

}  // namespace roofmark::samples
