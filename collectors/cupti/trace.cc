// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/trace.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "collectors/cupti/covered.h"
#include "collectors/cupti/drain.h"
#include "collectors/cupti/errors.h"
#include "collectors/cupti/metrics.h"

namespace roofmark::cupti {
namespace {

constexpr int kKinds[] = {kActivityMemcpy, kActivityConcurrentKernel};
constexpr size_t kBufferBytes = size_t{256} * 1024, kBufferAlignment = 8;
// Clocks of devices are fitted to that of CUPTI: a record may seem to end so long before the region
// that it was launched in.
constexpr uint64_t kClockNs = 100000;

// Callbacks are not told whose they are. The lock is held while one takes records.
std::mutex g_mutex;
Trace* g_trace = nullptr;

// In the order of Trace::Activity::Kind: what grows by the amount, and by the time.
struct Grows {
  DeviceMetric amount, ns;
};
constexpr Grows kGrows[] = {{DeviceMetric::kKernels, DeviceMetric::kKernelNs},
                            {DeviceMetric::kToDeviceBytes, DeviceMetric::kToDeviceNs},
                            {DeviceMetric::kToHostBytes, DeviceMetric::kToHostNs}};

bool HasTimes(uint64_t start, uint64_t end) { return start != 0 && end >= start; }

void Grow(counts::DeviceSums& sums, DeviceMetric metric, uint64_t by) {
  sums.values[static_cast<size_t>(metric)] += by;
}

}  // namespace

Trace::Trace(const Library& library) : library_(library) {
  {
    const std::lock_guard lock(g_mutex);
    g_trace = this;
  }
  if (!Check("cuptiActivityRegisterCallbacks", library_.register_buffers(&Request, &Completed))) {
    return;
  }
  for (const int kind : kKinds) {
    if (!Check("cuptiActivityEnable", library_.enable_activity(kind))) return;
  }
  running_ = true;
}

// Buffers that come later are given back unread.
Trace::~Trace() {
  for (const int kind : kKinds) library_.disable_activity(kind);
  const std::lock_guard lock(g_mutex);
  g_trace = nullptr;
}

bool Trace::Check(const char* call, CuptiResult result) {
  if (result == kSuccess) return true;
  if (failed_.empty()) failed_ = Explain(library_, call, result);
  return false;
}

void Trace::Request(uint8_t** buffer, size_t* size, size_t* records) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *records = 0;  // as many as fit
}

void Trace::Completed(Context, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  {
    const std::lock_guard lock(g_mutex);
    if (g_trace != nullptr) g_trace->TakeRecords(buffer, valid);
  }
  std::free(buffer);
}

Trace::Activity::Kind Trace::KindOf(uint8_t copy) {
  if (copy == kCopyHostToDevice || copy == kCopyHostToArray) return Activity::Kind::kToDevice;
  const bool to_host = copy == kCopyDeviceToHost || copy == kCopyArrayToHost;
  return to_host ? Activity::Kind::kToHost : Activity::Kind::kOtherCopy;
}

void Trace::TakeRecords(uint8_t* buffer, size_t valid) {
  try {
    CuptiResult result = kSuccess;
    for (const ActivityRecord* record = nullptr;;) {
      result = library_.next_record(buffer, valid, &record);
      if (result != kSuccess) break;
      if (record->kind == kActivityConcurrentKernel) {
        const auto& kernel = *reinterpret_cast<const KernelRecord*>(record);
        records_.push_back(
            {kernel.context_id, Activity::Kind::kKernel, 1, kernel.start, kernel.end});
      } else if (record->kind == kActivityMemcpy) {
        const auto& copy = *reinterpret_cast<const CopyRecord*>(record);
        if (copy.copy_kind == kCopyHostToHost) continue;
        records_.push_back(
            {copy.context_id, KindOf(copy.copy_kind), copy.bytes, copy.start, copy.end});
      }
    }
    size_t dropped = 0;
    const bool asked = library_.dropped_records(nullptr, 0, &dropped) == kSuccess;
    if (result != kMaxLimitReached || !asked || dropped > 0) dropped_ = true;
  } catch (...) {
    dropped_ = true;
  }
}

Trace::One* Trace::Live(Context context) {
  const auto at = std::find_if(contexts_.begin(), contexts_.end(),
                               [&](const One& one) { return one.context == context; });
  return at == contexts_.end() ? nullptr : &*at;
}

bool Trace::Add(Context context) {
  uint32_t id = 0;
  if (!Check("cuptiGetContextId", library_.context_id(context, &id))) return false;
  contexts_.push_back({context, id, {}});
  if (path_ != 0) ++contexts_.back().sums[path_].ranges;
  return true;
}

bool Trace::Drain(Context context) {
  std::string error = cupti::Drain(library_, context);
  if (failed_.empty()) failed_ = std::move(error);
  return failed_.empty();
}

void Trace::AddUp(const Activity& activity) {
  const auto at = std::find_if(contexts_.begin(), contexts_.end(),
                               [&](const One& one) { return one.id == activity.context; });
  if (at == contexts_.end() || path_ == 0) return;
  counts::DeviceSums& sums = at->sums[path_];
  if (!HasTimes(activity.start, activity.end)) {  // CUPTI does not know when
    ++sums.lost;
    return;
  }
  if (activity.end + kClockNs < begin_ns_ && failed_.empty()) {
    failed_ = "CUPTI handed over records of kernels later than it promises";
  }
  if (activity.kind == Activity::Kind::kOtherCopy) return;
  const Grows& grows = kGrows[static_cast<size_t>(activity.kind)];
  Grow(sums, grows.amount, activity.amount);
  Grow(sums, grows.ns, activity.end - activity.start);
}

void Trace::AddBusy(const std::vector<Activity>& activities) {
  if (path_ == 0) return;
  for (One& one : contexts_) {
    std::vector<Interval> kernels, all;
    for (const Activity& each : activities) {
      if (each.context != one.id || !HasTimes(each.start, each.end)) continue;
      all.push_back({each.start, each.end});
      if (each.kind == Activity::Kind::kKernel) kernels.push_back(all.back());
    }
    if (all.empty()) continue;
    Grow(one.sums[path_], DeviceMetric::kKernelBusyNs, Covered(std::move(kernels)));
    Grow(one.sums[path_], DeviceMetric::kBusyNs, Covered(std::move(all)));
  }
}

// All contexts are drained.
void Trace::Fetch() {
  const bool flushed = Check("cuptiActivityFlushAll", library_.flush_activities(0));
  std::vector<Activity> records;
  bool lost = !flushed;
  {
    const std::lock_guard lock(g_mutex);
    records.swap(records_);
    lost = std::exchange(dropped_, false) || lost;
  }
  for (const Activity& activity : records) AddUp(activity);
  AddBusy(records);
  if (!lost || path_ == 0) return;
  for (One& one : contexts_) {
    if (one.context != nullptr) ++one.sums[path_].lost;
  }
}

void Trace::Enter(uint32_t path) {
  if (!running_ || !failed_.empty() || path == path_) return;
  for (const One& one : contexts_) {
    if (one.context != nullptr && !Drain(one.context)) return;
  }
  Fetch();
  path_ = path;
  Check("cuptiGetTimestamp", library_.timestamp(&begin_ns_));
  for (One& one : contexts_) {
    if (path != 0 && one.context != nullptr) ++one.sums[path].ranges;
  }
}

void Trace::BeginIn(uint32_t path) {
  if (!contexts_.empty()) return;
  path_ = path;
  Check("cuptiGetTimestamp", library_.timestamp(&begin_ns_));
}

void Trace::Lose(Context context, uint32_t path) {
  if (One* one = Live(context)) ++one->sums[path].lost;
}

void Trace::Close(Context context) {
  One* one = Live(context);
  if (one == nullptr) return;
  for (const One& each : contexts_) {
    if (running_ && failed_.empty() && each.context != nullptr) Drain(each.context);
  }
  if (running_ && failed_.empty()) Fetch();
  one->context = nullptr;
}

void Trace::Abandon(Context context, std::string_view why) {
  if (failed_.empty()) failed_ = why;
  if (One* one = Live(context)) one->context = nullptr;
}

void Trace::End() {
  Enter(0);
  running_ = false;
}

std::array<std::string, kDeviceMetrics> Trace::Missing() {
  std::array<std::string, kDeviceMetrics> missing;
  for (const MetricRow& row : Metrics()) {
    missing[static_cast<size_t>(row.id)] = OfOtherGroup(row.group);
  }
  return missing;
}

}  // namespace roofmark::cupti
