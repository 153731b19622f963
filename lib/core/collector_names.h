// SPDX-License-Identifier: BSD-3-Clause
//
// The one list of collectors as plain data: what settings, options and messages need of it.
// collectors/list/list.h adds how each is made.
#ifndef ROOFMARK_LIB_CORE_COLLECTOR_NAMES_H_
#define ROOFMARK_LIB_CORE_COLLECTOR_NAMES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark {

enum class CollectorKind : uint8_t {
  kAlways,     // part of every run
  kInProcess,  // counts in the process as it is
  kByName,     // the same, but `auto` does not take it
  kEngine,     // counts in a process that runs under an engine
};

struct CollectorName {
  std::string_view id;  // as in ROOFMARK_COLLECTOR and in files
  CollectorKind kind;
  std::string_view doc;     // a sentence; empty: it cannot be asked for
  std::string_view counts;  // of kInProcess: "{}" is ROOFMARK_GROUP
};

inline constexpr CollectorName kCollectorNames[] = {
#define ROOFMARK_COLLECTOR(id, make, kind, doc, counts) {#id, CollectorKind::kind, doc, counts},
#include "lib/core/collectors.inc"
#undef ROOFMARK_COLLECTOR
};

// "auto" and those of the given kinds that can be asked for, in the order of the list.
std::vector<std::string> CollectorWords(std::initializer_list<CollectorKind> kinds);

// "auto" and all that can be asked for.
std::vector<std::string> AllCollectorWords();

// Of the setting `collector`: its values, and what it means. They live as long as the process.
std::string_view CollectorValues();
std::string_view CollectorDoc();

// Whether this collector counts in a process that runs under an engine. False for words that are
// not in the list, such as "auto".
bool RunsUnderEngine(std::string_view id);
// The collector that counts under an engine.
std::string_view EngineCollector();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_COLLECTOR_NAMES_H_
