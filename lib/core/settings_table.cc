// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/settings_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "lib/core/adapter_names.h"
#include "lib/core/code_place.h"
#include "lib/core/collector_names.h"
#include "lib/core/function_choice.h"
#include "lib/core/region_choice.h"

namespace roofmark {
namespace {

bool ParseUnsigned(std::string_view text, uint64_t& value) {
  uint64_t parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return false;
  value = parsed;
  return true;
}

bool ParseOneOf(std::string_view text, std::initializer_list<std::string_view> words,
                std::string& value) {
  if (std::find(words.begin(), words.end(), text) == words.end()) return false;
  value = text;
  return true;
}

bool ParseVisits(std::string_view text, VisitPolicy& policy) {
  if (text == "all") return policy = VisitPolicy{}, true;
  if (text == "in-turns") return policy = {VisitPolicy::Kind::kInTurns, 1}, true;
  if (text == kVisitsInBursts) return policy = {VisitPolicy::Kind::kBursts, 1}, true;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view word = text.substr(0, colon);
  uint64_t n = 0;
  if (!ParseUnsigned(text.substr(colon + 1), n) || n == 0) return false;
  if (word == "every") return policy = {VisitPolicy::Kind::kEvery, n}, true;
  if (word == "first") return policy = {VisitPolicy::Kind::kFirst, n}, true;
  return false;
}

bool ParseSample(std::string_view text, uint32_t& sample) {
  uint64_t n = 0;
  if (!ParseUnsigned(text, n) || n == 0 || n > 256 || (n & (n - 1)) != 0) return false;
  sample = static_cast<uint32_t>(n);
  return true;
}

// "600s", "10m", "2h"; plain numbers are seconds.
bool ParseInterval(std::string_view text, uint64_t& seconds) {
  uint64_t unit = 1, value = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'h':
        unit = 3600;
        break;
      case 'm':
        unit = 60;
        break;
      case 's':
        break;
      default:
        unit = 0;
    }
  }
  if (unit != 0 && !text.empty()) text.remove_suffix(1);
  constexpr uint64_t kMost = 1'000'000'000;
  if (!ParseUnsigned(text, value) || value == 0 || value > kMost) return false;
  seconds = value * (unit == 0 ? 1 : unit);
  return true;
}

// "on", "off", "1000", "timer:1000".
bool ParseSamples(std::string_view text, Settings& settings) {
  using By = SamplePlan::By;
  constexpr uint32_t kUsual = 1000, kLeast = 10, kMost = 10000;
  SamplePlan plan{By::kEither, kUsual};
  if (bool on = false; ParseSwitch(text, on)) {
    settings.samples = on ? plan : SamplePlan{};
    return true;
  }
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view method = text.substr(0, colon);
    if (method != "perf_event" && method != "timer") return false;
    plan.by = method == "timer" ? By::kTimer : By::kPerfEvent;
    text.remove_prefix(colon + 1);
  }
  uint64_t hz = 0;
  if (!ParseUnsigned(text, hz) || hz < kLeast || hz > kMost) return false;
  plan.hz = static_cast<uint32_t>(hz);
  settings.samples = plan;
  return true;
}

// A processor has four registers for them.
bool ParsePlaces(std::string_view text, Settings& settings) {
  constexpr size_t kMost = 4;
  std::optional<std::vector<CodePlace>> places = ParseCodePlaces(text);
  if (!places || places->size() > kMost) return false;
  settings.places = std::move(*places);
  return true;
}

bool ParseText(std::string_view text, std::string& value) {
  value = text;
  return !text.empty();
}

bool ParseCollector(std::string_view text, Settings& settings) {
  const std::vector<std::string> words = AllCollectorWords();
  if (std::find(words.begin(), words.end(), text) == words.end()) return false;
  settings.collector = text;
  return true;
}

bool ParseAdapterSet(std::string_view text, Settings& settings) {
  const std::optional<uint32_t> set = ParseAdapters(text);
  settings.adapters = set.value_or(settings.adapters);
  return set.has_value();
}

bool ParseRegions(std::string_view text, Settings& settings) {
  if (!RegionChoice::Parse(text)) return false;
  settings.regions = text;
  return true;
}

std::string WhyNoRegions(std::string_view text) { return RegionChoice::Parse(text).error(); }

bool ParseFunctions(std::string_view text, Settings& settings) {
  if (!FunctionChoice::Parse(text)) return false;
  settings.functions = text;
  return true;
}

std::string WhyNoFunctions(std::string_view text) { return FunctionChoice::Parse(text).error(); }

}  // namespace

bool ParseSwitch(std::string_view text, bool& value) {
  if (text == "1" || text == "on" || text == "yes" || text == "true") return value = true, true;
  if (text == "0" || text == "off" || text == "no" || text == "false") return value = false, true;
  return false;
}

const std::vector<SettingRow>& SettingRows() {
  static const auto& rows = *new std::vector<SettingRow>{
      {{"collector", "auto", CollectorValues(), CollectorDoc()}, &ParseCollector},
      {{"regions", "all of them", "patterns, as in solve/*,-halo",
        "Which regions are recorded: patterns, separated by commas, with `*`, `?` and `[a-z]`. "
        "`halo` stands for regions of that name wherever they are, `solve/mul` for `mul` right "
        "inside `solve`, `solve/*` for all that lies inside `solve`, `/solve` for `solve` outside "
        "of all others. `-` before a pattern leaves its regions out. The last pattern that matches "
        "a region decides; one that none matches is recorded only if all patterns leave out. What "
        "is left out belongs to the region around it."},
       &ParseRegions,
       &WhyNoRegions,
       ", so every region is recorded"},
      {{"children", "off", "off, on",
        "With `on` forked processes are recorded, too, from their first region on: each is a "
        "process without MPI and has a file of its own (`.child<process number>`). `roofmark run "
        "--children` joins those that run side by side."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.children); }},
      {{"group", "auto", "auto, dp, sp, mem, cache, mix, all, time, links",
        "What hardware counters count. `auto`: FLOPs, cycles and instructions, and those metrics "
        "of `mix` that fit as well. `dp`, `sp`: FLOPs of one precision. `mem`: memory traffic. "
        "`cache`: traffic between caches. `mix`: all FLOPs by kind or width, cycles, instructions "
        "and stalls. `all`: everything. With `cupti` alone: `time`, how long kernels and copies of "
        "GPUs take; `links`, bytes over PCIe and NVLink. If there are more events than counters, "
        "the events take turns, and their counts are scaled and marked as such."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"auto", "dp", "sp", "mem", "cache", "mix", "all", "time", "links"},
                           s.group);
       }},
      {{"events", "the group's", "names, separated by commas",
        "Your own list of events, instead of a group. It takes names of PAPI, of libpfm4 and of "
        "the operating system (`task-clock`), and encodings in its format "
        "(`device/event=0x04,umask=0x03/`). At most 16 names. `roofmark events` lists them."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.events); }},
      {{"package_events", "this CPU's", "NAME*FACTOR:read,NAME*FACTOR:write",
        "Your own list of events that count memory traffic of packages, through PAPI, for any of "
        "its components. FACTOR is the number of bytes for each count (64 if `*FACTOR` is left "
        "out). The name of an event ends with a CPU of the package for which it counts, as in "
        "`skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0`; without a CPU it is counted in every package. "
        "Needs the collector `papi` or `auto`."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.package_events); }},
      {{"rotate", "off", "off, visits",
        "What happens if there are more events than counters. With `off` the operating system "
        "switches them by time slices. With `visits` the groups take turns by visit of a region; "
        "use this for "
        "short regions."},
       [](std::string_view t, Settings& s) {
         if (t != "off" && t != "visits") return false;
         s.rotate = t == "visits";
         return true;
       }},
      {{"sync", "off", "off, node",
        "With `node` the ranks of a node wait for each other at the boundaries of team regions, "
        "for a limited time. The counts of a package's memory controllers then belong to one "
        "region."},
       [](std::string_view t, Settings& s) {
         if (t != "off" && t != "node") return false;
         s.sync_node = t == "node";
         return true;
       }},
      {{"kernel", "0", "0, 1",
        "With 1 hardware counters also count what the operating system does for the program."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.kernel); }},
      {{"output", "roofmark-%j.json", "a file name",
        "The roofline file. `%h` is the host, `%p` the process id, `%r` the rank, `%j` the job id "
        "(of a job array `16_3`, of a requeued job `16r1`), `%A` the array, `%a` its task, `%s` "
        "the "
        "step; a `/` and a leading `.` in them become `_`. A relative name starts at the directory "
        "in which the program was started. An existing "
        "file "
        "is kept: the new one gets a number before its extension. Pipes, terminals and "
        "`/dev/stdout` "
        "are written in place."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.output); }},
      {{"visits", "all", "all, every:N, first:K, in-turns, bursts",
        "Which visits of a region are measured: all, every N-th, or the first K. The measured "
        "visits are scaled to all visits and marked as such. The counting collector counts the "
        "FLOPs, instructions, loads and stores of every visit all the same; with the first K it "
        "models the memory hierarchy until no region in use has such visits left. With `in-turns`, "
        "which the engine `native` with `count=flops` can, visits take turns: some are timed while "
        "the program executes as it is, others are counted, and both are scaled to all visits; "
        "where counting costs less than 10 %, visits are timed and counted at once. `roofmark run "
        "--one-execution` sets it. With `bursts` all visits are measured, and the engine `native` "
        "models the memory hierarchy for two fifths of the time, in all processes at the same "
        "time; traffic is extrapolated and has an interval. `roofmark run --auto` sets it."},
       [](std::string_view t, Settings& s) { return ParseVisits(t, s.visits); }},
      {{"count", "cache", "flops, cache, threec",
        "What the counting collector counts. `flops`: FLOPs and instructions. `cache`: also the "
        "traffic of the cache hierarchy. `threec`: also compulsory, capacity and conflict misses."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"flops", "cache", "threec"}, s.count);
       }},
      {{"engine", "valgrind", "valgrind, native, auto",
        "What executes the program for the counting collector. `native` counts in the process "
        "itself, in regions, with AVX-512 and all threads at once; it does not tell why misses "
        "happen, and marks regions of which it lost counts. `auto` takes it where it is there and "
        "counts what is wanted, else `valgrind`, and says why; it then models one cache line in 16 "
        "unless `sample` is set, from which dependences are estimated."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"valgrind", "native", "auto"}, s.engine);
       }},
      {{"outside", "off", "off, on",
        "With `on` the engine `native` counts outside of regions, too, from the start of the "
        "library to its end: the program as a whole, marked or not. `valgrind` always does."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.outside); }},
      {{"cache", "this machine's", "L1:48K:12,L2:2M:16,L3:32M:16",
        "The caches that the counting collector models: level, size and associativity, nearest "
        "cache first. The default is this machine's caches, with the shared level divided among "
        "the processes that share it. `most:L3:11585K` takes no more than so much of a level: "
        "`roofmark run` says so where the machine file found less than half of it fast."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.cache); }},
      {{"sample", "1", "1, 2, 4 ... 256",
        "With N the counting collector simulates one cache line in N, in caches that are smaller "
        "by the same factor."},
       [](std::string_view t, Settings& s) {
         s.sample_is_set = true;
         return ParseSample(t, s.sample);
       }},
      {{"latencies", "off; `roofmark run` sets the machine file's", "off, dp_add=3,load_l1=4,...",
        "What operations and loads take, in cycles. With it the counting collector follows the "
        "dependences of one instruction in 100, in long runs of fewer, and gives the least time "
        "that they need. `count` must not be `flops` then, and the engine `valgrind` must "
        "simulate every cache line. `roofmark run` sets it from the chains of the machine file "
        "unless it is set already; `off` follows none."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.latencies); }},
      {{"adapters", "all", AdapterValues(), AdapterDoc()}, &ParseAdapterSet},
      {{"executed", "off", "off, on",
        "The counting engine notes which code was executed how often, and every process writes it "
        "beside the roofline file (`.executed<rank>.json`)."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.executed); }},
      {{"nests", "none", "a file",
        "Loops and functions that the counting engine makes regions of; docs/file-formats.md "
        "describes the file."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.nests); }},
      {{"functions", "none", "MODULE:FUNCTION, as in libblas.so*:dgemm_,app:solve*",
        "Functions that the counting engine makes regions of: patterns, separated by commas, with "
        "`*`, `?` and `[a-z]`. MODULE is a library's file name without its folders, or `app` for "
        "the program itself; with a `/` it is the path of a file, which may be opened later. "
        "FUNCTION is the name of a symbol, or its name in the source without arguments "
        "(`ns::solve`). What a function calls belongs to its region. At most 1000 functions; not "
        "together with `nests`."},
       &ParseFunctions,
       &WhyNoFunctions,
       ", so no function becomes a region"},
      {{"merge", "auto", "auto, always, never",
        "When ranks are merged over MPI. `auto` merges if all processes are known to record, which "
        "roofmark learns from the launcher, or from locks on one node. `always` merges in any "
        "case: if a process does not record, the others wait for it in MPI_Finalize. Without a "
        "merge every process writes its part."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"auto", "always", "never"}, s.merge);
       }},
      {{"detail", "off", "off, ranks, threads",
        "With `ranks` all ranks of an MPI job together also write the figures of each rank, into "
        "an HDF5 file beside the output (`.ranks.h5`). With `threads` this file also has each "
        "thread (`.threads.h5`)."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"off", "ranks", "threads"}, s.detail);
       }},
      {{"spool", "auto", "auto, off, a directory",
        "Where the data of a running process is kept, so that `roofmark recover` finds it if the "
        "process dies. `auto` is `/dev/shm/roofmark-<uid>-<job>`. A directory may contain `%h` and "
        "what `output` may, and is created if it is missing. The spool is removed when the "
        "roofline file is written."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.spool); }},
      {{"snapshot", "none", "600s, 10m, 1h",
        "How often the data of a running process is copied beside the roofline file, for `roofmark "
        "recover`. Snapshots survive if the spool's directory is deleted. They are removed when "
        "the roofline file is written."},
       [](std::string_view t, Settings& s) { return ParseInterval(t, s.snapshot_s); }},
      {{"samples", "off", "off, on, 10 to 10000, perf_event:HZ, timer:HZ",
        "How often, per second of CPU time, it is noted at which instruction each thread is; `on` "
        "is 1000. Every process then writes where its CPU time went beside the roofline file "
        "(`.samples<rank>.json`), and needs no markers for that. The samples come from perf_event; "
        "where the operating system denies it, from CPU timers, whose signal (SIGURG) may "
        "interrupt system "
        "calls. `perf_event:1000` and `timer:1000` allow only that method."},
       &ParseSamples},
      {{"places", "none", "OFFSET@FILE, up to 4, separated by commas",
        "Instructions whose executions are counted while samples are taken, by the processor's "
        "registers for breakpoints: `0x1040@/usr/bin/app`. An offset is that from the lowest "
        "address at which the file is mapped. `roofmark run --auto` sets it to learn whether its "
        "executions do equally much. Each execution of such an instruction takes some "
        "microseconds."},
       &ParsePlaces},
      {{"machine_dir", "none", "a directory",
        "Where the commands `run`, `report`, `compare` and `portability` look for the machine file "
        "of each kind of node, `machine-KIND.json`, after the directory of the roofline file and "
        "before the user's cache. It turns nothing on."},
       [](std::string_view t, Settings&) { return !t.empty(); },
       /*why_not=*/nullptr,
       /*otherwise=*/"",
       /*of_command=*/true},
      {{"tool_dir", "beside the library", "a directory",
        "The folder of the counting tool, if it is not roofmark-VERSION/valgrind beside the "
        "library."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.tool_dir); }},
      {{"strict", "0", "0, 1",
        "With 1 an unknown or malformed setting ends the program before main, with status 2."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.strict); }},
      {{"quiet", "0", "0, 1", "With 1 only errors are printed (to stderr, by rank 0)."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.quiet); }},
  };
  return rows;
}

}  // namespace roofmark
