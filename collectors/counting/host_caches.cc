// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/host_caches.h"

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <tuple>

#include "collectors/counting/cache/geometry.h"
#include "collectors/counting/dataflow/latency_text.h"
#include "lib/core/launcher.h"
#include "lib/core/messages/collectors.h"

namespace roofmark {
namespace {

static_assert(std::tuple_size_v<CacheLimits> == ROOF_CACHE_LEVELS);

struct Level {
  uint64_t size = 0;
  uint32_t ways = 16;
};

hwloc_obj_t FirstCache(hwloc_topology_t topology, hwloc_const_bitmap_t bound, int depth_of_level) {
  const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE};
  hwloc_obj_t cache = nullptr;
  while ((cache = hwloc_get_next_obj_by_type(topology, types[depth_of_level], cache)) != nullptr) {
    if (hwloc_bitmap_intersects(cache->cpuset, bound)) return cache;
  }
  return nullptr;
}

// The part of a cache that one of `processes` processes may use.
double Share(hwloc_obj_t cache, hwloc_const_bitmap_t bound, hwloc_const_bitmap_t everything,
             uint32_t processes) {
  const int cpus = std::max(hwloc_bitmap_weight(cache->cpuset), 1);
  hwloc_bitmap_t mine = hwloc_bitmap_alloc();
  hwloc_bitmap_and(mine, cache->cpuset, bound);
  const int my_cpus = hwloc_bitmap_weight(mine);
  hwloc_bitmap_free(mine);
  if (!hwloc_bitmap_isincluded(everything, bound) && my_cpus > 0) {
    return static_cast<double>(my_cpus) / cpus;
  }
  // Unbound: the node's processes spread evenly over the node's CPUs.
  const int all_cpus = std::max(hwloc_bitmap_weight(everything), 1);
  const double sharing = std::max(1.0, static_cast<double>(processes) * cpus / all_cpus);
  return 1.0 / sharing;
}

// Whole sets of 64-byte lines.
uint64_t WholeSets(double size, uint32_t ways) {
  const uint64_t set = uint64_t{ways} * ROOF_CACHE_LINE_BYTES;
  return std::max<uint64_t>(static_cast<uint64_t>(size) / set, 1) * set;
}

std::string Spell(uint64_t size) {
  return size % 1024 == 0 ? fmt::format("{}K", size / 1024) : fmt::format("{}", size);
}

std::string Describe(hwloc_topology_t topology, hwloc_const_bitmap_t bound, uint32_t processes,
                     const CacheLimits& limits) {
  hwloc_const_bitmap_t everything = hwloc_topology_get_topology_cpuset(topology);
  std::string text;
  uint64_t previous = 0;
  for (int level = 0; level < ROOF_CACHE_LEVELS; ++level) {
    const hwloc_obj_t cache = FirstCache(topology, bound, level);
    if (cache == nullptr || cache->attr->cache.size == 0) break;
    const int ways = cache->attr->cache.associativity;
    const auto modelled_ways = static_cast<uint32_t>(ways > 0 && ways <= 64 ? ways : 16);
    const uint64_t limit = limits[static_cast<size_t>(level)];
    const uint64_t all = cache->attr->cache.size;
    const uint64_t fast = limit == 0 ? all : std::min(all, limit);
    const uint64_t size = WholeSets(
        static_cast<double>(fast) * Share(cache, bound, everything, processes), modelled_ways);
    if (size <= previous) break;
    text +=
        fmt::format("{}L{}:{}:{}", level == 0 ? "" : ",", level + 1, Spell(size), modelled_ways);
    previous = size;
  }
  return text;
}

}  // namespace

Result<CacheLimits> ParseCacheLimits(std::string_view text) {
  const auto wrong = [] { return Error{InWords(message::kBadFastCaches)}; };
  CacheLimits limits = {};
  if (!text.starts_with(kMostOfCaches)) return limits;
  text.remove_prefix(kMostOfCaches.size());
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(','));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (field.size() < 5 || field[0] != 'L' || field[2] != ':' || field.back() != 'K') {
      return wrong();
    }
    const char level = field[1];
    uint64_t kilobytes = 0;
    const char* end = field.data() + field.size() - 1;
    const auto [at, error] = std::from_chars(field.data() + 3, end, kilobytes);
    const bool good = error == std::errc() && at == end && kilobytes > 0 &&
                      kilobytes <= ROOF_CACHE_MAX_BYTES >> 10;
    if (!good || level < '1' || level > '0' + ROOF_CACHE_LEVELS) return wrong();
    limits[static_cast<size_t>(level - '1')] = kilobytes << 10;
  }
  return limits;
}

std::string WhyNotCaches(const std::string& text) {
  if (text.starts_with(kMostOfCaches)) return ParseCacheLimits(text).error();
  roof_geometry geometry;
  char error[ROOF_GEOMETRY_ERROR];
  return roof_geometry_parse(text.c_str(), &geometry, error, sizeof error) == 0 ? error : "";
}

std::string WhyNotLatencies(const std::string& text) {
  if (text == "off") return {};
  roof_latencies latencies;
  const char* wrong = roof_latencies_parse(text.c_str(), &latencies);
  return wrong == nullptr ? "" : fmt::format("\"{}\" is no latency in cycles", wrong);
}

Result<std::string> HostCaches(uint32_t local_processes, const CacheLimits& limits) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return Error{InWords(message::kHwlocDoesNotStart)};
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
  std::string text;
  if (hwloc_topology_load(topology) == 0) {
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) != 0 ||
        hwloc_bitmap_iszero(bound)) {
      hwloc_bitmap_copy(bound, hwloc_topology_get_topology_cpuset(topology));
    }
    text = Describe(topology, bound, std::max(local_processes, 1u), limits);
    hwloc_bitmap_free(bound);
  }
  hwloc_topology_destroy(topology);
  if (text.empty()) {
    return Error{InWords(message::kHwlocHasNoCaches)};
  }
  return text;
}

Result<std::string> CachesToModel(const Settings& settings) {
  const std::string& given = settings.cache;
  const bool of_host = given.empty() || given.starts_with(kMostOfCaches);
  const std::string wrong = given.empty() ? "" : WhyNotCaches(given);
  if (!wrong.empty()) return Error{InWords(message::kBadCaches, given, wrong)};
  if (!of_host) return given;
  Result<std::string> host =
      HostCaches(ReadLauncher().local_ranks.value_or(1), *ParseCacheLimits(given));
  if (!host) return host;
  const std::string unfit = WhyNotCaches(*host);
  if (!unfit.empty()) return Error{InWords(message::kBadCaches, *host, unfit)};
  return host;
}

Result<std::string> LatenciesToModel(const Settings& settings) {
  const std::string wrong = WhyNotLatencies(settings.latencies);
  if (!wrong.empty()) return Error{InWords(message::kBadLatency, wrong)};
  return settings.latencies == "off" ? std::string() : settings.latencies;
}

}  // namespace roofmark
