// SPDX-License-Identifier: BSD-3-Clause
//
// A counting engine executes the program and counts exactly what it does. The counting collector
// knows engines by this interface alone; engines.h lists them.
//
// What every engine does is a method of Engine. What not every engine can do is a part of it, of
// its own type: asked for it, an engine hands out that part or the reason why it has none.
#ifndef ROOFMARK_COLLECTORS_COUNTING_ENGINE_H_
#define ROOFMARK_COLLECTORS_COUNTING_ENGINE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/counting/cache/geometry.h"
#include "collectors/counting/streams.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"
#include "lib/counts/store.h"
#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"

namespace roofmark::counting {

// Threads are numbered from 1.
inline constexpr uint32_t kMainThread = 1;

enum class Execution {
  kReExecuting,  // the process starts again under the engine, before main
  kInProcess,    // the engine works in the process as it is
};

// What an engine in the process asks whoever follows the threads of the program.
struct ThreadQuestions {
  int (*on_the_way)();              // how many have been made and have not begun yet
  int (*is_uncounted)(int thread);  // a thread of roofmark, by its number
};

// The modelled memory hierarchy of a run.
struct CacheModel {
  roof_geometry geometry = {};  // no levels: nothing is modelled, traffic counters stay zero
  uint32_t line_sampling = 1;   // one line in so many is modelled, counters scaled up
  bool three_cs = false;        // misses of the last level are classified
  bool windows = false;         // dependences are followed in windows: ROOF_C_WINDOW_...
  bool bursts = false;          // all this for a part of the time, told apart by Extent
};

// An engine that can lose counts must say so.
struct IncompletePath {
  uint32_t path = 0;
  std::string reason;
  uint64_t exits = 0;  // how often execution went on uncounted
};

struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

class CountSink {
 public:
  // ROOF_COUNTERS running sums since the start of the process. Contexts that counted nothing are
  // left out, and so is what was not to be counted.
  virtual void Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) = 0;
  virtual void Incomplete(const IncompletePath& path) = 0;
  // A source line at which the windows of the context spent `cycles` of ROOF_C_WINDOW_CYCLES. Those
  // of one line add up.
  virtual void Critical(const Context& context, const SourceLine& line, uint64_t cycles) = 0;
  // How often the nest was entered that the context's path ends with.
  virtual void Entered(const Context& context, uint64_t times) = 0;

 protected:
  ~CountSink() = default;
};

// Layers are stacked for each thread: whatever a thread executes between Enter and the Leave that
// belongs to it is charged to its path in that layer. Called by the thread itself.
class Layers {
 public:
  virtual void Enter(Layer layer) noexcept = 0;
  virtual void Leave() noexcept = 0;

 protected:
  ~Layers() = default;
};

// The sums so far, while the program goes on: any number of times, without a change of what
// Engine::Harvest gives.
class PeriodicHarvest {
 public:
  virtual void HarvestSoFar(CountSink& sink) = 0;

 protected:
  ~PeriodicHarvest() = default;
};

// Copies its sums by itself to memory that outlives the process, so that one which is killed leaves
// those up to the last time. The columns of `store` are the counters of schema.h, its rows cover
// Covers::kUpToHandOver. Started at most once, before the first region.
class KeptCounts {
 public:
  virtual void KeepIn(counts::CountStore& store) = 0;

 protected:
  ~KeptCounts() = default;
};

// Each of these is started at most once, before the first region; the sink outlives the engine.
class AddressTrace {
 public:
  // One line in `line_sampling`, a power of two, is wanted.
  virtual void Start(AccessSink& sink, uint32_t line_sampling) = 0;

 protected:
  ~AddressTrace() = default;
};
class Windows {
 public:
  virtual void Start(WindowSink& sink, const WindowPlan& plan) = 0;

 protected:
  ~Windows() = default;
};
class Events {
 public:
  virtual void Start(EventSink& sink) = 0;

 protected:
  ~Events() = default;
};
class Blocks {
 public:
  // `by_path`: parts of blocks are wanted, too. Returned: empty, or why none are kept.
  virtual std::string Start(bool by_path) = 0;
  // Everything executed since the start, in any order (see MergeExecuted). Paths of parts are as in
  // Context, and have no names. Called after the last region.
  virtual Executed HandOver() = 0;
  // How many ways and parts that lacks, because memory was short. After it.
  virtual uint64_t Lost() const = 0;

 protected:
  ~Blocks() = default;
};

// A path that the engine made: below `parent`, for a nest that was entered there.
struct NestPath {
  uint32_t path = 0;  // as in Context
  uint32_t parent = 0;
  uint32_t nest = 0;  // index in the plan
};
struct NestPaths {
  std::vector<NestPath> paths;  // parents first
  uint64_t lost = 0;  // entries that have no path of their own, because there are too many
};
class Nests {
 public:
  // Before the first region. Modules need not be loaded yet. False: the plan makes no sense.
  virtual bool Set(const NestPlan& plan) = 0;
  virtual NestPaths Paths() = 0;

 protected:
  ~Nests() = default;
};

// The part, which the engine owns, or the reason why there is none.
template <typename Part>
using Capability = Result<Part*>;

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view Name() const = 0;
  virtual Execution HowItExecutes() const = 0;
  // True if what is executed in no region is counted as well.
  virtual bool CountsOutside() const { return true; }
  // Of CacheModel::bursts: how many measured nothing so far, because their caches never got warm.
  virtual uint64_t ColdBursts() const { return 0; }
  // Empty, or why it stopped for good in the middle of something: then it hands over nothing, and
  // nothing is known of any path.
  virtual std::string WhyGivenUp() const { return {}; }

  // Called once, before anything else. The error says why the engine does not count here.
  virtual Result<CacheModel> Open(const Settings& settings) = 0;

  // EnterTeam is called by the main thread, EnterOwn by the thread it concerns; path 0 stands for
  // "in no region". What happens in a visit that is not `counted` goes nowhere.
  virtual void EnterTeam(uint32_t path, bool counted) noexcept = 0;
  virtual void EnterOwn(uint32_t path, bool counted) noexcept = 0;
  // With Extent::kCheap neither the memory hierarchy is modelled nor dependences are followed.
  virtual void SetCounting(Extent extent) noexcept = 0;

  // The sums, at the end. Called on one thread; others may still run.
  virtual void Harvest(CountSink& sink) = 0;

  virtual Capability<Layers> GetLayers() = 0;
  virtual Capability<PeriodicHarvest> GetPeriodicHarvest() = 0;
  virtual Capability<KeptCounts> GetKeptCounts() = 0;
  virtual Capability<AddressTrace> GetAddressTrace() = 0;
  virtual Capability<Windows> GetWindows() = 0;
  virtual Capability<Blocks> GetBlocks() = 0;
  virtual Capability<Nests> GetNests() = 0;
  virtual Capability<Events> GetEvents() = 0;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_ENGINE_H_
