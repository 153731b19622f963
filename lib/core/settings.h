// SPDX-License-Identifier: BSD-3-Clause
//
// Every setting of the library, read once from the environment: ROOFMARK_<KEY>=value, or several in
// ROOFMARK="key=value;key=value" (ROOFMARK=on and ROOFMARK=off switch). One table holds name,
// default, meaning and parser; docs/settings.md is generated from it.
#ifndef ROOFMARK_LIB_CORE_SETTINGS_H_
#define ROOFMARK_LIB_CORE_SETTINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/code_place.h"

namespace roofmark {

// As VisitPolicy::Kind::kBursts is written.
inline constexpr std::string_view kVisitsInBursts = "bursts";
// A fact of a pass with them: how many bursts measured nothing, and why. A finished clause, which
// reports print as it is.
inline constexpr const char* kColdBurstsFact = "cold_bursts";

// Which visits of a path are measured.
struct VisitPolicy {
  // kInTurns: visits are timed or counted, in turns (markers/turns.h). kBursts: all are measured,
  // and an engine models the memory hierarchy for a part of the time.
  enum class Kind { kAll, kEvery, kFirst, kInTurns, kBursts } kind = Kind::kAll;
  uint64_t n = 1;  // every n-th, or the first n

  bool AreAll() const { return kind == Kind::kAll || kind == Kind::kBursts; }

  // `visit` counts from 0.
  bool Measures(uint64_t visit) const {
    switch (kind) {
      case Kind::kAll:
      case Kind::kInTurns:
      case Kind::kBursts:
        return true;
      case Kind::kEvery:
        return visit % n == 0;
      case Kind::kFirst:
        return visit < n;
    }
    return true;
  }
};

// How often the places are sampled at which threads spend their CPU time, and by what.
struct SamplePlan {
  enum class By : uint8_t { kEither, kPerfEvent, kTimer } by = By::kEither;
  uint32_t hz = 0;  // samples per second of CPU time; 0: none
};

// Set by `roofmark run` to what it gives as ROOFMARK_OUTPUT; no setting of a user's.
inline constexpr const char* kOutputOfRun = "ROOFMARK___RUN";

struct Settings {
  bool on = false;
  // Files at `output` are read by `roofmark run`, which speaks of them. A program that the process
  // starts with another output does not belong to it.
  bool of_run = false;
  bool strict = false;
  bool quiet = false;
  std::string collector = "auto";  // auto, timer, papi, perf_event, counting
  std::string output;              // file name pattern; empty: roofmark-%j.json
  std::string regions;             // patterns, as lib/core/region_choice.h has them; empty: all
  VisitPolicy visits;
  std::string group = "auto";       // a group of collectors/hardware/events/groups.h
  std::string events;               // a user's own list; empty: the group decides
  std::string package_events;       // a user's list of memory traffic; empty: the CPU's events
  bool rotate = false;              // groups of events take turns by visit, not by time slice
  bool sync_node = false;           // ranks of a node wait for each other at boundaries
  bool kernel = false;              // hardware counters count in the kernel too
  std::string count = "cache";      // flops, cache, threec
  std::string engine = "valgrind";  // valgrind, native, auto
  std::string cache;                // geometry text; empty: from hwloc
  uint32_t sample = 1;              // one cache line in `sample` is simulated
  bool sample_is_set = false;       // else `auto` chooses
  std::string latencies = "off";    // "off", or latencies as dataflow/latency_text.h has them
  uint32_t adapters = UINT32_MAX;   // a set of lib/core/adapter_names.h
  std::string merge = "auto";       // auto, always, never
  std::string detail = "off";       // off, ranks, threads
  std::string spool = "auto";       // auto, off, or a directory
  uint64_t snapshot_s = 0;          // 0: none
  bool children = false;            // forked processes that enter regions are recorded, too
  bool outside = false;             // the native engine counts outside of regions, too
  bool executed = false;            // the counting engine keeps which code was executed
  std::string nests;                // file of loops and functions that become regions; empty: none
  std::string functions;            // patterns, as lib/core/function_choice.h has them; empty: none
  SamplePlan samples;
  std::vector<CodePlace> places;  // whose executions are counted while samples are taken
  std::string tool_dir;           // where the counting tool lies; empty: beside the library
  std::map<std::string, std::string> given;  // what was set, by key, for the file
};

struct SettingInfo {
  std::string_view key;  // lower case, as in ROOFMARK="key=value"
  std::string_view default_text;
  std::string_view values;  // what a value looks like
  std::string_view doc;
};

const std::vector<SettingInfo>& AllSettings();
// "collector" -> "ROOFMARK_COLLECTOR".
std::string VariableName(std::string_view key);

// A setting whose value is not empty and not one of it.
struct MalformedSetting {
  std::string setting;  // "ROOFMARK_VISITS=often"
  std::string why;      // "it takes all, every:N, ..."
};

struct ParsedSettings {
  Settings settings;
  std::vector<std::string> problems;        // one sentence each: variable, value, what is expected
  std::vector<MalformedSetting> malformed;  // those of them that a command may refuse
};

// Why the setting `key` does not take `value`, as in MalformedSetting; empty: it does.
std::string WhyNotValue(std::string_view key, std::string_view value);

// `environment` is like environ: "NAME=value" strings up to a null pointer; names that do not begin
// with ROOFMARK are skipped. A malformed value leaves the default in place.
ParsedSettings ParseSettings(const char* const* environment);

// The text of docs/settings.md.
std::string SettingsMarkdown();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SETTINGS_H_
