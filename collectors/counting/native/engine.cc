// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/engine.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "collectors/counting/cache/geometry.h"
#include "collectors/counting/host_caches.h"
#include "collectors/counting/limits.h"
#include "collectors/counting/native/calls.h"
#include "collectors/counting/native/critical_lines.h"
#include "collectors/counting/native/found.h"
#include "collectors/counting/native/hooks.h"
#include "collectors/counting/native/linked_in.h"
#include "collectors/counting/nest_arrays.h"
#include "lib/core/clock.h"
#include "lib/core/messages/collectors.h"

namespace roofmark::counting {
namespace {

const roof_native_calls* g_loaded = nullptr;
pid_t g_opened = 0;  // the process that counts; a forked child has to begin anew

// Where the library was loaded into a scope of its own, as with a plug-in, its dlclose is not that
// of the program.
bool SeesUnloads() {
  Dl_info own, called;
  const void* function = dlsym(RTLD_DEFAULT, "dlclose");
  return function != nullptr && dladdr(&g_loaded, &own) != 0 && dladdr(function, &called) != 0 &&
         own.dli_fbase == called.dli_fbase;
}

// How often libraries were unloaded.
uint64_t Unloads() noexcept {
  uint64_t unloads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        *static_cast<uint64_t*>(to) = info->dlpi_subs;
        return 1;
      },
      &unloads);
  return unloads;
}

int None() { return 0; }
int Unknown(int) { return 0; }
ThreadQuestions g_threads = {&None, &Unknown};

int CallNextSigaction(int number, const struct sigaction* action, struct sigaction* old) {
  return NextSigaction(number, action, old);
}

std::string DirName(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// Of these `auto` models one.
constexpr uint32_t kLinesForAuto = 16;

Result<CacheModel> ModelOf(const Settings& settings) {
  CacheModel model;
  if (settings.count == "flops") return model;
  const Result<std::string> caches = CachesToModel(settings);
  if (!caches) return Error{caches.error()};
  char error[ROOF_GEOMETRY_ERROR];
  roof_geometry_parse(caches->c_str(), &model.geometry, error, sizeof error);
  model.line_sampling = LinesToSample(settings);
  const Result<std::string> latencies = LatenciesToModel(settings);
  if (!latencies) return Error{latencies.error()};
  model.windows = !latencies->empty();
  model.bursts = settings.visits.kind == VisitPolicy::Kind::kBursts && model.geometry.levels > 1;
  return model;
}

// Of the time-stamp counter, within some percent.
uint64_t TicksEachMicrosecond() {
  constexpr uint64_t kLongEnoughNs = 200'000;
  const uint64_t begin_ns = NowNs(), begin = CpuCounter();
  uint64_t took_ns = 0;
  while (took_ns < kLongEnoughNs) took_ns = NowNs() - begin_ns;
  return std::max<uint64_t>(1, (CpuCounter() - begin) * 1000 / took_ns);
}

class NativeEngine final : public Engine,
                           private Layers,
                           private PeriodicHarvest,
                           private AddressTrace,
                           private Blocks,
                           private Nests {
 public:
  std::string_view Name() const override { return "native"; }
  Execution HowItExecutes() const override { return Execution::kInProcess; }
  bool CountsOutside() const override { return outside_; }

  Result<CacheModel> Open(const Settings& settings) override {
    if (g_loaded == nullptr) return Error{InWords(message::kNativeNotLoaded)};
    if (const std::string why = WhyNotNative(settings); !why.empty()) return Error{why};
    const Result<CacheModel> model = ModelOf(settings);
    outside_ = NativeCountsOutside(settings);
    if (!model || g_opened == getpid()) return model;
    if (g_opened != 0) return OpenInChild(*model);
    const roof_native_asks asks = {&CallNextSigaction,     g_threads.on_the_way,
                                   g_threads.is_uncounted, &CancelAThread,
                                   outside_ ? 1 : 0,       settings.children ? 1 : 0};
    const roof_native_model modelled = {model->geometry, model->line_sampling,
                                        model->windows ? settings.latencies.c_str() : nullptr,
                                        model->bursts ? TicksEachMicrosecond() : 0};
    if (const char* why = g_loaded->start(&asks, &modelled)) {
      return Error{InWords(message::kNativeDoesNotCount, why)};
    }
    g_opened = getpid();
    TellEngine(g_loaded);
    sees_unloads_ = SeesUnloads();
    unloads_ = Unloads();
    return model;
  }

  uint64_t ColdBursts() const override { return g_loaded->cold_bursts(); }
  std::string WhyGivenUp() const override {
    const char* why = g_loaded->why_given_up();
    return why == nullptr ? "" : why;
  }

  void EnterTeam(uint32_t path, bool counted) noexcept override {
    NoteUnloads();
    g_loaded->team(path, counted ? 1 : 0);
  }
  void EnterOwn(uint32_t path, bool counted) noexcept override {
    NoteUnloads();
    g_loaded->own(path, counted ? 1 : 0);
  }
  void SetCounting(Extent extent) noexcept override {
    g_loaded->count(static_cast<uint32_t>(extent));
  }

  void Harvest(CountSink& sink) override {
    Harvested harvested = {sink, {}};
    const roof_native_sums to = {&harvested, &Add, &Incomplete, &Critical, &Entered};
    g_loaded->harvest(&to);
    harvested.lines.HandOver(sink);
  }
  // Lines are wanted at the end only.
  void HarvestSoFar(CountSink& sink) override {
    Harvested harvested = {sink, {}};
    const roof_native_sums to = {&harvested, &Add, &Incomplete, nullptr, &Entered};
    g_loaded->harvest(&to);
  }

  Capability<Layers> GetLayers() override { return this; }
  Capability<PeriodicHarvest> GetPeriodicHarvest() override { return this; }
  Capability<KeptCounts> GetKeptCounts() override {
    return Error{InWords(message::kNativeKeepsNoCounts)};
  }
  Capability<AddressTrace> GetAddressTrace() override { return this; }
  Capability<Windows> GetWindows() override { return Error{InWords(message::kNativeHasNoWindows)}; }
  Capability<Blocks> GetBlocks() override { return this; }
  Capability<Nests> GetNests() override { return this; }
  Capability<Events> GetEvents() override { return Error{InWords(message::kNativeHasNoEvents)}; }

 private:
  // Other code may have come to the place of what was unloaded.
  void NoteUnloads() noexcept {
    if (sees_unloads_) return;
    const uint64_t unloads = Unloads();
    if (unloads_.exchange(unloads) != unloads) g_loaded->files_changed();
  }
  static Result<CacheModel> OpenInChild(const CacheModel& model) {
    if (const char* why = g_loaded->start_in_child()) {
      return Error{InWords(message::kNativeDoesNotCount, why)};
    }
    g_opened = getpid();
    return model;
  }
  struct Harvested {
    CountSink& sink;
    CriticalLines lines;
  };
  static Context ContextOf(uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent) {
    return {thread, path, static_cast<Layer>(layer), static_cast<Extent>(extent)};
  }
  static void Add(void* cookie, uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent,
                  const uint64_t* counters) {
    static_cast<Harvested*>(cookie)->sink.Add(
        ContextOf(thread, path, layer, extent),
        std::span<const uint64_t, ROOF_COUNTERS>(counters, ROOF_COUNTERS));
  }
  static void Incomplete(void* cookie, uint32_t path, const char* reason, uint64_t exits) {
    static_cast<Harvested*>(cookie)->sink.Incomplete({path, reason, exits});
  }
  static void Critical(void* cookie, uint32_t thread, uint32_t path, uint32_t layer,
                       uint32_t extent, const roof_critical* critical) {
    static_cast<Harvested*>(cookie)->lines.Add(ContextOf(thread, path, layer, extent),
                                               critical->place, critical->cycles);
  }
  static void Entered(void* cookie, uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent,
                      uint64_t times) {
    static_cast<Harvested*>(cookie)->sink.Entered(ContextOf(thread, path, layer, extent), times);
  }

  static void Take(void* cookie, uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent,
                   const uint64_t* records, size_t count) {
    static_cast<AccessSink*>(cookie)->Take(ContextOf(thread, path, layer, extent),
                                           std::span(records, count));
  }
  void Start(AccessSink& sink, uint32_t line_sampling) override {
    g_loaded->listen(line_sampling, &Take, &sink);
  }

  std::string Start(bool by_path) override {
    const char* why = g_loaded->keep_blocks(by_path ? 1 : 0);
    return why == nullptr ? "" : why;
  }
  Executed HandOver() override { return TakeNativeExecuted(*g_loaded, lost_); }
  uint64_t Lost() const override { return lost_; }

  bool Set(const NestPlan& plan) override {
    const NestArrays arrays(plan);
    return g_loaded->set_nests(&arrays.plan()) == 1;
  }
  static void TakePath(void* cookie, uint32_t path, uint32_t parent, uint32_t nest) {
    static_cast<NestPaths*>(cookie)->paths.push_back({path, parent, nest - 1});
  }
  NestPaths Paths() override {
    NestPaths paths;
    paths.lost = g_loaded->nest_paths(&paths, &TakePath);
    return paths;
  }

  void Enter(Layer layer) noexcept override { g_loaded->enter_layer(static_cast<uint32_t>(layer)); }
  void Leave() noexcept override { g_loaded->leave_layer(); }

  bool outside_ = false;
  bool sees_unloads_ = true;
  std::atomic<uint64_t> unloads_{0};
  uint64_t lost_ = 0;  // of executed code
};

}  // namespace

uint32_t LinesToSample(const Settings& settings) {
  return settings.engine == "auto" && !settings.sample_is_set ? kLinesForAuto : settings.sample;
}

bool NativeCountsOutside(const Settings& settings) {
  return settings.outside || !settings.nests.empty() || !settings.functions.empty();
}

std::string WhyNotNative(const Settings& settings) {
  if (settings.count == "threec") return InWords(message::kNativeTellsNoMisses);
  static const std::string linked_in = FindLinkedIn("/proc/self/exe");
  if (!linked_in.empty()) return InWords(message::kNativeSeesLinkedIn, linked_in);
  return WhyTooLittle(kNeededMemory);
}

std::string LoadNativeEngine(const Settings& settings, const std::string& library_path) {
  if (std::string why = WhyNotNative(settings); !why.empty()) return why;
  if (g_loaded != nullptr) return {};
  const std::string path =
      DirName(library_path) + "/" ROOFMARK_PLUGIN_FOLDER "/libroofmark_native.so";
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return InWords(message::kNoNativeEngine, dlerror(), ROOFMARK_ABI);
  }
  const auto entry =
      reinterpret_cast<roof_native_calls_entry>(dlsym(handle, ROOF_NATIVE_CALLS_ENTRY));
  const roof_native_calls* calls = entry == nullptr ? nullptr : entry();
  if (calls == nullptr || calls->version != ROOF_NATIVE_CALLS_VERSION) {
    return InWords(message::kNativeEngineOfOtherVersion, path);
  }
  if (const char* missing = calls->missing()) {
    return InWords(message::kNativeDoesNotCount, missing);
  }
  g_loaded = calls;
  return {};
}

std::unique_ptr<Engine> MakeNativeEngine() { return std::make_unique<NativeEngine>(); }

void NativeThreadBegan() noexcept {
  if (g_opened != 0) g_loaded->thread_began();
}
void NativeThreadEnded() noexcept {
  if (g_opened != 0) g_loaded->thread_ended();
}
void SetNativeThreadQuestions(const ThreadQuestions& questions) noexcept { g_threads = questions; }

}  // namespace roofmark::counting
