// SPDX-License-Identifier: BSD-3-Clause
#include "lib/incore/scheduling.h"

#include <utility>

namespace roofmark::incore {
namespace {

constexpr std::string_view kIntel = "GenuineIntel", kAmd = "AuthenticAMD";

// Seen with llvm-mca 14, 16 and 19 (TargetInfo of its JSON). A row whose ports no version has yet
// makes every model of it a borrowed one: LLVM 19 gives znver5 those of Zen 4, ivybridge those of
// Sandy Bridge, graniterapids those of Sapphire Rapids; until 16 sapphirerapids had Skylake's.
// Cascade Lake and Cooper Lake have the cores of Skylake, and Emerald Rapids those of Sapphire
// Rapids.
constexpr SchedulingModel kModels[] = {
    {kAmd, 23, 0x00, 0x2f, "znver1", "ZnAGU"},
    {kAmd, 23, 0x30, 0xaf, "znver2", "Zn2"},
    {kAmd, 25, 0x00, 0x0f, "znver3", "Zn3"},
    {kAmd, 25, 0x10, 0x1f, "znver4", "Zn4"},
    {kAmd, 25, 0x20, 0x5f, "znver3", "Zn3"},
    {kAmd, 25, 0x60, 0x7f, "znver4", "Zn4"},
    {kAmd, 25, 0xa0, 0xaf, "znver4", "Zn4"},
    {kAmd, 26, 0x00, 0xff, "znver5", "Zn5"},
    {kIntel, 6, 0x2a, 0x2a, "sandybridge", "SB"},
    {kIntel, 6, 0x2d, 0x2d, "sandybridge", "SB"},
    {kIntel, 6, 0x3a, 0x3a, "ivybridge", "IVB"},
    {kIntel, 6, 0x3e, 0x3e, "ivybridge", "IVB"},
    {kIntel, 6, 0x3c, 0x3c, "haswell", "HW"},
    {kIntel, 6, 0x3f, 0x3f, "haswell", "HW"},
    {kIntel, 6, 0x45, 0x46, "haswell", "HW"},
    {kIntel, 6, 0x3d, 0x3d, "broadwell", "BW"},
    {kIntel, 6, 0x47, 0x47, "broadwell", "BW"},
    {kIntel, 6, 0x4f, 0x4f, "broadwell", "BW"},
    {kIntel, 6, 0x56, 0x56, "broadwell", "BW"},
    {kIntel, 6, 0x4e, 0x4e, "skylake", "SKL"},
    {kIntel, 6, 0x5e, 0x5e, "skylake", "SKL"},
    {kIntel, 6, 0x8e, 0x8e, "skylake", "SKL"},
    {kIntel, 6, 0x9e, 0x9e, "skylake", "SKL"},
    {kIntel, 6, 0x55, 0x55, "skylake-avx512", "SKX"},
    {kIntel, 6, 0x6a, 0x6a, "icelake-server", "ICX"},
    {kIntel, 6, 0x6c, 0x6c, "icelake-server", "ICX"},
    {kIntel, 6, 0x7d, 0x7e, "icelake-client", "ICX"},
    {kIntel, 6, 0x8c, 0x8d, "tigerlake", "TGL"},
    {kIntel, 6, 0x8f, 0x8f, "sapphirerapids", "SPR"},
    {kIntel, 6, 0xcf, 0xcf, "emeraldrapids", "SPR"},
    {kIntel, 6, 0xad, 0xae, "graniterapids", "GNR"},
};

constexpr std::pair<std::string_view, std::string_view> kOwners[] = {
    {"SPR", "Sapphire Rapids'"}, {"ICX", "Ice Lake's"},    {"SKX", "Skylake's"},
    {"SKL", "Skylake's"},        {"SB", "Sandy Bridge's"}, {"Zn4", "Zen 4's"},
    {"Zn3", "Zen 3's"},          {"HW", "Haswell's"},      {"ADLP", "Alder Lake's"},
};

}  // namespace

const SchedulingModel* FindSchedulingModel(std::string_view vendor, uint32_t family,
                                           uint32_t model) {
  for (const SchedulingModel& row : kModels) {
    if (row.vendor == vendor && row.family == family && model >= row.first && model <= row.last) {
      return &row;
    }
  }
  return nullptr;
}

std::string_view OwnerOfPort(std::string_view port) {
  for (const auto& [ports, owner] : kOwners) {
    if (port.starts_with(ports)) return owner;
  }
  return {};
}

}  // namespace roofmark::incore
