// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "lib/core/collector_names.h"
#include "lib/core/wrap_text.h"

namespace roofmark {
namespace {

// Parsers return false for a malformed value and then leave the setting alone.
using Parser = bool (*)(std::string_view text, Settings& settings);

struct Row {
  SettingInfo info;
  Parser parse;
  bool of_command = false;  // means nothing to a process that records, and turns nothing on
};

bool ParseUnsigned(std::string_view text, uint64_t& value) {
  uint64_t parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return false;
  value = parsed;
  return true;
}

bool ParseSwitch(std::string_view text, bool& value) {
  if (text == "1" || text == "on" || text == "yes" || text == "true") return value = true, true;
  if (text == "0" || text == "off" || text == "no" || text == "false") return value = false, true;
  return false;
}

bool ParseOneOf(std::string_view text, std::initializer_list<std::string_view> words,
                std::string& value) {
  if (std::find(words.begin(), words.end(), text) == words.end()) return false;
  value = text;
  return true;
}

bool ParseVisits(std::string_view text, VisitPolicy& policy) {
  if (text == "all") return policy = VisitPolicy{}, true;
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

bool ParseText(std::string_view text, std::string& value) {
  value = text;
  return !text.empty();
}

std::vector<std::string> AllCollectorWords() {
  return CollectorWords(
      {CollectorKind::kAlways, CollectorKind::kInProcess, CollectorKind::kEngine});
}

bool ParseCollector(std::string_view text, Settings& settings) {
  const std::vector<std::string> words = AllCollectorWords();
  if (std::find(words.begin(), words.end(), text) == words.end()) return false;
  settings.collector = text;
  return true;
}

// Texts that the list of collectors gives are kept as long as the table of settings.
std::string_view CollectorValues() {
  static const auto& text =
      *new std::string(fmt::format("{}", fmt::join(AllCollectorWords(), ", ")));
  return text;
}

std::string_view CollectorDoc() {
  static const auto& text = *[] {
    auto* all = new std::string(
        "The collector that counts. `auto` takes the first collector that opens in this process; "
        "it never executes the program again.");
    for (const CollectorName& name : kCollectorNames) {
      if (!name.doc.empty()) all->append(" ").append(name.doc);
    }
    return all;
  }();
  return text;
}

const std::vector<Row>& Rows() {
  static const auto& rows = *new std::vector<Row>{
      {{"collector", "auto", CollectorValues(), CollectorDoc()}, &ParseCollector},
      {{"group", "auto", "auto, dp, sp, mem, cache, mix, all",
        "What hardware counters count. `auto`: FLOPs, cycles and instructions, and those metrics "
        "of `mix` that fit as well. `dp`, `sp`: FLOPs of one precision. `mem`: memory traffic. "
        "`cache`: traffic between caches. `mix`: all FLOPs by kind or width, cycles, instructions "
        "and stalls. `all`: everything. If there are more events than counters, the events take "
        "turns, and their counts are scaled and marked as such."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"auto", "dp", "sp", "mem", "cache", "mix", "all"}, s.group);
       }},
      {{"events", "the group's", "names, separated by commas",
        "Your own list of events, instead of a group. It takes names of PAPI, of libpfm4 and of "
        "the kernel (`task-clock`), and encodings in the kernel's format "
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
        "What happens if there are more events than counters. With `off` the kernel switches them "
        "by time slices. With `visits` the groups take turns by visit of a region; use this for "
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
        "With 1 hardware counters also count what the kernel does for the program."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.kernel); }},
      {{"output", "roofmark-%j.json", "a file name",
        "The roofline file. `%h` is the host, `%p` the process id, `%r` the rank, `%j` the job id; "
        "a `/` and a leading `.` in them become `_`. "
        "A relative name starts at the directory in which the program was started. An existing "
        "file "
        "is kept: the new one gets a number before its extension. Pipes, terminals and "
        "`/dev/stdout` "
        "are written in place."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.output); }},
      {{"visits", "all", "all, every:N, first:K",
        "Which visits of a region are measured: all, every N-th, or the first K. The measured "
        "visits are scaled to all visits and marked as such. The counting collector counts the "
        "FLOPs, instructions, loads and stores of every visit all the same; with the first K it "
        "models the memory hierarchy until no region in use has such visits left."},
       [](std::string_view t, Settings& s) { return ParseVisits(t, s.visits); }},
      {{"count", "cache", "flops, cache, threec",
        "What the counting collector counts. `flops`: FLOPs and instructions. `cache`: also the "
        "traffic of the cache hierarchy. `threec`: also compulsory, capacity and conflict misses."},
       [](std::string_view t, Settings& s) {
         return ParseOneOf(t, {"flops", "cache", "threec"}, s.count);
       }},
      {{"cache", "this machine's", "L1:48K:12,L2:2M:16,L3:32M:16",
        "The caches that the counting collector models: level, size and associativity, nearest "
        "cache first. The default is this machine's caches, with the shared level divided among "
        "the processes that share it."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.cache); }},
      {{"sample", "1", "1, 2, 4 ... 256",
        "With N the counting collector simulates one cache line in N, in caches that are smaller "
        "by the same factor."},
       [](std::string_view t, Settings& s) { return ParseSample(t, s.sample); }},
      {{"latencies", "off; `roofmark run` sets the machine file's", "off, dp_add=3,load_l1=4,...",
        "What operations and loads take, in cycles. With it the counting collector follows the "
        "dependences of one instruction in 100 and gives the least time that they need; it then "
        "simulates every cache line and needs `count` other than `flops`. `roofmark run` sets it "
        "from the chains of the machine file unless it is set already; `off` follows none."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.latencies); }},
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
        "process dies. `auto` is `/dev/shm/roofmark-<uid>-<job>`. A directory may contain `%h`, "
        "`%p`, `%r` and `%j`, and is created if it is missing. The spool is removed when the "
        "roofline file is written."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.spool); }},
      {{"snapshot", "none", "600s, 10m, 1h",
        "How often the data of a running process is copied beside the roofline file, for `roofmark "
        "recover`. Snapshots survive if the spool's directory is deleted. They are removed when "
        "the roofline file is written."},
       [](std::string_view t, Settings& s) { return ParseInterval(t, s.snapshot_s); }},
      {{"machine_dir", "none", "a directory",
        "Where the commands `run`, `report`, `compare` and `portability` look for the machine file "
        "of each kind of node, `machine-KIND.json`, after the directory of the roofline file and "
        "before the user's cache. It turns nothing on."},
       [](std::string_view t, Settings&) { return !t.empty(); },
       /*of_command=*/true},
      {{"tool_dir", "beside the library", "a directory",
        "The folder of the counting tool, if it is not roofmark/valgrind beside the library."},
       [](std::string_view t, Settings& s) { return ParseText(t, s.tool_dir); }},
      {{"strict", "0", "0, 1",
        "With 1 an unknown or malformed setting ends the program before main, with status 2."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.strict); }},
      {{"quiet", "0", "0, 1", "With 1 only errors are printed (to stderr, by rank 0)."},
       [](std::string_view t, Settings& s) { return ParseSwitch(t, s.quiet); }},
  };
  return rows;
}

const Row* FindRow(std::string_view key) {
  for (const Row& row : Rows()) {
    if (row.info.key == key) return &row;
  }
  return nullptr;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The known key that differs least from an unknown one, or empty: for "did you mean".
std::string_view Nearest(std::string_view key) {
  std::string_view best;
  size_t best_distance = 3;
  for (const Row& row : Rows()) {
    const std::string_view known = row.info.key;
    std::vector<size_t> previous(known.size() + 1), current(known.size() + 1);
    for (size_t j = 0; j <= known.size(); ++j) previous[j] = j;
    for (size_t i = 1; i <= key.size(); ++i) {
      current[0] = i;
      for (size_t j = 1; j <= known.size(); ++j) {
        current[j] = std::min(
            {previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (key[i - 1] != known[j - 1])});
      }
      std::swap(previous, current);
    }
    if (previous.back() < best_distance) best_distance = previous.back(), best = known;
  }
  return best;
}

// `where` names the variable as the user wrote it.
void Apply(const std::string& key, std::string_view value, std::string_view where,
           ParsedSettings& parsed) {
  const Row* row = FindRow(key);
  if (row == nullptr) {
    const std::string_view near = Nearest(key);
    parsed.problems.push_back(
        near.empty()
            ? fmt::format("{} is not a setting of roofmark and is ignored; `roofmark settings` "
                          "lists all settings",
                          where)
            : fmt::format("{} is not a setting of roofmark and is ignored; did you mean {}?", where,
                          VariableName(near)));
    return;
  }
  if (!row->parse(value, parsed.settings)) {
    parsed.problems.push_back(fmt::format("{}={} is malformed and is ignored; it takes {}", where,
                                          value, row->info.values));
    return;
  }
  if (!row->of_command) parsed.settings.given[key] = value;
}

// ROOFMARK itself: on, off, or "key=value;key=value".
void ApplyCombined(std::string_view text, ParsedSettings& parsed) {
  bool on = true;
  if (text.empty()) return;
  if (ParseSwitch(text, on)) {
    parsed.settings.on = on;
    return;
  }
  parsed.settings.on = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view item = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      parsed.problems.push_back(fmt::format(
          "`{}` in ROOFMARK is ignored; it takes on, off or key=value;key=value", item));
      continue;
    }
    const std::string key = Lower(Trim(item.substr(0, equals)));
    Apply(key, Trim(item.substr(equals + 1)), fmt::format("`{}` in ROOFMARK", key), parsed);
  }
}

}  // namespace

std::string VariableName(std::string_view key) {
  std::string name = "ROOFMARK_";
  for (char c : key) name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

const std::vector<SettingInfo>& AllSettings() {
  static const auto& infos = *[] {
    auto* list = new std::vector<SettingInfo>;
    for (const Row& row : Rows()) list->push_back(row.info);
    return list;
  }();
  return infos;
}

ParsedSettings ParseSettings(const char* const* environment) {
  constexpr std::string_view kName = "ROOFMARK";
  ParsedSettings parsed;
  std::string_view combined;
  bool combined_given = false;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (std::strncmp(*environment, kName.data(), kName.size()) != 0) continue;
    const std::string_view entry = *environment;
    const size_t equals = std::min(entry.find('='), entry.size());
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
    if (name == kName) {
      combined = value;
      combined_given = true;
    } else if (name.size() > kName.size() && name[kName.size()] == '_') {
      const std::string key = Lower(name.substr(kName.size() + 1));
      const Row* row = FindRow(key);
      if (row == nullptr || !row->of_command) parsed.settings.on = true;
      // Names that roofmark itself hands from one process image to the next.
      if (name.substr(0, 11) == "ROOFMARK___") continue;
      Apply(key, Trim(value), name, parsed);
    }
  }
  // Last, so that ROOFMARK=off wins over single settings that are left in an environment.
  if (combined_given) ApplyCombined(Trim(combined), parsed);
  return parsed;
}

std::string SettingsMarkdown() {
  constexpr size_t kWidth = 120;
  std::string text =
      "# Settings\n\n"
      "Generated from the table in `lib/core/settings.cc` by `roofmark settings --markdown`.\n\n"
      "Each setting is an environment variable `ROOFMARK_<KEY>`. `ROOFMARK` takes several settings "
      "in one variable:\n"
      "`ROOFMARK=\"collector=counting;count=threec\"`. If no `ROOFMARK*` variable is set, the "
      "library is off. Any setting\n"
      "but `ROOFMARK_MACHINE_DIR`, or `ROOFMARK=on`, turns it on. `ROOFMARK=off` overrides all "
      "others.\n";
  for (const SettingInfo& info : AllSettings()) {
    text += fmt::format("\n## `{}`\n\n{}\n\n- Values: {}\n- Default: {}\n", VariableName(info.key),
                        WrapText(info.doc, 0, 0, kWidth), info.values, info.default_text);
  }
  return text;
}

}  // namespace roofmark
