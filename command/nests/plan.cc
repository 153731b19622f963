// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "command/nests/inlined_plan.h"

namespace roofmark::cli {
namespace {

using loops::Chosen;
using loops::ModuleNests;
using Index = std::optional<uint32_t>;

class ModulePlanner {
 public:
  // `chosen` are those of the module, in the order of the code.
  ModulePlanner(const FoundCode& code, uint32_t module, const std::vector<Chosen>& chosen,
                NestPlan& plan)
      : code_(code),
        module_(module),
        nests_(code.modules[module]),
        plan_(plan),
        inlined_(
            nests_.inlined, by_inlined_, [this](uint32_t root) { return OfFunction(root); }, plan) {
    for (const Chosen& one : chosen) Define(one);
  }

  // `number`: the module's in the plan.
  void AddCode(uint32_t number) {
    for (size_t f = 0; f < nests_.functions.size(); ++f) AddFunction(f, number);
  }

 private:
  void Define(const Chosen& chosen) {
    const auto index = static_cast<uint32_t>(plan_.nests.size());
    PlannedNest nest;
    nest.name = NameOf(code_, chosen);
    if (chosen.nest) {
      const loops::Nest& found = nests_.nests.nests[*chosen.nest];
      if (!found.place.empty()) {
        nest.file = found.place.front().file;
        nest.line = found.place.front().line;
      }
      nest.around = Around(found);
      by_nest_[*chosen.nest] = index;
    } else if (chosen.inlined) {
      const loops::InlinedFunction& function = nests_.inlined.functions[*chosen.inlined];
      nest.file = function.file;
      nest.line = function.line;
      nest.is_function = true;
      for (const uint32_t root : function.roots) by_function_[root] = index;
      by_inlined_[*chosen.inlined] = index;
    } else {
      const SourceFrame& place = code_.places[module_][chosen.function];
      nest.file = place.file;
      nest.line = place.line;
      nest.is_function = true;
      by_function_[chosen.function] = index;
    }
    plan_.nests.push_back(std::move(nest));
  }

  // The innermost that was chosen around a nest, in a function that both are in.
  Index Around(const loops::Nest& nest) const {
    for (Index at = nest.parent; at; at = nests_.nests.nests[*at].parent) {
      const auto found = by_nest_.find(*at);
      if (found != by_nest_.end() && ShareAFunction(nests_.nests.nests[*at], nest)) {
        return found->second;
      }
    }
    return OfFunction(nest.function);
  }
  static bool ShareAFunction(const loops::Nest& one, const loops::Nest& other) {
    return std::any_of(one.parts.begin(), one.parts.end(), [&](const loops::Part& part) {
      return std::any_of(other.parts.begin(), other.parts.end(),
                         [&](const loops::Part& own) { return own.function == part.function; });
    });
  }
  Index OfFunction(uint32_t function) const {
    const auto found = by_function_.find(binary::RootOf(nests_.functions, function));
    return found == by_function_.end() ? Index() : Index(found->second);
  }
  Index OfNest(Index nest) const {
    for (; nest; nest = nests_.nests.nests[*nest].parent) {
      const auto found = by_nest_.find(*nest);
      if (found != by_nest_.end()) return found->second;
    }
    return std::nullopt;
  }

  void AddRange(uint32_t number, Index nest, uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    PlannedRange range{number, nest, begin, end};
    if (!plan_.ranges.empty()) {
      PlannedRange& last = plan_.ranges.back();
      if (last.module == number && last.nest == nest && last.end == begin) {
        last.end = end;
        return;
      }
    }
    plan_.ranges.push_back(range);
  }

  // All of the function, if anything in it was chosen: code between nests is the function's.
  void AddFunction(size_t index, uint32_t number) {
    const binary::Function& function = nests_.functions[index];
    const Index own = OfFunction(static_cast<uint32_t>(index));
    const std::vector<loops::Nests::Place>& places = nests_.nests.places;
    std::vector<PlannedRange> inside;
    auto place = std::partition_point(
        places.begin(), places.end(),
        [&](const loops::Nests::Place& each) { return each.end <= function.begin; });
    for (; place != places.end() && place->begin < function.end; ++place) {
      if (const Index nest = OfNest(place->nest)) {
        inside.push_back({number, nest, std::max(place->begin, function.begin),
                          std::min(place->end, function.end)});
      }
    }
    inlined_.ForEachIn(function.begin, function.end,
                       [&](uint64_t begin, uint64_t end, uint32_t nest) {
                         inside.push_back({number, nest, begin, end});
                       });
    if (!own && inside.empty()) return;
    uint64_t at = function.begin;
    Index first = own;
    for (const PlannedRange& range : inside) {
      if (range.begin == function.begin) first = range.nest;
      AddRange(number, own, at, range.begin);
      AddRange(number, range.nest, range.begin, range.end);
      at = range.end;
    }
    AddRange(number, own, at, function.end);
    if (first && function.part != binary::Part::kCold) {
      plan_.entries.push_back({number, *first, function.begin, GoesOn(index)});
    }
  }

  // The body of a construct, unless nothing else tells of visits of the function around it.
  bool GoesOn(size_t index) const {
    if (nests_.functions[index].part != binary::Part::kOutlined) return false;
    const uint32_t root = binary::RootOf(nests_.functions, static_cast<uint32_t>(index));
    if (root == index) return false;
    const std::vector<bool>& begun = code_.begun[module_];
    if (root < begun.size() && begun[root]) return true;
    const auto inlined = nests_.inlined.of_root.find(root);
    return inlined != nests_.inlined.of_root.end() &&
           std::any_of(nests_.inlined.bodies.begin(), nests_.inlined.bodies.end(),
                       [&](const loops::InlinedBody& body) {
                         return body.function == inlined->second && body.calls > 0;
                       });
  }

  const FoundCode& code_;
  const uint32_t module_;
  const ModuleNests& nests_;
  NestPlan& plan_;
  std::map<uint32_t, uint32_t> by_nest_, by_function_, by_inlined_;
  InlinedPlan inlined_;
};

std::vector<Chosen> Of(uint32_t module, const loops::Choice& choice) {
  std::vector<Chosen> chosen;
  for (const Chosen& one : choice.chosen) {
    if (one.module == module) chosen.push_back(one);
  }
  // Nests stand behind those around them.
  std::sort(chosen.begin(), chosen.end(), [](const Chosen& one, const Chosen& other) {
    return std::pair(one.nest.has_value(), one.nest.value_or(one.function)) <
           std::pair(other.nest.has_value(), other.nest.value_or(other.function));
  });
  return chosen;
}

}  // namespace

std::string NameOf(const FoundCode& code, const Chosen& chosen) {
  const ModuleNests& module = code.modules[chosen.module];
  if (chosen.nest) return module.nests.nests[*chosen.nest].name;
  const bool has_root = chosen.function < module.functions.size();
  return (has_root ? module.functions[chosen.function].name
                   : module.inlined.functions[*chosen.inlined].name) +
         "()";
}

NestPlan PlanOf(const FoundCode& code, const loops::Choice& choice,
                std::vector<double>* with_calls) {
  NestPlan plan;
  std::vector<std::string> file_of;
  for (uint32_t module = 0; module < code.modules.size(); ++module) {
    const std::vector<Chosen> chosen = Of(module, choice);
    if (chosen.empty()) continue;
    ModulePlanner planner(code, module, chosen, plan);
    if (with_calls != nullptr) {
      for (const Chosen& one : chosen) with_calls->push_back(one.with_calls);
    }
    plan.modules.push_back(code.files[module]);
    planner.AddCode(static_cast<uint32_t>(plan.modules.size() - 1));
    file_of.resize(plan.nests.size(), code.files[module]);
    if (with_calls != nullptr) with_calls->resize(plan.nests.size());
  }
  TellApart(plan, file_of);
  return plan;
}

}  // namespace roofmark::cli
