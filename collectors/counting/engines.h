// SPDX-License-Identifier: BSD-3-Clause
//
// The list of counting engines. Adding one is a folder with its implementation and a row in
// engines.cc.
#ifndef ROOFMARK_COLLECTORS_COUNTING_ENGINES_H_
#define ROOFMARK_COLLECTORS_COUNTING_ENGINES_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "collectors/counting/engine.h"

namespace roofmark::counting {

struct EngineRow {
  std::string_view name;  // as in files
  // As StartEngine().
  std::string (*start)(const Settings& settings, const std::string& library_path);
  std::unique_ptr<Engine> (*make)();
};

std::span<const EngineRow> Engines();

// The engine that counts in this run: the first of the list unless another one was chosen.
const EngineRow& ChosenEngine();
// By ROOFMARK_ENGINE; `library_path` as in StartEngine(). A process that a re-executing engine
// executes already stays with it.
const EngineRow& ChooseEngine(const Settings& settings, const std::string& library_path);
// Why `auto` took the chosen one, a clause; empty: it was named.
std::string WhyChosen();

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_ENGINES_H_
