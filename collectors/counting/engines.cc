// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/engines.h"

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

}  // namespace

std::span<const EngineRow> Engines() { return kEngines; }

const EngineRow& ChosenEngine() { return *g_chosen; }

const EngineRow& ChooseEngine(const Settings& settings) {
  const auto given = settings.given.find("engine");
  const std::string engine = given == settings.given.end() ? "valgrind" : given->second;
  const bool native = engine == "native" || (engine == "auto" && WhyNotNative(settings).empty());
  g_chosen = native && !RunsUnderValgrind() ? &kNative : &kValgrind;
  return *g_chosen;
}

}  // namespace roofmark::counting
