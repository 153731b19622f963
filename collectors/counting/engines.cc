// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/engines.h"

#include <fmt/format.h>

#include <string_view>

#include "collectors/counting/native/engine.h"
#include "collectors/counting/valgrind/engine.h"
#include "collectors/counting/valgrind/reexec.h"

namespace roofmark::counting {
namespace {

constexpr EngineRow kEngines[] = {
    {"valgrind", ReExecuteUnderValgrind, MakeValgrindEngine},
    {"native", LoadNativeEngine, MakeNativeEngine},
};
constexpr const EngineRow& kValgrind = kEngines[0];
constexpr const EngineRow& kNative = kEngines[1];

const EngineRow* g_chosen = &kValgrind;
std::string& Why() {
  static auto& why = *new std::string;
  return why;
}

const EngineRow& Named(std::string_view name) {
  for (const EngineRow& row : kEngines)
    if (row.name == name) return row;
  return kValgrind;
}

std::string WhyNative(const Settings& settings) {
  if (settings.count == "flops") return "FLOPs and instructions alone are counted";
  const uint32_t lines = LinesToSample(settings);
  return lines == 1 ? "it models every cache line"
                    : fmt::format("it models one cache line in {}", lines);
}

// For what both do, but Valgrind's says more of.
std::string WhyRatherValgrind(const Settings& settings) {
  if (settings.executed && !NativeCountsOutside(settings)) {
    return "the native engine records executed code in regions alone (ROOFMARK_EXECUTED)";
  }
  return {};
}

const EngineRow& ChooseItself(const Settings& settings, const std::string& library_path) {
  std::string why_not = WhyRatherValgrind(settings);
  if (why_not.empty()) why_not = LoadNativeEngine(settings, library_path);
  if (why_not.empty() && RunsUnderValgrind()) {
    why_not = "the native engine does not count on this machine";
  }
  Why() = why_not.empty() ? WhyNative(settings) : why_not;
  return why_not.empty() ? kNative : kValgrind;
}

}  // namespace

std::span<const EngineRow> Engines() { return kEngines; }

const EngineRow& ChosenEngine() { return *g_chosen; }

std::string WhyChosen() { return Why(); }

const EngineRow& ChooseEngine(const Settings& settings, const std::string& library_path) {
  Why().clear();
  if (settings.engine == "auto") {
    g_chosen = &ChooseItself(settings, library_path);
  } else {
    g_chosen = RunsUnderValgrind() ? &kValgrind : &Named(settings.engine);
  }
  return *g_chosen;
}

}  // namespace roofmark::counting
