// SPDX-License-Identifier: BSD-3-Clause
//
// The one list of adapters: tools whose annotations become regions. The setting, the command, the
// library of adapters (markers/adapters), docs/adapters.md and the tests read it.
#ifndef ROOFMARK_LIB_CORE_ADAPTER_NAMES_H_
#define ROOFMARK_LIB_CORE_ADAPTER_NAMES_H_

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace roofmark {

struct AdapterName {
  std::string_view id;    // as in ROOFMARK_ADAPTERS
  std::string_view tool;  // whose annotations they are
  // Tells the tool's part in the program which library to load; second, the one that did so in
  // earlier versions. None: the library of adapters has the functions that the program calls.
  std::array<std::string_view, 2> variables;
  // Settings of the user's by which the tool's part looks for no tool, or for another one: a
  // variable, and its value, or empty for any. They are never set here.
  struct Setting {
    std::string_view variable, value;
  };
  std::array<Setting, 2> opposed = {};
};

inline constexpr AdapterName kAdapterNames[] = {
    {"likwid", "LIKWID's marker API", {}},
    {"caliper", "Caliper", {}},
    {"nvtx", "NVTX 3", {"NVTX_INJECTION64_PATH"}},
    {"itt", "ITT", {"INTEL_LIBITTNOTIFY64"}},
    {"papi", "PAPI's high-level interface", {}},
    {"kokkos", "Kokkos Tools", {"KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"}},
    {"ompt",
     "OMPT (LLVM's and Intel's OpenMP)",
     {},
     {{{"OMP_TOOL_LIBRARIES", ""}, {"OMP_TOOL", "disabled"}}}},
};

// Of a set of adapters; 0 if there is none of this name.
constexpr uint32_t AdapterBit(std::string_view id) {
  for (size_t i = 0; i < std::size(kAdapterNames); ++i) {
    if (kAdapterNames[i].id == id) return 1u << i;
  }
  return 0;
}
inline constexpr uint32_t kAllAdapters = (1u << std::size(kAdapterNames)) - 1;

// The set that "all", or names separated by commas, stand for; nothing if a name is unknown.
std::optional<uint32_t> ParseAdapters(std::string_view text);

// "likwid, ..."
std::string AdapterNames();
// Of the setting `adapters`: its values, and what it means. They live as long as the process.
std::string_view AdapterValues();
std::string_view AdapterDoc();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_ADAPTER_NAMES_H_
