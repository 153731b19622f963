// SPDX-License-Identifier: BSD-3-Clause
//
// The part of the stand-in that records kernels and copies.
#include <algorithm>
#include <cstring>

#include "tests/collectors/cupti/stand_in_world.h"

namespace stand_in {
namespace {

namespace cupti = roofmark::cupti;

// As long as what CUDA 13 hands over, so that nobody relies on the length.
constexpr size_t kRecordBytes = 208;

bool IsEnabled(const Activity& activity) { return TheWorld().activities.contains(activity.kind); }

void Write(const Activity& activity, uint8_t* record) {
  std::memset(record, 0, kRecordBytes);
  if (activity.kind == cupti::kActivityMemcpy) {
    cupti::CopyRecord copy{};
    copy.kind = activity.kind;
    copy.copy_kind = activity.copy_kind;
    copy.bytes = activity.bytes;
    copy.start = activity.start;
    copy.end = activity.end;
    copy.context_id = activity.context;
    std::memcpy(record, &copy, sizeof copy);
    return;
  }
  cupti::KernelRecord kernel{};
  kernel.kind = activity.kind;
  kernel.start = TheWorld().script.no_times ? 0 : activity.start;
  kernel.end = TheWorld().script.no_times ? 0 : activity.end;
  kernel.context_id = activity.context;
  std::memcpy(record, &kernel, sizeof kernel);
}

}  // namespace

void ExecuteActivities(cupti::Context context) {
  World& world = TheWorld();
  uint64_t begin = world.now;
  for (Activity& activity : context->activities) {
    activity.start = begin;
    activity.end += begin;  // how long it takes, until then
    world.now = std::max(world.now, activity.end);
    if (!world.script.side_by_side) begin = world.now;
    if (IsEnabled(activity)) world.executed.push_back(activity);
  }
  context->activities.clear();
}

void Copy(cupti::Context context, uint8_t kind, uint64_t bytes) {
  context->activities.push_back({cupti::kActivityMemcpy, kind, context->id, bytes, 0, bytes});
}

}  // namespace stand_in

using stand_in::TheWorld;
namespace cupti = roofmark::cupti;

API cuptiActivityRegisterCallbacks(cupti::BufferRequest request, cupti::BufferCompleted completed) {
  CALLED(cuptiActivityRegisterCallbacks);
  TheWorld().request = request;
  TheWorld().completed = completed;
  return 0;
}
API cuptiActivityEnable(int kind) {
  CALLED(cuptiActivityEnable);
  if (TheWorld().activities.insert(kind).second) ++TheWorld().open;
  return 0;
}
API cuptiActivityDisable(int kind) {
  if (TheWorld().activities.erase(kind) == 1) --TheWorld().open;
  return 0;
}
API cuptiActivityFlushAll(uint32_t) {
  CALLED(cuptiActivityFlushAll);
  stand_in::World& world = TheWorld();
  const auto waits = [](const auto& context) {
    return context->alive && context->known && !context->activities.empty();
  };
  if (std::any_of(world.contexts.begin(), world.contexts.end(), waits)) {
    return stand_in::Misused("flushed before all contexts were drained");
  }
  static std::vector<stand_in::Activity>* kept = new std::vector<stand_in::Activity>;
  std::vector<stand_in::Activity> now = std::move(world.executed);
  world.executed.clear();
  if (world.script.late) now.swap(*kept);
  for (size_t first = 0; first < now.size();) {
    uint8_t* buffer = nullptr;
    size_t size = 0, most = 0;
    world.request(&buffer, &size, &most);
    if (buffer == nullptr) return stand_in::Misused("no buffer");
    const size_t fit = std::min(now.size() - first, size / stand_in::kRecordBytes);
    for (size_t i = 0; i < fit; ++i) {
      stand_in::Write(now[first + i], buffer + i * stand_in::kRecordBytes);
    }
    first += fit;
    world.completed(nullptr, 0, buffer, size, fit * stand_in::kRecordBytes);
  }
  return 0;
}
API cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid,
                               const cupti::ActivityRecord** record) {
  CALLED(cuptiActivityGetNextRecord);
  uint8_t* next = buffer;
  if (*record != nullptr) {
    const auto* at = reinterpret_cast<const uint8_t*>(*record);
    next = buffer + (at - buffer) + stand_in::kRecordBytes;
  }
  if (next >= buffer + valid) return cupti::kMaxLimitReached;
  *record = reinterpret_cast<const cupti::ActivityRecord*>(next);
  return 0;
}
API cuptiActivityGetNumDroppedRecords(cupti::Context, uint32_t, size_t* dropped) {
  CALLED(cuptiActivityGetNumDroppedRecords);
  return *dropped = TheWorld().script.dropped_records, 0;
}
API cuptiGetTimestamp(uint64_t* timestamp) {
  CALLED(cuptiGetTimestamp);
  return *timestamp = TheWorld().now += 1000000, 0;  // the host takes its time
}
API cuptiGetContextId(cupti::Context context, uint32_t* id) {
  CALLED(cuptiGetContextId);
  context->known = true;
  return *id = context->id, 0;
}
