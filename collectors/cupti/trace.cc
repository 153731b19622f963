// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/trace.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "collectors/cupti/drain.h"
#include "collectors/cupti/errors.h"
#include "collectors/cupti/metrics.h"

namespace roofmark::cupti {
namespace {

constexpr int kKinds[] = {kActivityMemcpy, kActivityConcurrentKernel};
constexpr size_t kBufferBytes = 256 * 1024, kBufferAlignment = 8;
// Clocks of devices are fitted to that of CUPTI: a record may seem to end so long before the region
// that it was launched in.
constexpr uint64_t kClockNs = 100000;

// Callbacks are not told whose they are. The lock is held while one takes records.
std::mutex g_mutex;
Trace* g_trace = nullptr;

// Where it belongs in the table of metrics; false of copies within devices and within the host.
bool Direction(uint8_t kind, DeviceMetric& bytes, DeviceMetric& ns) {
  if (kind == kCopyHostToDevice || kind == kCopyHostToArray) {
    bytes = DeviceMetric::kToDeviceBytes;
    ns = DeviceMetric::kToDeviceNs;
    return true;
  }
  bytes = DeviceMetric::kToHostBytes;
  ns = DeviceMetric::kToHostNs;
  return kind == kCopyDeviceToHost || kind == kCopyArrayToHost;
}

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

void Trace::TakeRecords(uint8_t* buffer, size_t valid) {
  try {
    CuptiResult result = kSuccess;
    for (const ActivityRecord* record = nullptr;;) {
      result = library_.next_record(buffer, valid, &record);
      if (result != kSuccess) break;
      if (record->kind == kActivityConcurrentKernel) {
        const auto& kernel = *reinterpret_cast<const KernelRecord*>(record);
        records_.push_back({kernel.context_id, DeviceMetric::kKernels, DeviceMetric::kKernelNs, 1,
                            kernel.start, kernel.end});
      } else if (record->kind == kActivityMemcpy) {
        const auto& copy = *reinterpret_cast<const CopyRecord*>(record);
        Activity activity{copy.context_id, {}, {}, copy.bytes, copy.start, copy.end};
        if (Direction(copy.copy_kind, activity.count, activity.ns)) records_.push_back(activity);
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
  if (activity.start == 0 || activity.end < activity.start) {  // CUPTI does not know when
    ++sums.lost;
    return;
  }
  if (activity.end + kClockNs < begin_ns_ && failed_.empty()) {
    failed_ = "CUPTI handed over records of kernels later than it promises";
  }
  Grow(sums, activity.count, activity.amount);
  Grow(sums, activity.ns, activity.end - activity.start);
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
