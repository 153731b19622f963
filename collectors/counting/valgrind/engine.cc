// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/valgrind/engine.h"

#include <fmt/format.h>

#include <vector>

#include "collectors/counting/valgrind/found.h"
#include "collectors/counting/valgrind/protocol.h"

namespace roofmark::counting {
namespace {

constexpr uint32_t kNowhere = ROOF_NOWHERE;
static_assert(static_cast<int>(Extent::kAll) == ROOF_COUNT_ALL &&
              static_cast<int>(Extent::kFirst) == ROOF_COUNT_FIRST &&
              static_cast<int>(Extent::kCheap) == ROOF_COUNT_CHEAP &&
              static_cast<int>(Extent::kNothing) == ROOF_COUNT_NOTHING &&
              static_cast<int>(Extent::kStratum1) == ROOF_COUNT_STRATUM &&
              static_cast<int>(InStratum(counts::kStrata - 1)) < 16);
constexpr size_t kRowsAtOnce = 32;

CacheModel ModelOf(const roof_tool_info& info) {
  CacheModel model;
  model.geometry.levels = info.levels;
  for (uint32_t i = 0; i < info.levels; ++i) {
    model.geometry.size_bytes[i] = info.size_bytes[i];
    model.geometry.ways[i] = info.ways[i];
  }
  model.line_sampling = info.line_sampling;
  model.three_cs = info.three_cs != 0;
  model.windows = info.windows != 0;
  return model;
}

class ValgrindEngine final : public Engine,
                             private Layers,
                             private PeriodicHarvest,
                             private KeptCounts,
                             private Blocks,
                             private Nests {
 public:
  std::string_view Name() const override { return "valgrind"; }
  Execution HowItExecutes() const override { return Execution::kReExecuting; }

  Result<CacheModel> Open(const Settings&) override {
    const uint64_t version = ROOF_REQUEST(ROOF_REQ_HELLO, ROOF_PROTOCOL_VERSION);
    if (version == 0) {
      return Error{RUNNING_ON_VALGRIND ? "the program runs under another tool of Valgrind; start "
                                         "it without that tool, because roofmark uses its own"
                                       : "the program does not run under the counting engine"};
    }
    if (version != ROOF_PROTOCOL_VERSION) {
      return Error{
          fmt::format("the counting tool speaks protocol {}, this library {}; install "
                      "both from one version of roofmark",
                      version, ROOF_PROTOCOL_VERSION)};
    }
    roof_tool_info info = {};
    ROOF_REQUEST(ROOF_REQ_INFO, &info);
    return ModelOf(info);
  }

  void EnterTeam(uint32_t path, bool counted) noexcept override {
    Enter(ROOF_REQ_TEAM_PATH, counted ? path : kNowhere);
  }
  void EnterOwn(uint32_t path, bool counted) noexcept override {
    Enter(ROOF_REQ_OWN_PATH, counted ? path : kNowhere);
  }
  void SetCounting(Extent extent) noexcept override {
    ROOF_REQUEST(ROOF_REQ_COUNT, static_cast<uint32_t>(extent));
  }

  void Harvest(CountSink& sink) override { HandOver(sink, /*with_lines=*/true); }

  Capability<Layers> GetLayers() override { return this; }
  Capability<PeriodicHarvest> GetPeriodicHarvest() override { return this; }
  Capability<KeptCounts> GetKeptCounts() override { return this; }
  Capability<AddressTrace> GetAddressTrace() override {
    return Error{"addresses stay inside the Valgrind tool, where its own cache model takes them"};
  }
  Capability<Windows> GetWindows() override {
    return Error{"the Valgrind tool follows dependences itself and keeps only what they add up to"};
  }
  Capability<Blocks> GetBlocks() override { return this; }
  Capability<Nests> GetNests() override { return this; }
  Capability<Events> GetEvents() override {
    return Error{"the Valgrind tool does not call back into the program"};
  }

 private:
  void HandOver(CountSink& sink, bool with_lines) {
    roof_harvest harvest = {};
    std::vector<roof_record> records;
    // Other threads go on between two requests, and their counts need records too.
    while (ROOF_REQUEST(ROOF_REQ_HARVEST, &harvest) == 0) {
      if (harvest.needed == 0) return;  // not under the tool
      records.resize(harvest.needed + harvest.needed / 2);
      harvest.records = records.data();
      harvest.capacity = records.size();
    }
    records.resize(harvest.count);
    for (const roof_record& record : records) {
      if (record.path == kNowhere) continue;
      const Context context = {record.thread, record.path, static_cast<Layer>(record.layer),
                               static_cast<Extent>(record.count)};
      sink.Add(context, record.counters);
      if (record.entries > 0) sink.Entered(context, record.entries);
      if (with_lines) HandOverCritical(context, record, sink);
    }
    if (harvest.lost_paths > 0) {
      sink.Incomplete({0,
                       fmt::format("the engine tells {} paths apart; regions of later paths were "
                                   "counted as outside of all regions",
                                   kNowhere),
                       harvest.lost_paths});
    }
  }
  static void HandOverCritical(const Context& context, const roof_record& record, CountSink& sink) {
    for (const roof_critical& critical : record.critical) {
      if (critical.cycles == 0) continue;
      roof_line line = {critical.place, 0, {}};
      if (ROOF_REQUEST(ROOF_REQ_LINE, &line) == 0) continue;
      sink.Critical(context, {line.file, line.line}, critical.cycles);
    }
  }

  std::string Start(bool by_path) override {
    ROOF_REQUEST(ROOF_REQ_KEEP_BLOCKS, by_path ? 1 : 0);
    return {};
  }
  Executed HandOver() override { return TakeExecuted(); }
  uint64_t Lost() const override { return 0; }  // Valgrind ends a program without memory
  bool Set(const NestPlan& plan) override { return SetNests(plan); }
  NestPaths Paths() override { return TakeNestPaths(); }

  void Enter(Layer layer) noexcept override {
    ROOF_REQUEST(ROOF_REQ_ENTER_LAYER, static_cast<uint32_t>(layer));
  }
  void Leave() noexcept override { ROOF_REQUEST(ROOF_REQ_LEAVE_LAYER, 0); }
  // Lines are looked up one by one, and wanted at the end only.
  void HarvestSoFar(CountSink& sink) override { HandOver(sink, /*with_lines=*/false); }
  void KeepIn(counts::CountStore& store) override {
    store_ = &store;
    GiveRoom();
  }

  void Enter(unsigned request, uint32_t path) noexcept {
    if (ROOF_REQUEST(request, path) == ROOF_ROOM_WANTED) GiveRoom();
  }
  // Where a context is new: roofmark's own work, which no region gets.
  void GiveRoom() noexcept {
    Enter(Layer::kOwn);
    const roof_room room = {store_->Rows(kRowsAtOnce, ROOF_COUNTERS), kRowsAtOnce};
    const roof_room none = {nullptr, 0};
    if (room.rows == nullptr) store_->Lacks(counts::Lack::kRoom);
    ROOF_REQUEST(ROOF_REQ_ROOM, room.rows == nullptr ? &none : &room);
    Leave();
  }

  counts::CountStore* store_ = nullptr;
};

}  // namespace

std::unique_ptr<Engine> MakeValgrindEngine() { return std::make_unique<ValgrindEngine>(); }

}  // namespace roofmark::counting
