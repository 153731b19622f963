// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/session.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "collectors/cupti/drain.h"
#include "collectors/cupti/errors.h"

namespace roofmark::cupti {
namespace {

// Of a count that may be believed: doubles have all integers up to here.
constexpr double kMost = 9007199254740992.0;

bool IsCount(double value) { return std::isfinite(value) && value >= 0 && value <= kMost; }

}  // namespace

Session::Session(const Library& library, Context context, Plan plan)
    : library_(library), context_(context), plan_(std::move(plan)), names_(plan_.Names()) {
  batch_.reserve(kRanges);
  Result<HostObject> host = OpenHost(library_, plan_.chip);
  if (!host) {
    failed_ = host.error();
    return;
  }
  host_ = *host;
  auto enable = Make<EnableParams>();
  enable.context = context_;
  if (!Check("cuptiRangeProfilerEnable", library_.enable(&enable))) return;
  object_ = enable.object;
  if (MakeCounterData()) Resume();
}

Session::~Session() { Release(); }

bool Session::Check(const char* call, CuptiResult result) {
  if (result == kSuccess) return true;
  if (failed_.empty()) failed_ = Explain(library_, call, result);
  return false;
}

bool Session::MakeCounterData() {
  auto size = Make<CounterDataSizeParams>();
  size.object = object_;
  size.metric_names = names_.data();
  size.metrics = names_.size();
  size.max_ranges = kRanges;
  size.max_tree_nodes = kRanges;
  if (!Check("cuptiRangeProfilerGetCounterDataSize", library_.counter_data_size(&size))) {
    return false;
  }
  counter_data_.resize(size.size);
  return true;
}

// From an empty image.
bool Session::Resume() {
  auto initialize = Make<CounterDataInitializeParams>();
  initialize.object = object_;
  initialize.size = counter_data_.size();
  initialize.counter_data = counter_data_.data();
  if (!Check("cuptiRangeProfilerCounterDataImageInitialize",
             library_.counter_data_initialize(&initialize))) {
    return false;
  }
  auto config = Make<SetConfigParams>();
  config.object = object_;
  config.config_size = plan_.config.size();
  config.config = plan_.config.data();
  config.counter_data_size = counter_data_.size();
  config.counter_data = counter_data_.data();
  config.range = kUserRange;
  config.replay_mode = kUserReplay;
  config.max_ranges_per_pass = kRanges;
  config.nesting_levels = 1;
  config.min_nesting_level = 1;
  config.target_nesting_level = 1;
  if (!Check("cuptiRangeProfilerSetConfig", library_.set_config(&config))) return false;
  auto start = Make<ObjectParams>();
  start.object = object_;
  running_ = Check("cuptiRangeProfilerStart", library_.start(&start));
  return running_;
}

bool Session::Drain() {
  std::string error = cupti::Drain(library_, context_);
  const bool drained = error.empty();
  if (failed_.empty()) failed_ = std::move(error);
  return drained;
}

bool Session::PopOpen() {
  if (!open_) return true;
  open_ = false;
  auto pop = Make<ObjectParams>();
  pop.object = object_;
  return Check("cuptiRangeProfilerPopRange", library_.pop_range(&pop));
}

// Ranges have numbers for names: two of one name might become one.
void Session::Push(uint32_t path) {
  const std::string name = std::to_string(batch_.size());
  batch_.push_back(path);
  auto push = Make<PushRangeParams>();
  push.object = object_;
  push.range_name = name.c_str();
  open_ = Check("cuptiRangeProfilerPushRange", library_.push_range(&push));
}

void Session::Enter(uint32_t path) {
  if (!failed_.empty() || !running_ || path == path_) return;
  path_ = path;
  if (!Drain() || !PopOpen()) return;
  if (batch_.size() == kRanges) {
    Fetch();
    if (!failed_.empty() || !Resume()) return;
  }
  if (path != 0) Push(path);
}

void Session::Lose(uint32_t path) { ++sums_[path].lost; }

// False if nothing can be read. `all`: nothing is to be had by another pass.
bool Session::Decode(bool& all) {
  auto stop = Make<StopParams>();
  stop.object = object_;
  running_ = false;
  if (!Check("cuptiRangeProfilerStop", library_.stop(&stop))) return false;
  all = stop.all_passes_submitted != 0;
  auto decode = Make<DecodeParams>();
  decode.object = object_;
  return Check("cuptiRangeProfilerDecodeData", library_.decode(&decode));
}

// Every range that was pushed ends as counts of its path, or as lost to it.
void Session::Fetch() {
  std::vector<bool> seen(batch_.size(), false);
  bool all = false;
  if (Decode(all) && all) {
    auto info = Make<CounterDataInfoParams>();
    info.counter_data = counter_data_.data();
    info.size = counter_data_.size();
    if (Check("cuptiRangeProfilerGetCounterDataInfo", library_.counter_data_info(&info))) {
      for (size_t range = 0; range < info.ranges; ++range) Take(range, seen);
    }
  }
  for (size_t i = 0; i < batch_.size(); ++i) {
    if (!seen[i]) Lose(batch_[i]);
  }
  batch_.clear();
}

std::optional<size_t> Session::IndexOf(size_t range) {
  auto info = Make<RangeInfoParams>();
  info.counter_data = counter_data_.data();
  info.size = counter_data_.size();
  info.range_index = range;
  info.delimiter = "/";
  if (library_.range_info(&info) != kSuccess || info.range_name == nullptr) return std::nullopt;
  const std::string_view name = info.range_name;
  size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return index < batch_.size() ? std::optional(index) : std::nullopt;
}

bool Session::Evaluate(size_t range, std::vector<double>& values) {
  auto evaluate = Make<EvaluateParams>();
  evaluate.host = host_;
  evaluate.counter_data = counter_data_.data();
  evaluate.counter_data_size = counter_data_.size();
  evaluate.range_index = range;
  evaluate.metric_names = names_.data();
  evaluate.metrics = names_.size();
  evaluate.values = values.data();
  if (library_.evaluate(&evaluate) != kSuccess) return false;
  for (const double value : values) {
    if (!IsCount(value)) return false;
  }
  return true;
}

// A range that cannot be told, or has no counts, remains unseen.
void Session::Take(size_t range, std::vector<bool>& seen) {
  const std::optional<size_t> index = IndexOf(range);
  std::vector<double> values(names_.size(), std::nan(""));
  if (!index || seen[*index] || !Evaluate(range, values)) return;
  seen[*index] = true;
  counts::DeviceSums& sums = sums_[batch_[*index]];
  ++sums.ranges;
  for (size_t i = 0; i < values.size(); ++i) {
    const MetricRow& row = plan_.rows[i];
    sums.values[static_cast<size_t>(row.id)] += static_cast<uint64_t>(values[i]) * row.each;
  }
}

void Session::Close() {
  if (running_ && failed_.empty() && Drain() && PopOpen()) Fetch();
  Release();
}

void Session::Abandon(std::string_view why) {
  if (failed_.empty()) failed_ = why;
  object_ = nullptr;  // gone with its context
  Release();
}

void Session::Release() {
  running_ = open_ = false;
  for (const uint32_t path : batch_) Lose(path);
  batch_.clear();
  if (object_ != nullptr) {
    auto disable = Make<ObjectParams>();
    disable.object = std::exchange(object_, nullptr);
    library_.disable(&disable);  // what was counted is known already
  }
  if (host_ != nullptr) {
    auto deinitialize = Make<HostDeinitializeParams>();
    deinitialize.host = std::exchange(host_, nullptr);
    library_.host_deinitialize(&deinitialize);
  }
}

}  // namespace roofmark::cupti
