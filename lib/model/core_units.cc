// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/core_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace roofmark {
namespace {

// Units by their digit, a class's own ones first. Of AMD's cores since Zen 2: 0 to 3 are the pipes
// for vectors, 4 and 5 those between them and general registers, 8 to d those for general
// registers. Of Intel's since Haswell: ports 0, 1, 5, 6 and 10 are 0, 1, 2, 3 and 4; vectors and
// general registers share them. As LLVM's scheduling models have it (llvm-mca -instruction-tables
// for znver3, skylake-avx512, icelake-server), without divisions and roots, which the divider's
// time prices.
struct UnitsRow {
  std::string_view name;  // in the text
  std::string_view amd, intel;
};
constexpr UnitsRow kUnitsRows[] = {
    {"int", "89abcd", "32104"},
    {"int_mul", "9", "1"},
    {"dp_add", "32", "10"},
    {"dp_mul", "01", "01"},
    {"dp_fma", "01", "01"},
    {"sp_add", "32", "10"},
    {"sp_mul", "01", "01"},
    {"sp_fma", "01", "01"},
    {"compare", "01", "10"},
    {"convert", "32", "10"},
    {"convert_general", "32", "01"},
    {"to_vector", "54", "2"},
    {"from_vector", "54", "0"},
    {"vector_int", "0123", "210"},
    {"vector_int_mul", "03", "01"},
    {"shuffle", "12", "21"},
    {"cross", "12", "2"},
};

// Of instructions of the class: of arithmetic it is that of FLOPs, of which a fused one does two.
struct Rate {
  std::string ceiling;
  double of_one = 1;
};
Rate RateOf(std::string_view name) {
  const size_t split = name.find('_');
  const std::string_view precision = name.substr(0, split);
  if (precision != "dp" && precision != "sp") return {fmt::format("throughput.{}", name)};
  const std::string_view kind = name.substr(split + 1);
  return {fmt::format("compute.{}.{}.scalar", precision, kind), kind == "fma" ? 2.0 : 1.0};
}

// Operations a cycle, of the fastest sample: whoever shares the core makes others slower, and fewer
// units than there are would make a time too long. 0: not measured.
double PerCycle(const Machine& machine, std::string_view name) {
  const Rate rate = RateOf(name);
  const CeilingCurve* measured = machine.Find(rate.ceiling);
  const CeilingCurve* clock = machine.Find("clock.scalar");
  if (measured == nullptr || clock == nullptr || ValueAt(*clock, 1) <= 0) return 0;
  const MachinePoint& one = measured->curve.front();
  return std::max(one.value, one.max) / rate.of_one / ValueAt(*clock, 1);
}

// Units that do so many operations a cycle; a fifth of one is noise.
double AtLeast(double per_cycle) { return std::max(1.0, std::ceil(per_cycle - 0.2)); }

uint32_t BitsOf(std::string_view digits) {
  uint32_t bits = 0;
  for (const char digit : digits) bits |= 1u << (digit <= '9' ? digit - '0' : digit - 'a' + 10);
  return bits;
}

// ",units_dp_add=12", and ",busy_dp_add=2" where one keeps a unit for longer than a cycle.
std::string ClassText(std::string_view name, std::string_view units, double per_cycle) {
  constexpr double kFaster = 1.2;  // than its units allow, beyond noise
  if (per_cycle > kFaster * static_cast<double>(units.size())) return {};
  if (per_cycle > 0) units = units.substr(0, static_cast<size_t>(AtLeast(per_cycle)));
  std::string text = fmt::format(",units_{}={}", name, BitsOf(units));
  const double busy = per_cycle > 0 ? std::max(1.0, std::floor(1 / per_cycle + 0.2)) : 1;
  if (busy > 1) text += fmt::format(",busy_{}={:.0f}", name, busy);
  return text;
}

// ",loads=3": as many as a core has ports.
std::string PortText(std::string_view name, double per_cycle) {
  constexpr double kMost = 8;
  return per_cycle <= 0 ? std::string()
                        : fmt::format(",{}={:.0f}", name, std::min(kMost, AtLeast(per_cycle)));
}

std::string UnitsText(const Machine& machine) {
  const bool amd = machine.cpu_vendor == "AuthenticAMD" && machine.cpu_family >= 23;
  const bool intel = machine.cpu_vendor == "GenuineIntel" && machine.cpu_family == 6;
  if ((!amd && !intel) || PerCycle(machine, "int") <= 0) return {};
  std::string text;
  for (const UnitsRow& row : kUnitsRows) {
    text += ClassText(row.name, amd ? row.amd : row.intel, PerCycle(machine, row.name));
  }
  const double loads = PerCycle(machine, "load");
  // AMD's cores bring two of them a cycle to the registers for vectors.
  text += PortText("loads", loads) + PortText("vector_loads", amd ? std::min(2.0, loads) : loads) +
          PortText("stores", PerCycle(machine, "store"));
  return text.substr(1);
}

}  // namespace

std::string UnitsOf(std::span<const Machine> machines) {
  if (machines.empty()) return {};
  const std::string text = UnitsText(machines.front());
  const auto same = [&text](const Machine& machine) { return UnitsText(machine) == text; };
  return std::all_of(machines.begin(), machines.end(), same) ? text : std::string();
}

}  // namespace roofmark
