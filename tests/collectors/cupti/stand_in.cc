// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/cupti/stand_in.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "tests/collectors/cupti/stand_in_world.h"

using roofmark::cupti::kInvalidMetricName;
using roofmark::cupti::kInvalidParameter;
using roofmark::cupti::kStructSize;
using roofmark::cupti::kSuccess;
namespace cupti = roofmark::cupti;

namespace {

using stand_in::Misused;
using stand_in::TheWorld;
using stand_in::World;

// Kernels that were launched and not executed yet.
void Execute(cupti::RangeObjectRecord* object) {
  auto& queued = object->context->queued;
  for (const auto& [metric, count] : queued) {
    if (!object->stack.empty() && !object->ranges.empty()) {
      object->ranges.back().second[metric] += count;
    }
  }
  queued.clear();
}

std::vector<cupti::RangeObjectRecord*>& Objects() {
  static auto* objects = new std::vector<cupti::RangeObjectRecord*>;
  return *objects;
}

bool Has(const std::vector<std::string>& names, const std::string& metric) {
  return std::find(names.begin(), names.end(), metric) != names.end();
}

// What a configuration counts: the ways to count it, each of which takes a pass of its own, and
// whether it needs what is not on the board.
enum { kOfKernels, kOfDevice, kOfLinks, kNotOnBoard, kConfigBytes };
int WayOf(const std::string& metric) {
  if (metric.find("_sass_") != std::string::npos) return kOfKernels;
  for (const char* link : {"pcie__", "nvlrx__", "nvltx__", "ctc__"}) {
    if (metric.starts_with(link)) return kOfLinks;
  }
  return kOfDevice;
}
int Passes(const uint8_t* config) {
  return config[kOfKernels] + config[kOfDevice] + config[kOfLinks];
}

}  // namespace

namespace stand_in {

void Reset(const Script& script) {
  World& world = TheWorld();
  for (auto* object : Objects()) delete object;
  Objects().clear();
  world = World();
  world.script = script;
}

cupti::Context CreateContext(int device) {
  World& world = TheWorld();
  world.contexts.push_back(std::make_unique<cupti::ContextRecord>());
  cupti::Context context = world.contexts.back().get();
  context->device = device;
  context->id = static_cast<uint32_t>(100 + world.contexts.size());
  const cupti::ResourceData data = {context, nullptr, nullptr};
  if (world.created) {
    world.callback(world.user, cupti::kDomainResource, cupti::kContextCreated, &data);
  }
  return context;
}

void DestroyContext(cupti::Context context) {
  World& world = TheWorld();
  const cupti::ResourceData data = {context, nullptr, nullptr};
  if (world.destroyed) {
    world.callback(world.user, cupti::kDomainResource, cupti::kContextDestroyStarting, &data);
  }
  context->alive = false;
  // What belongs to a context goes with it.
  for (auto* object : Objects()) world.open -= object->context == context ? 1 : 0;
}

void Launch(cupti::Context context, const std::string& metric, uint64_t count) {
  context->queued[metric] += count;
  context->activities.push_back(
      {cupti::kActivityConcurrentKernel, 0, context->id, 0, 0, kKernelNs});
}

int Calls(const std::string& function) { return TheWorld().calls[function]; }
int Open() { return TheWorld().open; }
std::string Misuse() { return TheWorld().misuse; }

}  // namespace stand_in

#define SIZED(Params) \
  if (p->struct_size != kStructSize<cupti::Params> || p->priv != nullptr) return kInvalidParameter

API cuDriverGetVersion(int* version) { return *version = 13000, 0; }
API cuCtxGetDevice(int* device) {
  CALLED(cuCtxGetDevice);
  if (TheWorld().current.empty()) return Misused("no current context");
  return *device = TheWorld().current.back()->device, 0;
}
API cuCtxPushCurrent_v2(cupti::Context context) {
  CALLED(cuCtxPushCurrent);
  if (!context->alive) return Misused("a context that is gone");
  return TheWorld().current.push_back(context), 0;
}
API cuCtxPopCurrent_v2(cupti::Context* context) {
  CALLED(cuCtxPopCurrent);
  if (TheWorld().current.empty()) return Misused("no context to pop");
  *context = TheWorld().current.back();
  TheWorld().current.pop_back();
  return 0;
}
API cuCtxSynchronize() {
  CALLED(cuCtxSynchronize);
  if (TheWorld().current.empty()) return Misused("nothing to drain");
  if (const auto meanwhile = std::exchange(TheWorld().script.meanwhile, nullptr)) {
    std::thread(meanwhile).join();
  }
  for (auto* object : Objects()) {
    if (object->context == TheWorld().current.back()) Execute(object);
  }
  stand_in::ExecuteActivities(TheWorld().current.back());
  return 0;
}
API cuDeviceGetName(char* name, int size, int device) {
  CALLED(cuDeviceGetName);
  const std::string text = "GPU number " + std::to_string(device);
  return std::strncpy(name, text.c_str(), static_cast<size_t>(size)), 0;
}
API cuDeviceGetAttribute(int* value, int attribute, int) {
  CALLED(cuDeviceGetAttribute);
  return *value = 1000 + attribute, 0;
}
API cuDeviceGetUuid_v2(cupti::Uuid* uuid, int device) {
  CALLED(cuDeviceGetUuid);
  std::memset(uuid, 0xa0 + device, sizeof *uuid);
  return 0;
}

API cuptiGetVersion(uint32_t* version) { return *version = 130001, 0; }
API cuptiGetResultString(int result, const char** text) {
  return *text = result == cupti::kUnknown ? "CUPTI_ERROR_UNKNOWN" : "CUPTI_ERROR_SCRIPTED", 0;
}
API cuptiSubscribe(cupti::Subscriber* subscriber, cupti::Callback callback, void* user) {
  CALLED(cuptiSubscribe);
  World& world = TheWorld();
  world.callback = callback;
  world.user = user;
  ++world.open;
  return *subscriber = &world.subscriber, 0;
}
API cuptiUnsubscribe(cupti::Subscriber) {
  World& world = TheWorld();
  world.created = world.destroyed = false;
  return --world.open, 0;
}
API cuptiEnableCallback(uint32_t enable, cupti::Subscriber, int, uint32_t id) {
  CALLED(cuptiEnableCallback);
  (id == cupti::kContextCreated ? TheWorld().created : TheWorld().destroyed) = enable != 0;
  return 0;
}
API cuptiProfilerInitialize(cupti::InitializeParams* p) {
  SIZED(InitializeParams);
  CALLED(cuptiProfilerInitialize);
  return 0;
}
API cuptiDeviceGetChipName(cupti::ChipNameParams* p) {
  SIZED(ChipNameParams);
  CALLED(cuptiDeviceGetChipName);
  return p->chip_name = TheWorld().script.devices.at(p->device_index).c_str(), 0;
}
API cuptiProfilerHostInitialize(cupti::HostInitializeParams* p) {
  SIZED(HostInitializeParams);
  CALLED(cuptiProfilerHostInitialize);
  p->host = new cupti::HostObjectRecord;
  return ++TheWorld().open, 0;
}
API cuptiProfilerHostDeinitialize(cupti::HostDeinitializeParams* p) {
  SIZED(HostDeinitializeParams);
  delete p->host;
  return --TheWorld().open, 0;
}
API cuptiProfilerHostGetMetricProperties(cupti::MetricPropertiesParams* p) {
  SIZED(MetricPropertiesParams);
  CALLED(cuptiProfilerHostGetMetricProperties);
  return Has(TheWorld().script.unknown, p->metric_name) ? kInvalidMetricName : kSuccess;
}
API cuptiProfilerHostConfigAddMetrics(cupti::AddMetricsParams* p) {
  SIZED(AddMetricsParams);
  CALLED(cuptiProfilerHostConfigAddMetrics);
  p->host->metrics.insert(p->host->metrics.end(), p->metric_names, p->metric_names + p->metrics);
  return 0;
}
API cuptiProfilerHostGetConfigImageSize(cupti::ConfigImageSizeParams* p) {
  SIZED(ConfigImageSizeParams);
  CALLED(cuptiProfilerHostGetConfigImageSize);
  return p->size = kConfigBytes, 0;
}
API cuptiProfilerHostGetConfigImage(cupti::ConfigImageParams* p) {
  SIZED(ConfigImageParams);
  CALLED(cuptiProfilerHostGetConfigImage);
  std::fill_n(p->image, p->size, uint8_t{0});
  for (const std::string& metric : p->host->metrics) {
    p->image[WayOf(metric)] = 1;
    if (Has(TheWorld().script.not_on_board, metric)) p->image[kNotOnBoard] = 1;
  }
  return 0;
}
API cuptiProfilerHostGetNumOfPasses(cupti::PassesParams* p) {
  SIZED(PassesParams);
  CALLED(cuptiProfilerHostGetNumOfPasses);
  return p->passes = static_cast<size_t>(Passes(p->image)), 0;
}
API cuptiProfilerHostEvaluateToGpuValues(cupti::EvaluateParams* p) {
  SIZED(EvaluateParams);
  CALLED(cuptiProfilerHostEvaluateToGpuValues);
  const auto& ranges = TheWorld().images[p->counter_data];
  if (p->range_index >= ranges.size()) return kInvalidParameter;
  const auto& values = ranges[p->range_index].second;
  for (size_t i = 0; i < p->metrics; ++i) {
    const auto found = values.find(p->metric_names[i]);
    p->values[i] = found == values.end() ? 0 : static_cast<double>(found->second);
    p->values[i] *= TheWorld().script.scale;
  }
  return 0;
}
API cuptiRangeProfilerEnable(cupti::EnableParams* p) {
  SIZED(EnableParams);
  CALLED(cuptiRangeProfilerEnable);
  p->object = new cupti::RangeObjectRecord;
  p->object->context = p->context;
  Objects().push_back(p->object);
  return ++TheWorld().open, 0;
}
API cuptiRangeProfilerDisable(cupti::ObjectParams* p) {
  SIZED(ObjectParams);
  CALLED(cuptiRangeProfilerDisable);
  std::erase(Objects(), p->object);
  delete p->object;
  return --TheWorld().open, 0;
}
API cuptiRangeProfilerSetConfig(cupti::SetConfigParams* p) {
  SIZED(SetConfigParams);
  CALLED(cuptiRangeProfilerSetConfig);
  const bool right = p->config_size == kConfigBytes && Passes(p->config) == 1 &&
                     p->range == cupti::kUserRange && p->replay_mode == cupti::kUserReplay &&
                     p->nesting_levels == 1 && p->min_nesting_level == 1;
  if (!right || p->object->started) return Misused("configuration");
  if (p->config[kNotOnBoard] != 0) return cupti::kInvalidParameter;
  p->object->most = p->max_ranges_per_pass;
  p->object->image = p->counter_data;
  return 0;
}
API cuptiRangeProfilerStart(cupti::ObjectParams* p) {
  SIZED(ObjectParams);
  CALLED(cuptiRangeProfilerStart);
  if (p->object->started) return Misused("started twice");
  p->object->started = true;
  p->object->ranges.clear();
  return 0;
}
API cuptiRangeProfilerStop(cupti::StopParams* p) {
  SIZED(StopParams);
  CALLED(cuptiRangeProfilerStop);
  if (!p->object->started || !p->object->stack.empty()) return Misused("stopped in a range");
  p->object->started = false;
  p->all_passes_submitted = TheWorld().script.more_passes ? 0 : 1;
  return 0;
}
API cuptiRangeProfilerPushRange(cupti::PushRangeParams* p) {
  SIZED(PushRangeParams);
  CALLED(cuptiRangeProfilerPushRange);
  if (!p->object->started || !p->object->stack.empty()) return Misused("nested range");
  if (p->object->ranges.size() == p->object->most) return Misused("too many ranges");
  p->object->stack.emplace_back(p->range_name);
  p->object->ranges.push_back({p->range_name, {}});
  return 0;
}
API cuptiRangeProfilerPopRange(cupti::ObjectParams* p) {
  SIZED(ObjectParams);
  CALLED(cuptiRangeProfilerPopRange);
  if (p->object->stack.empty()) return Misused("no range to pop");
  if (!p->object->context->queued.empty()) return Misused("a kernel that straddles the end");
  p->object->stack.pop_back();
  return 0;
}
API cuptiRangeProfilerDecodeData(cupti::DecodeParams* p) {
  SIZED(DecodeParams);
  CALLED(cuptiRangeProfilerDecodeData);
  auto ranges = p->object->ranges;
  p->ranges_dropped = std::min(TheWorld().script.drop, ranges.size());
  ranges.resize(ranges.size() - p->ranges_dropped);
  std::reverse(ranges.begin(), ranges.end());  // nobody promises an order
  TheWorld().images[p->object->image] = ranges;
  return 0;
}
API cuptiRangeProfilerGetCounterDataSize(cupti::CounterDataSizeParams* p) {
  SIZED(CounterDataSizeParams);
  CALLED(cuptiRangeProfilerGetCounterDataSize);
  return p->size = 64, 0;
}
API cuptiRangeProfilerCounterDataImageInitialize(cupti::CounterDataInitializeParams* p) {
  SIZED(CounterDataInitializeParams);
  CALLED(cuptiRangeProfilerCounterDataImageInitialize);
  TheWorld().images[p->counter_data].clear();
  return 0;
}
API cuptiRangeProfilerGetCounterDataInfo(cupti::CounterDataInfoParams* p) {
  SIZED(CounterDataInfoParams);
  CALLED(cuptiRangeProfilerGetCounterDataInfo);
  return p->ranges = TheWorld().images[p->counter_data].size(), 0;
}
API cuptiRangeProfilerCounterDataGetRangeInfo(cupti::RangeInfoParams* p) {
  SIZED(RangeInfoParams);
  CALLED(cuptiRangeProfilerCounterDataGetRangeInfo);
  const auto& ranges = TheWorld().images[p->counter_data];
  if (p->range_index >= ranges.size()) return kInvalidParameter;
  return p->range_name = ranges[p->range_index].first.c_str(), 0;
}
