// SPDX-License-Identifier: BSD-3-Clause
#include "markers/adapters/ompt_other.h"

#include <atomic>
#include <cstring>

namespace roofmark::adapters {
namespace {

using namespace ompt;

Lookup g_lookup;
OwnCallback* g_own;
StartTool* g_other;
// What the other tool has set: of events that are the adapter's too, by their number there.
std::atomic<Function> g_shared[kOwnCallbacks];
std::atomic<uint64_t> g_events;  // of all others

SetCallback SetOfRuntime() { return reinterpret_cast<SetCallback>(g_lookup("ompt_set_callback")); }

int Shared(int event) {
  for (int i = 0; i < kOwnCallbacks; ++i) {
    if (g_own[i].event == event) return i;
  }
  return -1;
}

int SetForOther(int event, Function callback) {
  if (const int shared = Shared(event); shared >= 0) {
    g_shared[shared].store(callback, std::memory_order_release);
    return g_own[shared].answer;
  }
  if (event >= 0 && event < kEventsEnd) g_events.fetch_or(uint64_t{1} << event);
  return SetOfRuntime()(event, callback);
}

int GetForOther(int event, Function* callback) {
  if (const int shared = Shared(event); shared >= 0) {
    const Function set = g_shared[shared].load(std::memory_order_acquire);
    if (set != nullptr && callback != nullptr) *callback = set;
    return set == nullptr ? 0 : 1;
  }
  const auto get = reinterpret_cast<GetCallback>(g_lookup("ompt_get_callback"));
  return get == nullptr ? 0 : get(event, callback);
}

Function LookupForOther(const char* name) {
  const Function function = g_lookup(name);
  if (function == nullptr || name == nullptr) return function;
  if (std::strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<Function>(&SetForOther);
  if (std::strcmp(name, "ompt_get_callback") == 0) return reinterpret_cast<Function>(&GetForOther);
  return function;
}

// It has said that it wants nothing: what it has set nevertheless is taken back.
void Forget() {
  for (std::atomic<Function>& shared : g_shared) shared.store(nullptr);
  const uint64_t events = g_events.exchange(0);
  for (int event = 0; event < kEventsEnd; ++event) {
    if ((events >> event & 1) != 0) SetOfRuntime()(event, nullptr);
  }
  g_other = nullptr;
}

}  // namespace

bool BeginTools(Lookup lookup, int device, OwnCallback (&own)[kOwnCallbacks],
                StartTool* other) noexcept {
  g_lookup = lookup;
  g_own = own;
  g_other = other;
  const SetCallback set = SetOfRuntime();
  if (set == nullptr) return false;
  for (OwnCallback& callback : own) callback.answer = set(callback.event, callback.function);
  if (other != nullptr && other->initialize(&LookupForOther, device, &other->tool) == 0) Forget();
  return true;
}

void EndOtherTool() noexcept {
  if (g_other != nullptr) g_other->finalize(&g_other->tool);
  for (std::atomic<Function>& shared : g_shared) shared.store(nullptr);
  g_events.store(0);
  g_other = nullptr;
}

Function OtherCallback(int i) noexcept { return g_shared[i].load(std::memory_order_acquire); }

}  // namespace roofmark::adapters
