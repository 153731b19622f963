// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpu.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "lib/core/file.h"

namespace roofmark::events {
namespace {

struct Name {
  Microarch microarch;
  std::string_view key, title;
  bool has_client;
};

constexpr Name kNames[] = {
    {Microarch::kSandyBridge, "snb", "Sandy Bridge-EP", true},
    {Microarch::kIvyBridge, "ivb", "Ivy Bridge-EP", true},
    {Microarch::kHaswell, "hsw", "Haswell-EP", true},
    {Microarch::kBroadwell, "bdw", "Broadwell-EP", true},
    {Microarch::kSkylake, "skx", "Skylake-SP", true},
    {Microarch::kCascadeLake, "clx", "Cascade Lake", false},
    {Microarch::kIceLake, "icx", "Ice Lake-SP", true},
    {Microarch::kSapphireRapids, "spr", "Sapphire Rapids", false},
    {Microarch::kEmeraldRapids, "emr", "Emerald Rapids", false},
    {Microarch::kGraniteRapids, "gnr", "Granite Rapids", false},
    {Microarch::kSierraForest, "srf", "Sierra Forest", false},
    {Microarch::kZen1, "zen1", "AMD Zen 1", false},
    {Microarch::kZen2, "zen2", "AMD Zen 2", false},
    {Microarch::kZen3, "zen3", "AMD Zen 3", false},
    {Microarch::kZen4, "zen4", "AMD Zen 4", false},
    {Microarch::kZen5, "zen5", "AMD Zen 5", false},
    {Microarch::kA64fx, "a64fx", "Fujitsu A64FX", false},
    {Microarch::kNeoverseN1, "n1", "Arm Neoverse N1", false},
    {Microarch::kNeoverseN2, "n2", "Arm Neoverse N2", false},
    {Microarch::kNeoverseV1, "v1", "Arm Neoverse V1", false},
    {Microarch::kNeoverseV2, "v2", "Arm Neoverse V2 (NVIDIA Grace)", false},
    {Microarch::kThunderX2, "tx2", "Marvell ThunderX2", false},
    {Microarch::kPower9, "power9", "IBM POWER9", false},
    {Microarch::kPower10, "power10", "IBM POWER10", false},
};

const Name& NameOf(Microarch microarch) { return kNames[static_cast<size_t>(microarch)]; }

constexpr std::string_view kStillWorks =
    "choose events with ROOFMARK_EVENTS, or use ROOFMARK_COLLECTOR=counting or timer";

// Family 6. Steppings tell Cascade Lake (5-7) from Skylake-SP; Cooper Lake (10, 11) counts alike.
Result<CpuModel> Intel(const CpuFacts& facts) {
  if (facts.family == 6) {
    switch (facts.model) {
      case 42:
        return CpuModel{Microarch::kSandyBridge, true};
      case 45:
        return CpuModel{Microarch::kSandyBridge};
      case 58:
        return CpuModel{Microarch::kIvyBridge, true};
      case 62:
        return CpuModel{Microarch::kIvyBridge};
      case 60:
      case 69:
      case 70:
        return CpuModel{Microarch::kHaswell, true};
      case 63:
        return CpuModel{Microarch::kHaswell};
      case 61:
      case 71:
        return CpuModel{Microarch::kBroadwell, true};
      case 79:
      case 86:  // Xeon D
        return CpuModel{Microarch::kBroadwell};
      case 78:
      case 94:
      case 142:  // Kaby, Coffee, Whiskey and Comet Lake
      case 158:
      case 165:
      case 166:
        return CpuModel{Microarch::kSkylake, true};
      case 85:
        return CpuModel{facts.stepping < 5 ? Microarch::kSkylake : Microarch::kCascadeLake};
      case 125:
      case 126:
      case 140:  // Tiger Lake
      case 141:
      case 167:  // Rocket Lake
        return CpuModel{Microarch::kIceLake, true};
      case 106:
      case 108:  // Xeon D
        return CpuModel{Microarch::kIceLake};
      case 143:
        return CpuModel{Microarch::kSapphireRapids};
      case 207:
        return CpuModel{Microarch::kEmeraldRapids};
      case 173:
      case 174:
        return CpuModel{Microarch::kGraniteRapids};
      case 175:
        return CpuModel{Microarch::kSierraForest};
      default:
        break;
    }
  }
  return Error{fmt::format("no event table for Intel family {} model {}; {}", facts.family,
                           facts.model, kStillWorks)};
}

// Models of family 0x1a from 0x50 to 0x5f and from 0x80 on are the generation after Zen 5.
Result<CpuModel> Amd(const CpuFacts& facts) {
  const uint32_t model = facts.model;
  if (facts.family == 0x17) return CpuModel{model < 0x30 ? Microarch::kZen1 : Microarch::kZen2};
  if (facts.family == 0x18) return CpuModel{Microarch::kZen1};  // Hygon
  if (facts.family == 0x19) {
    const bool zen3 = model < 0x10 || (model >= 0x20 && model < 0x60);
    return CpuModel{zen3 ? Microarch::kZen3 : Microarch::kZen4};
  }
  if (facts.family == 0x1a && (model < 0x50 || (model >= 0x60 && model < 0x80)))
    return CpuModel{Microarch::kZen5};
  return Error{fmt::format("no event table for {} family 0x{:x} model 0x{:x}; {}", facts.vendor,
                           facts.family, facts.model, kStillWorks)};
}

Result<CpuModel> Arm(const CpuFacts& facts) {
  switch (facts.implementer << 16 | facts.part) {
    case 0x410d0c:
      return CpuModel{Microarch::kNeoverseN1};
    case 0x410d40:
      return CpuModel{Microarch::kNeoverseV1};
    case 0x410d49:
      return CpuModel{Microarch::kNeoverseN2};
    case 0x410d4f:
      return CpuModel{Microarch::kNeoverseV2};
    case 0x460001:
      return CpuModel{Microarch::kA64fx};
    case 0x4300af:
    case 0x420516:  // the same core under its first owner's number
      return CpuModel{Microarch::kThunderX2};
    default:
      return Error{fmt::format("no event table for ARM implementer 0x{:x} part 0x{:x}; {}",
                               facts.implementer, facts.part, kStillWorks)};
  }
}

// The value of the first line "key : value"; empty if there is none.
std::string_view Line(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const size_t last = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1);
    if (line.substr(0, last + 1) != key) continue;
    const size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string_view::npos ? "" : line.substr(value);
  }
  return "";
}

uint32_t Number(std::string_view text, std::string_view key) {
  return static_cast<uint32_t>(std::strtoul(std::string(Line(text, key)).c_str(), nullptr, 0));
}

}  // namespace

Result<CpuFacts> ReadCpuFacts(const std::string& root) {
  const Result<std::string> read = ReadFile(root + "/proc/cpuinfo");
  if (!read) return Error{read.error()};
  CpuFacts facts;
  facts.vendor = Line(*read, "vendor_id");
  facts.family = Number(*read, "cpu family");
  facts.model = Number(*read, "model");
  facts.stepping = Number(*read, "stepping");
  facts.implementer = Number(*read, "CPU implementer");
  facts.part = Number(*read, "CPU part");
  facts.cpu = Line(*read, "cpu");
  return facts;
}

Result<CpuModel> IdentifyCpu(const CpuFacts& facts) {
  if (facts.vendor == "GenuineIntel") return Intel(facts);
  if (facts.vendor == "AuthenticAMD" || facts.vendor == "HygonGenuine") return Amd(facts);
  if (facts.implementer != 0) return Arm(facts);
  if (facts.cpu.starts_with("POWER9")) return CpuModel{Microarch::kPower9};
  if (facts.cpu.starts_with("POWER10")) return CpuModel{Microarch::kPower10};
  return Error{fmt::format("no event table for this CPU ({}); {}",
                           !facts.vendor.empty() ? facts.vendor
                           : !facts.cpu.empty()  ? facts.cpu
                                                 : "/proc/cpuinfo names none",
                           kStillWorks)};
}

const std::vector<CpuModel>& KnownCpus() {
  // Never destroyed: the library may be asked while the process ends.
  static const auto* const known = [] {
    auto* all = new std::vector<CpuModel>;
    for (const Name& name : kNames) {
      all->push_back({name.microarch});
      if (name.has_client) all->push_back({name.microarch, true});
    }
    return all;
  }();
  return *known;
}

std::string CpuKey(const CpuModel& cpu) {
  return fmt::format("{}{}", NameOf(cpu.microarch).key, cpu.client ? "-client" : "");
}

std::string_view CpuTitle(Microarch microarch) { return NameOf(microarch).title; }

uint32_t SveVectorBits() {
#ifdef PR_SVE_GET_VL
  const int answer = prctl(PR_SVE_GET_VL, 0, 0, 0, 0);
  if (answer > 0) return static_cast<uint32_t>(answer & PR_SVE_VL_LEN_MASK) * 8;
#endif
  return 128;
}

}  // namespace roofmark::events
