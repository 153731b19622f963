// SPDX-License-Identifier: BSD-3-Clause
//
// An engine that has every capability, for programs that a test plays block by block. It is built
// from the parts that engines share (contexts, trace, cache model), as a second engine would be.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_FAKE_ENGINE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_FAKE_ENGINE_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "collectors/counting/engine.h"
#include "collectors/counting/trace/cache_feed.h"
#include "collectors/counting/trace/trace.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark::counting {

struct FakeBlock {
  CodePlace place;
  int32_t instructions = 1;
  int32_t flops = 0;                 // scalar additions
  std::vector<uint64_t> loads = {};  // addresses of 8 bytes each
  int32_t in_window = 0;             // so many of the instructions, three cycles each
};

class FakeEngine final : public Engine,
                         public Layers,
                         public PeriodicHarvest,
                         public AddressTrace,
                         public Windows,
                         public Blocks,
                         public Nests,
                         public Events {
 public:
  explicit FakeEngine(std::set<std::string> without = {});

  // The program. Threads are numbered from 1 in the order in which they begin.
  void BeginThread(uint32_t thread);
  void EndThread(uint32_t thread);
  void RunAs(uint32_t thread) { running_ = thread; }  // what follows happens on this thread
  void Execute(const FakeBlock& block);
  void Load(const Module& module);
  void Unload(uint32_t id);
  void Fork();                                               // the child goes on
  void Lead() { roof_contexts_lead(&contexts_, running_); }  // others work for the running thread
  // The windows of what runs spent so many of their cycles at this line.
  void SpendAt(const SourceLine& line, uint64_t cycles);
  // The running thread goes on natively where it is.
  void Leave(const std::string& reason);

  std::string_view Name() const override { return "fake"; }
  Execution HowItExecutes() const override { return Execution::kInProcess; }
  Result<CacheModel> Open(const Settings& settings) override;
  void EnterTeam(uint32_t path, bool counted) noexcept override;
  void EnterOwn(uint32_t path, bool counted) noexcept override;
  void SetCounting(Extent extent) noexcept override;
  void Harvest(CountSink& sink) override;
  void HarvestSoFar(CountSink& sink) override { Harvest(sink); }
  void Enter(Layer layer) noexcept override;
  void Leave() noexcept override { roof_layers_leave(&contexts_.threads[running_].layers); }
  void Start(AccessSink& sink, uint32_t line_sampling) override;
  void Start(WindowSink& sink, const WindowPlan& plan) override;
  void Start(EventSink& sink) override;
  std::string Start(bool) override {
    keeps_blocks_ = without_.count("room for blocks") == 0;
    return keeps_blocks_ ? "" : "this fake has no room for blocks";
  }
  uint64_t Lost() const override { return without_.count("room for ways"); }
  Executed HandOver() override;
  bool Set(const NestPlan& plan) override;
  NestPaths Paths() override;

  Capability<Layers> GetLayers() override { return Offer<Layers>("layers"); }
  Capability<PeriodicHarvest> GetPeriodicHarvest() override {
    return Offer<PeriodicHarvest>("periodic");
  }
  Capability<KeptCounts> GetKeptCounts() override { return Error{"this fake keeps no counts"}; }
  Capability<AddressTrace> GetAddressTrace() override { return Offer<AddressTrace>("trace"); }
  Capability<Windows> GetWindows() override { return Offer<Windows>("windows"); }
  Capability<Blocks> GetBlocks() override { return Offer<Blocks>("blocks"); }
  Capability<Nests> GetNests() override { return Offer<Nests>("nests"); }
  Capability<Events> GetEvents() override { return Offer<Events>("events"); }

 private:
  using Place = std::pair<uint32_t, uint64_t>;

  template <typename Part>
  Capability<Part> Offer(const std::string& what) {
    if (without_.count(what) > 0) return Error{"this fake has no " + what};
    return static_cast<Part*>(this);
  }
  static void Trace(void* cookie, uint32_t slot, const roof_context* context,
                    const uint64_t* records, size_t count);
  void Count(const FakeBlock& block);
  void WriteTrace(roof_context* context, const roof_descriptor* descriptor, const FakeBlock& block);
  void FollowNests(Place from, Place to);
  uint32_t NestAt(Place place) const;
  void AddToWindow(const FakeBlock& block);

  const std::set<std::string> without_;
  Memory memory_;
  roof_memory hooks_{};
  roof_segments segments_{};
  roof_contexts contexts_{};
  roof_cache_feed caches_{};
  std::unique_ptr<roof_trace> trace_;
  CacheModel model_;
  Extent counting_ = Extent::kAll;
  uint32_t running_ = 1;
  std::vector<IncompletePath> incomplete_;
  std::vector<std::tuple<Context, SourceLine, uint64_t>> critical_;
  std::map<uint32_t, Module> modules_;

  AccessSink* accesses_ = nullptr;
  uint32_t sampling_shift_ = 0;
  WindowSink* windows_ = nullptr;
  WindowPlan plan_;
  std::vector<ExecutedInstruction> window_;
  std::vector<std::vector<ExecutedAccess>> window_accesses_;
  EventSink* events_ = nullptr;
  bool keeps_blocks_ = false;
  std::map<Place, ExecutedBlock> blocks_;
  std::map<std::pair<Place, Place>, uint64_t> ways_;
  std::map<uint32_t, Place> last_;  // by thread
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_FAKE_ENGINE_H_
