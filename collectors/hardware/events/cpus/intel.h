// SPDX-License-Identifier: BSD-3-Clause
//
// What Intel's cores and memory controllers have in common. Codes as in Intel's public event lists
// (perfmon-events.intel.com) and libpfm4; a test compares every core event with libpfm4's.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_INTEL_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_INTEL_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/hardware/events/builders.h"
#include "collectors/hardware/events/cpus/cpus.h"

namespace roofmark::events::intel {

// Family 6, one of these models.
bool Is(const CpuFacts& facts, std::initializer_list<uint32_t> models);

struct Maker {
  // libpfm4's core PMU of the server and of its desktop relatives; its memory controllers, "{}"
  // standing for the number. Empty if it has none.
  Maker(EventTable& to, std::string_view server_pmu, std::string_view client_pmu = "",
        std::string_view uncore = "");

  std::string Pfm(std::string_view name) const;
  void Add(Formula formula) { table.formulas.push_back(std::move(formula)); }
  void Refuse(Measure measure, std::string reason) {
    table.refusals.push_back({measure, std::move(reason)});
  }
  void RefuseL3();

  EventTable& table;
  std::string pmu, uncore_pmu;
};

void AddBasics(Maker& to, std::string_view misses);
// Executed, not retired: what waits for a load from memory is issued again and again.
void AddSandyBridgeFlops(Maker& to);
// Each width apart: newer kernels and libpfm4 refuse several of these unit masks in one event, and
// widths are what the SIMD ceiling needs. A fused multiply-add increments the counter by two.
void AddRetiredFlops(Maker& to, bool has_512);
// Scalar: plain (01) and complex (02) together, as Intel's own SCALAR does.
void AddHalfFlops(Maker& to);
void AddStalls(Maker& to, std::string fields, std::string name, std::string_view pfm,
               std::string note = "");
// Sandy Bridge to Broadwell: an inclusive L3, write-backs counted where they arrive.
void AddOldCaches(Maker& to);
// Skylake-SP and later: L3 takes what L2 evicts, modified or not. Codes moved with Sapphire Rapids.
void AddNewCaches(Maker& to, std::string in, std::string out);
void AddChannels(Maker& to, std::string_view event, std::string_view read, std::string_view write);
void AddHbm(Maker& to);
// Two subchannels per channel, each with an event of its own: one alone is half of the traffic.
void AddSubchannels(Maker& to);
// Desktop and laptop parts up to Skylake's relatives: free-running counters of one controller.
void AddClientMemory(Maker& to);
// Up to Cascade Lake: channels of a server, or the one controller of a desktop part.
void AddOldMemory(Maker& to);
// Skylake to Ice Lake.
void AddSkylakeStalls(Maker& to);
// All that Sapphire Rapids, Emerald Rapids and Granite Rapids have alike.
void AddSapphireRapidsCore(Maker& to);
// All of a Sapphire Rapids; Emerald Rapids has the same events.
void FillSapphireRapids(EventTable& table);

}  // namespace roofmark::events::intel

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_INTEL_H_
