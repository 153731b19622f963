// SPDX-License-Identifier: BSD-3-Clause
//
// Which microarchitecture this is, from /proc/cpuinfo. Only what the event table knows has a name;
// any other CPU is an error that says what was found.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPU_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPU_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::events {

enum class Microarch : uint8_t {
#define ROOFMARK_CPU(microarch, row) microarch,
#include "collectors/hardware/events/cpus/list.inc"
#undef ROOFMARK_CPU
};

// What /proc/cpuinfo says; what its architecture does not have is 0 or empty.
struct CpuFacts {
  std::string vendor;  // x86: "GenuineIntel"
  uint32_t family = 0, model = 0, stepping = 0;
  uint32_t implementer = 0, part = 0;  // ARM
  std::string cpu;                     // POWER: "POWER9, altivec supported"
};

struct CpuModel {
  Microarch microarch;
  // The same core in a desktop or laptop part: core events as in the server, other memory
  // controller.
  bool client = false;
};

// `root` is put before /proc; tests use it. Heterogeneous ARM machines: the first core's facts.
Result<CpuFacts> ReadCpuFacts(const std::string& root = "");

// The error names family and model and says what still works.
Result<CpuModel> IdentifyCpu(const CpuFacts& facts);

// Every microarchitecture (and its client relatives, where they have a table) that has a table.
const std::vector<CpuModel>& KnownCpus();

// "spr", "zen4", "a64fx": as in docs/events.md; client parts have "-client" appended.
std::string CpuKey(const CpuModel& cpu);
// "Sapphire Rapids".
std::string_view CpuTitle(Microarch microarch);

// Vector length in bits of the calling thread's SVE unit; 128 where there is none.
uint32_t SveVectorBits();

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPU_H_
