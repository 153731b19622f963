// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/trap_guard.h"

#include <signal.h>

#include <array>
#include <atomic>

namespace roofmark::samples {
namespace {

std::array<std::atomic<uint64_t>, kMostGuarded> g_places{};  // 0: free

bool IsGuarded(uint64_t address) noexcept {
  for (const auto& place : g_places) {
    if (address != 0 && place.load() == address) return true;
  }
  return false;
}

// Signals that somebody sent have no address.
void Handle(int, siginfo_t* info, void*) {
  const bool by_kernel = info != nullptr && info->si_code > 0;
  if (by_kernel && IsGuarded(reinterpret_cast<uintptr_t>(info->si_addr))) return;
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGTRAP, &usual, nullptr);
  raise(SIGTRAP);  // it arrives when the handler returns
}

bool IsOurs(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &Handle;
}
bool IsUsual(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

void Install() noexcept {
  struct sigaction now = {};
  if (sigaction(SIGTRAP, nullptr, &now) != 0 || !IsUsual(now)) return;
  struct sigaction guard = {};
  guard.sa_sigaction = &Handle;
  guard.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(SIGTRAP, &guard, nullptr);
}

void Uninstall() noexcept {
  struct sigaction now = {}, usual = {};
  if (sigaction(SIGTRAP, nullptr, &now) != 0 || !IsOurs(now)) return;
  usual.sa_handler = SIG_DFL;
  sigaction(SIGTRAP, &usual, nullptr);
}

bool NoneIsGuarded() noexcept {
  for (const auto& place : g_places) {
    if (place.load() != 0) return false;
  }
  return true;
}

}  // namespace

void GuardPlace(uint64_t address) noexcept {
  const bool first = NoneIsGuarded();
  for (auto& place : g_places) {
    uint64_t free = 0;
    if (!place.compare_exchange_strong(free, address)) continue;
    if (first) Install();
    return;
  }
}

void LetGoOfPlace(uint64_t address) noexcept {
  for (auto& place : g_places) {
    uint64_t guarded = address;
    if (!place.compare_exchange_strong(guarded, 0)) continue;
    if (NoneIsGuarded()) Uninstall();
    return;
  }
}

}  // namespace roofmark::samples
