// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/call_times.h"

#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "lib/core/inside.h"
#include "lib/core/thread.h"

namespace roofmark::samples {
namespace {

// The first ones are walked whatever they cost.
constexpr uint64_t kFirstWalks = 64, kLeastShare = 200;
constexpr int kPlacesBits = 7;

StackBounds StackOfMain() {
  return ThisThread() == getpid() ? StackBoundsOfThisThread() : StackBounds();
}

// Return addresses from a caller outwards, and where they stand.
struct Walk {
  uintptr_t caller = 0;
  StackBounds stack;
  size_t frames = 0;
  bool stands_still = true;  // each address was read again where it was said to stand
  std::array<uintptr_t, kMostTimedFrames> address;
  std::array<const uintptr_t*, kMostTimedFrames> slot;
};

_Unwind_Reason_Code Note(_Unwind_Context* context, void* given) {
  auto& walk = *static_cast<Walk*>(given);
  const uintptr_t address = _Unwind_GetIP(context);
  // Frames of roofmark come first.
  if (walk.frames == 0 && address != walk.caller) return _URC_NO_REASON;
  if (address == 0 || walk.frames == walk.address.size()) return _URC_END_OF_STACK;
  // A call leaves the return address below the caller's stack pointer.
  const uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uintptr_t);
  const auto* word = reinterpret_cast<const uintptr_t*>(slot);
  walk.stands_still = walk.stands_still && walk.stack.Has(slot) && *word == address;
  walk.address[walk.frames] = address;
  walk.slot[walk.frames] = word;
  ++walk.frames;
  return _URC_NO_REASON;
}

}  // namespace

CallTimes::CallTimes()
    : started_(ReadClocks()),
      stack_(StackOfMain()),
      map_(ReadModules()),
      changes_(ReadModuleChanges()) {}

bool CallTimes::Known::IsStill(const void* called_frame, uintptr_t caller) const {
  if (way == nullptr || frame != called_frame || way->first.front() != caller) return false;
  const Addresses& addresses = way->first;
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (*slots[i] != addresses[i]) return false;
  }
  return true;
}

std::span<CallTimes::Known> CallTimes::KnownOf(const void* frame, uintptr_t caller) {
  if (known_.empty()) return {};
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  const uint64_t mixed = (reinterpret_cast<uintptr_t>(frame) ^ caller << 20) * kGolden;
  return std::span(known_).subspan((mixed >> (64 - kPlacesBits)) * kWaysOfAPlace, kWaysOfAPlace);
}

void CallTimes::Add(uint64_t ticks, const void* frame, const void* caller) noexcept {
  if (!stack_.Has(reinterpret_cast<uintptr_t>(frame))) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  for (const Known& known : KnownOf(frame, reinterpret_cast<uintptr_t>(caller))) {
    if (!known.IsStill(frame, reinterpret_cast<uintptr_t>(caller))) continue;
    ++known.way->second.calls;
    known.way->second.ticks += ticks;
    return;
  }
  const Inside inside;
  if (!inside) return;
  try {
    AddNew(ticks, frame, reinterpret_cast<uintptr_t>(caller));
  } catch (...) {
    // Without memory this call is known to nobody.
  }
}

bool CallTimes::MayWalk(uint64_t now) const {
  return walks_ < kFirstWalks || ticks_of_walks_ < TicksBetween(started_.ticks, now) / kLeastShare;
}

void CallTimes::AddNew(uint64_t ticks, const void* frame, uintptr_t caller) {
  const uint64_t begin = Ticks();
  if (known_.empty()) known_.resize(kWaysOfAPlace << kPlacesBits);
  NoteModules();
  Walk walk;
  walk.caller = caller;
  walk.stack = stack_;
  if (MayWalk(begin)) {
    ++walks_;
    _Unwind_Backtrace(&Note, &walk);
  }
  Addresses addresses(walk.address.begin(),
                      walk.address.begin() + static_cast<std::ptrdiff_t>(walk.frames));
  if (addresses.empty()) addresses.push_back(walk.caller);
  Ways::value_type* way = Find(addresses);
  ++way->second.calls;
  way->second.ticks += ticks;
  if (walk.frames > 0 && walk.stands_still && way->first == addresses) {
    KnownOf(frame, walk.caller)[replaced_++ % kWaysOfAPlace] = {frame, way, walk.slot};
  }
  ticks_of_walks_ += TicksBetween(begin, Ticks());
}

// Beyond the limit, and for all that cannot be told apart, there is one without frames.
CallTimes::Ways::value_type* CallTimes::Find(const Addresses& addresses) {
  const auto known = ways_.find(addresses);
  if (known != ways_.end()) return &*known;
  if (ways_.size() + earlier_.size() + 1 >= kMostTimedCalls) return &*ways_.try_emplace({}).first;
  Sums sums;
  for (const uintptr_t address : addresses) {
    // The address behind a call may belong to other code already.
    const MappedModule* module = FindModule(map_, address - 1);
    if (module == nullptr) break;
    sums.frames.push_back({module->file, address - 1 - module->begin});
  }
  return &*ways_.emplace(addresses, std::move(sums)).first;
}

void CallTimes::Forget() {
  for (auto& [addresses, sums] : ways_) earlier_.push_back(std::move(sums));
  ways_.clear();
  std::fill(known_.begin(), known_.end(), Known());
}

bool CallTimes::IsBefore(const Sums& one, const Sums& other) {
  return std::lexicographical_compare(
      one.frames.begin(), one.frames.end(), other.frames.begin(), other.frames.end(),
      [](const CodePlace& a, const CodePlace& b) {
        return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
      });
}

// What was unloaded may have left its addresses to others.
void CallTimes::NoteModules() {
  const ModuleChanges now = ReadModuleChanges();
  if (now == changes_) return;
  if (now.unloaded != changes_.unloaded) {
    Forget();
  }
  map_ = ReadModules();
  changes_ = now;
}

std::vector<TimedCalls> CallTimes::Take() {
  const double ns_per_tick = NsPerTick(started_);
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return {};
  Forget();
  std::sort(earlier_.begin(), earlier_.end(), &CallTimes::IsBefore);
  std::vector<TimedCalls> calls;
  for (Sums& sums : earlier_) {
    const auto ns = static_cast<double>(sums.ticks) * ns_per_tick;
    if (calls.empty() || calls.back().frames != sums.frames) {
      calls.push_back({std::move(sums.frames), 0, 0});
    }
    calls.back().calls += sums.calls;
    calls.back().wall_ns += static_cast<uint64_t>(std::llround(ns));
  }
  earlier_.clear();
  return calls;
}

}  // namespace roofmark::samples
