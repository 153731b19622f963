// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_COUNTING_HOST_CACHES_H_
#define ROOFMARK_COLLECTORS_COUNTING_HOST_CACHES_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/core/result.h"
#include "lib/core/settings.h"

namespace roofmark {

// Bytes of each level that are fast at most; 0: all of it.
using CacheLimits = std::array<uint64_t, 3>;

// "most:L3:11585K,L2:512K" of ROOFMARK_CACHE. Without "most:" nothing limits, and the text is for
// roof_geometry_parse().
inline constexpr std::string_view kMostOfCaches = "most:";
Result<CacheLimits> ParseCacheLimits(std::string_view text);

// Why ROOFMARK_CACHE, or ROOFMARK_LATENCIES, cannot have this value, as a clause; empty: it can.
std::string WhyNotCaches(const std::string& text);
std::string WhyNotLatencies(const std::string& text);

// This machine's data caches as one process sees them, in the form of ROOFMARK_CACHE
// ("L1:48K:12,L2:2M:16,L3:32M:16"): a level shared by several processes is divided among them, by
// the share of its cores that the process is bound to, or else by the number of processes on the
// node. A share that is no larger than the level above it is left out. From hwloc.
Result<std::string> HostCaches(uint32_t local_processes, const CacheLimits& limits = {});

// The caches that a run models: those of ROOFMARK_CACHE, or this machine's for each process that
// the launcher started here.
Result<std::string> CachesToModel(const Settings& settings);

// The latencies that dependences are followed with, as ROOFMARK_LATENCIES has them; empty: they are
// not followed.
Result<std::string> LatenciesToModel(const Settings& settings);

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_COUNTING_HOST_CACHES_H_
