// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/counting/fake_engine.h"

#include <gtest/gtest.h>

namespace roofmark::counting {
namespace {

constexpr uint32_t kSlots = 16;
constexpr uint32_t kNowhere = ROOF_MAX_PATHS - 1;
constexpr char kGeometry[] = "L1:1K:4,L2:4K:8";

Context ContextOf(const roof_context& context) {
  return {context.thread, context.path, static_cast<Layer>(context.layer),
          static_cast<Extent>(context.extent)};
}

}  // namespace

FakeEngine::FakeEngine(std::set<std::string> without)
    : without_(std::move(without)), trace_(std::make_unique<roof_trace>()) {
  hooks_ = memory_.Hooks();
  segments_.memory = hooks_;
  roof_contexts_start(&contexts_, &hooks_, &segments_, kSlots);
  roof_trace_start(trace_.get(), &hooks_, &contexts_, 1, Trace, this);
  BeginThread(1);
}

Result<CacheModel> FakeEngine::Open(const Settings& settings) {
  if (settings.tool_dir == "nowhere") return Error{"the fake does not run here"};
  model_.windows = settings.latencies != "off";
  if (settings.count == "flops") return model_;
  roof_cache_config config = {};
  char error[ROOF_GEOMETRY_ERROR];
  roof_geometry_parse(kGeometry, &config.geometry, error, sizeof error);
  config.line_sampling = 1;
  config.memory = hooks_;
  roof_cache_feed_start(&caches_, &hooks_, &config, &contexts_, kSlots);
  model_.geometry = config.geometry;
  return model_;
}

void FakeEngine::BeginThread(uint32_t thread) {
  roof_contexts_thread_created(&contexts_, thread);
  if (events_ != nullptr) events_->ThreadBegan(thread);
}

void FakeEngine::EndThread(uint32_t thread) {
  roof_trace_flush(trace_.get());
  if (caches_.cache != nullptr) roof_cache_feed_thread_ended(&caches_, thread);
  roof_contexts_thread_ended(&contexts_, thread);
  if (events_ != nullptr) events_->ThreadEnded(thread);
}

void FakeEngine::Load(const Module& module) {
  modules_[module.id] = module;
  if (events_ != nullptr) events_->ModuleLoaded(module);
}

void FakeEngine::Unload(uint32_t id) {
  modules_.erase(id);
  if (events_ != nullptr) events_->ModuleUnloaded(id);
}

void FakeEngine::Fork() {
  roof_trace_flush(trace_.get());
  roof_contexts_clear(&contexts_);
  if (events_ != nullptr) events_->Forked();
}

void FakeEngine::Leave(const std::string& reason) {
  incomplete_.push_back({roof_contexts_enter(&contexts_, running_)->path, reason, 1});
}

void FakeEngine::SpendAt(const SourceLine& line, uint64_t cycles) {
  critical_.emplace_back(ContextOf(*roof_contexts_enter(&contexts_, running_)), line, cycles);
}

void FakeEngine::EnterTeam(uint32_t path, bool counted) noexcept {
  roof_contexts_set_team_path(&contexts_, counted ? path : kNowhere);
}

void FakeEngine::EnterOwn(uint32_t path, bool counted) noexcept {
  roof_contexts_set_own_path(&contexts_, running_, counted ? path : kNowhere);
}

void FakeEngine::SetCounting(Extent extent) noexcept {
  roof_trace_flush(trace_.get());
  counting_ = extent;
  contexts_.extent = static_cast<uint32_t>(extent);
}

void FakeEngine::Enter(Layer layer) noexcept {
  roof_layers_enter(&contexts_.threads[running_].layers, &contexts_.memory,
                    static_cast<uint32_t>(layer));
}

void FakeEngine::Execute(const FakeBlock& block) {
  const Place to = {block.place.module, block.place.offset};
  const Place from = last_[running_];
  FollowNests(from, to);
  last_[running_] = to;
  if (counting_ == Extent::kNothing) return;
  if (keeps_blocks_) {
    ExecutedBlock& executed = blocks_[to];
    executed = {block.place.offset, static_cast<uint32_t>(block.instructions) * 4,
                static_cast<uint32_t>(block.instructions), executed.times + 1};
    if (from != Place{}) ++ways_[{from, to}];
  }
  if (windows_ != nullptr && counting_ != Extent::kCheap) AddToWindow(block);
  Count(block);
}

bool FakeEngine::Set(const NestPlan& plan) {
  const auto number = [](std::optional<uint32_t> index) { return index ? *index + 1 : 0; };
  std::vector<roof_nest> nests;
  for (const PlannedNest& nest : plan.nests) {
    nests.push_back({number(nest.around), 0, number(nest.same), number(nest.rest_of)});
  }
  std::vector<roof_nest_range> ranges;
  for (const PlannedRange& range : plan.ranges) {
    ranges.push_back({range.module, number(range.nest), range.begin, range.end});
  }
  return roof_nests_set(&contexts_.nests, nests.data(), static_cast<uint32_t>(nests.size()),
                        ranges.data(), static_cast<uint32_t>(ranges.size()), nullptr, 0) == 1;
}

NestPaths FakeEngine::Paths() {
  NestPaths paths;
  for (uint32_t i = 0; i < contexts_.nests.paths; ++i) {
    const roof_nest_path* path = contexts_.nests.path[i];
    paths.paths.push_back({path->path, path->parent, path->nest - 1});
  }
  return paths;
}

uint32_t FakeEngine::NestAt(Place place) const {
  const roof_nest_range* range = roof_nests_at(&contexts_.nests, place.first, place.second);
  return range != nullptr ? range->nest : 0;
}

// Every block is of the same function and has the same stack pointer.
void FakeEngine::FollowNests(Place from, Place to) {
  if (NestAt(from) == NestAt(to)) return;
  EXPECT_TRUE(roof_contexts_cross(&contexts_, running_, NestAt(from), NestAt(to), 0x1000));
}

void FakeEngine::Count(const FakeBlock& block) {
  auto segment = std::make_unique<roof_segment>();
  segment->sum[ROOF_C_INSTRUCTIONS] = block.instructions;
  segment->sum[ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD)] = block.flops;
  segment->sum[ROOF_C_LOAD_BYTES] = 8 * static_cast<int32_t>(block.loads.size());
  const bool all = counting_ != Extent::kCheap;
  segment->sum[ROOF_C_WINDOW_INSTRUCTIONS] = all ? block.in_window : 0;
  segment->sum[ROOF_C_WINDOW_FP_CYCLES] = all ? 3 * block.in_window : 0;
  segment->sum[ROOF_C_WINDOW_CYCLES] = segment->sum[ROOF_C_WINDOW_FP_CYCLES];
  for (size_t i = 0; all && i < block.loads.size(); ++i) {
    segment->tag[segment->accesses++] = ROOF_RECORD_TAG(ROOF_LOAD, 8);
  }
  const roof_descriptor* descriptor = roof_segments_intern(&segments_, segment.get());
  roof_context* context = roof_contexts_enter(&contexts_, running_);
  if (segment->accesses == 0) {
    ++context->executions[descriptor->id];
  } else {
    WriteTrace(context, descriptor, block);
  }
}

void FakeEngine::WriteTrace(roof_context* context, const roof_descriptor* descriptor,
                            const FakeBlock& block) {
  roof_trace_enter(trace_.get(), running_, context);
  *trace_->position++ = reinterpret_cast<uint64_t>(descriptor);
  for (uint64_t address : block.loads) *trace_->position++ = address;
  if (reinterpret_cast<uintptr_t>(trace_->position) & ROOF_TRACE_FULL_BIT) {
    roof_trace_flush(trace_.get());
  }
}

void FakeEngine::Trace(void* cookie, uint32_t slot, const roof_context* context,
                       const uint64_t* records, size_t count) {
  auto* self = static_cast<FakeEngine*>(cookie);
  if (self->caches_.cache != nullptr) {
    roof_cache_feed_run(&self->caches_, slot, context, records, count);
  }
  if (self->accesses_ == nullptr) return;
  std::vector<uint64_t> wanted;
  for (size_t i = 0; i < count; ++i) {
    if (ROOF_SAMPLE_SELECTED(ROOF_RECORD_ADDRESS(records[i]), self->sampling_shift_)) {
      wanted.push_back(records[i]);
    }
  }
  if (!wanted.empty()) self->accesses_->Take(ContextOf(*context), wanted);
}

void FakeEngine::Start(AccessSink& sink, uint32_t line_sampling) {
  accesses_ = &sink;
  while ((1u << sampling_shift_) < line_sampling) ++sampling_shift_;
}

void FakeEngine::Start(WindowSink& sink, const WindowPlan& plan) {
  windows_ = &sink;
  plan_ = plan;
}

void FakeEngine::Start(EventSink& sink) {
  events_ = &sink;
  for (const auto& [id, module] : modules_) sink.ModuleLoaded(module);
}

// One instruction of four bytes without operands for each of the block; the first one loads. Every
// instruction is in a window.
void FakeEngine::AddToWindow(const FakeBlock& block) {
  static constexpr uint8_t kNop[] = {0x0F, 0x1F, 0x40, 0x00};
  std::vector<ExecutedAccess>& accesses = window_accesses_.emplace_back();
  for (uint64_t address : block.loads) {
    accesses.push_back({address | ROOF_RECORD_TAG(ROOF_LOAD, 8), 1});
  }
  for (int32_t i = 0; i < block.instructions; ++i) {
    const CodePlace place = {block.place.module, block.place.offset + 4 * static_cast<uint64_t>(i)};
    window_.push_back({place, kNop, {}});
    if (i == 0) window_.back().accesses = accesses;
  }
  if (window_.size() < plan_.instructions) return;
  windows_->Take(ContextOf(*roof_contexts_enter(&contexts_, running_)), window_);
  window_.clear();
  window_accesses_.clear();
}

// Modules are named by their numbers.
Executed FakeEngine::HandOver() {
  Executed executed;
  for (const auto& [place, block] : blocks_) {
    executed.modules.push_back({std::to_string(place.first), {block}, {}});
  }
  for (const auto& [way, times] : ways_) {
    executed.modules.push_back({std::to_string(way.first.first),
                                {},
                                {{way.first.second, way.second.second, times, false}}});
  }
  return executed;
}

void FakeEngine::Harvest(CountSink& sink) {
  roof_trace_flush(trace_.get());
  if (caches_.cache != nullptr) roof_cache_feed_count_dirty(&caches_);
  for (uint32_t i = 0; i < contexts_.all.count; ++i) {
    roof_context* context = contexts_.all.item[i];
    roof_context_fold(&contexts_, context);
    if (context->path == kNowhere) continue;
    sink.Add(ContextOf(*context), context->counters);
    if (context->entries > 0) sink.Entered(ContextOf(*context), context->entries);
  }
  for (const IncompletePath& path : incomplete_) sink.Incomplete(path);
  for (const auto& [context, line, cycles] : critical_) sink.Critical(context, line, cycles);
}

}  // namespace roofmark::counting
