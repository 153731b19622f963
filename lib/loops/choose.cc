// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/choose.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "lib/loops/call_shares.h"

namespace roofmark::loops {
namespace {

class Chooser {
 public:
  Chooser(std::span<const ModuleNests> modules, const ChooseOptions& options)
      : modules_(modules), options_(options) {}

  Choice Choose(std::span<const Sample> samples) {
    for (const Sample& sample : samples) Count(sample);
    Choice choice;
    choice.samples = all_;
    choice.in_nests = in_nests_;
    choice.chosen = Candidates();
    std::sort(choice.chosen.begin(), choice.chosen.end(),
              [this](const Chosen& a, const Chosen& b) { return Order(a) < Order(b); });
    if (choice.chosen.size() > options_.most) choice.chosen.resize(options_.most);
    Share(samples, choice);
    return choice;
  }

 private:
  const Nest& NestOf(uint32_t module, uint32_t nest) const {
    return modules_[module].nests.nests[nest];
  }

  void Count(const Sample& sample) {
    all_ += sample.times;
    if (sample.module >= modules_.size()) return;
    const ModuleNests& module = modules_[sample.module];
    const auto nest = module.nests.At(sample.offset);
    if (nest) in_nests_ += sample.times;
    for (auto at = nest; at; at = NestOf(sample.module, *at).parent) {
      nest_samples_[{sample.module, *at}] += sample.times;
    }
    const auto function = binary::RootAt(module.functions, sample.offset);
    if (!function) return;
    auto& [inclusive, outside] = function_samples_[{sample.module, *function}];
    inclusive += sample.times;
    if (!nest) outside += sample.times;
    for (const uint32_t each : module.inlined.FunctionsAt(module.functions, sample.offset)) {
      inlined_samples_[{sample.module, each}] += sample.times;
    }
  }

  bool IsEnough(double samples) const {
    return samples >=
           std::max(options_.least_samples, options_.least_share * static_cast<double>(all_));
  }

  std::vector<Chosen> Candidates() const {
    std::map<Id, uint64_t> own;
    for (const auto& [function, samples] : function_samples_) own[function] = samples.first;
    const CallShares calls(modules_, own);
    std::vector<Chosen> candidates;
    for (uint32_t module = 0; module < modules_.size(); ++module) {
      AddFunctions(module, calls, candidates);
      if (options_.functions_only) AddInlined(module, calls, candidates);
      if (!options_.functions_only) AddNests(module, calls, candidates);
    }
    if (options_.computes_beside) AddThoseAround(calls, candidates);
    return candidates;
  }
  // Functions that compute beside nests.
  void AddThoseAround(const CallShares& calls, std::vector<Chosen>& candidates) const {
    std::set<Id> known, around;
    for (const Chosen& chosen : candidates) {
      const auto& functions = modules_[chosen.module].functions;
      if (!chosen.nest) {
        known.insert({chosen.module, chosen.function});
      } else {
        around.insert({chosen.module, binary::RootOf(functions, chosen.function)});
      }
    }
    const std::map<Id, double> entries = EntriesOf(around);
    for (const Id& id : around) {
      const std::string& symbol = modules_[id.first].functions[id.second].symbol;
      if (known.contains(id) || symbol == "main") continue;
      const uint64_t all = FunctionSamples(id).first;
      const double with_calls = static_cast<double>(all) + calls.OfFunction(id);
      const auto entered = entries.find(id);
      const bool is_short =
          entered != entries.end() && with_calls < options_.least_each_entry * entered->second;
      if (is_short || !options_.computes_beside(id.first, id.second)) continue;
      candidates.push_back({id.first, id.second, std::nullopt, all, with_calls, 0});
    }
  }
  // How often each of these functions was called by others.
  std::map<Id, double> EntriesOf(const std::set<Id>& wanted) const {
    std::map<Id, double> entries;
    for (uint32_t module = 0; module < modules_.size(); ++module) {
      for (const Call& call : modules_[module].calls) {
        const uint32_t to_module = call.to_module.value_or(module);
        if (to_module >= modules_.size()) continue;
        const auto to = binary::RootAt(modules_[to_module].functions, call.to);
        if (!to || !wanted.contains({to_module, *to})) continue;
        const auto from = binary::RootAt(modules_[module].functions, call.from);
        if (from && Id{module, *from} == Id{to_module, *to}) continue;
        entries[{to_module, *to}] += static_cast<double>(call.times);
      }
    }
    return entries;
  }
  void AddFunctions(uint32_t module, const CallShares& calls, std::vector<Chosen>& to) const {
    const Inlined& inlined = modules_[module].inlined;
    for (uint32_t f = 0; f < modules_[module].functions.size(); ++f) {
      if (options_.functions_only && inlined.of_root.contains(f)) continue;
      const auto [all, outside] = FunctionSamples({module, f});
      const double with_calls = static_cast<double>(all) + calls.OfFunction({module, f});
      if (IsEnough(options_.functions_only ? with_calls : static_cast<double>(outside))) {
        to.push_back({module, f, std::nullopt, all, with_calls, 0});
      }
    }
  }
  void AddInlined(uint32_t module, const CallShares& calls, std::vector<Chosen>& to) const {
    const ModuleNests& code = modules_[module];
    std::vector<double> pieces(code.inlined.functions.size());
    for (const InlinedBody& body : code.inlined.bodies) {
      pieces[body.function] += static_cast<double>(body.pieces);
    }
    for (uint32_t i = 0; i < pieces.size(); ++i) {
      const auto known = inlined_samples_.find({module, i});
      const uint64_t samples = known == inlined_samples_.end() ? 0 : known->second;
      const double with_calls = static_cast<double>(samples) + calls.OfInlined({module, i});
      const bool is_short = with_calls < options_.least_each_entry * pieces[i];
      if (!IsEnough(with_calls) || is_short) continue;
      const std::vector<uint32_t>& roots = code.inlined.functions[i].roots;
      const auto behind = static_cast<uint32_t>(code.functions.size()) + i;
      const uint32_t function = roots.empty() ? behind : roots.front();
      to.push_back({module, function, std::nullopt, samples, with_calls, 0, i});
    }
  }
  void AddNests(uint32_t module, const CallShares& calls, std::vector<Chosen>& to) const {
    const auto with_calls = [&](uint32_t n) {
      return static_cast<double>(NestSamples({module, n})) + calls.OfNest({module, n});
    };
    for (uint32_t n = 0; n < modules_[module].nests.nests.size(); ++n) {
      const Nest& nest = NestOf(module, n);
      const uint64_t samples = NestSamples({module, n});
      const auto is_no_region = [&](uint32_t one) {
        return NestOf(module, one).depth > options_.depth || IsShort(module, one, with_calls(one));
      };
      if (is_no_region(n) || !IsEnough(with_calls(n))) continue;
      const auto says_all = [&](uint32_t inner) {
        const bool has_as_much = !IsEnough(with_calls(n) - with_calls(inner));
        const bool has_no_work = !IsEnough(static_cast<double>(samples));
        return has_as_much && !is_no_region(inner) &&
               (has_no_work || IsPartOfDispatch(nest, NestOf(module, inner)));
      };
      const bool says_nothing = std::any_of(nest.children.begin(), nest.children.end(), says_all);
      if (!says_nothing) to.push_back({module, nest.function, n, samples, with_calls(n), 0});
    }
  }
  bool IsShort(uint32_t module, uint32_t n, double samples) const {
    const Nest& nest = NestOf(module, n);
    const auto entries = static_cast<double>(TimesOf(nest.entries));
    return nest.parent && samples < options_.least_each_entry * entries;
  }
  // Instructions of an interpreter jump to each other: the machine code has loops in loops of them,
  // each of which enters the next one hardly more often than it is entered.
  static bool IsPartOfDispatch(const Nest& nest, const Nest& inner) {
    return nest.place.empty() && TimesOf(inner.entries) < 2 * TimesOf(nest.entries);
  }
  uint64_t NestSamples(Id nest) const {
    const auto known = nest_samples_.find(nest);
    return known == nest_samples_.end() ? 0 : known->second;
  }
  // In all of its code, and outside of nests.
  std::pair<uint64_t, uint64_t> FunctionSamples(Id function) const {
    const auto known = function_samples_.find(function);
    return known == function_samples_.end() ? std::pair<uint64_t, uint64_t>() : known->second;
  }

  std::tuple<double, uint32_t, uint32_t, uint32_t, uint32_t> Order(const Chosen& chosen) const {
    const uint32_t depth = chosen.nest ? NestOf(chosen.module, *chosen.nest).depth : 0;
    return {-chosen.with_calls, depth, chosen.module, chosen.function, chosen.nest.value_or(0)};
  }

  // Gives each sample to the innermost of what was chosen.
  void Share(std::span<const Sample> samples, Choice& choice) const {
    Owners owners;
    for (Chosen& chosen : choice.chosen) {
      if (chosen.nest) {
        owners.nests[{chosen.module, *chosen.nest}] = &chosen;
      } else if (chosen.inlined) {
        owners.inlined[{chosen.module, *chosen.inlined}] = &chosen;
      } else {
        owners.functions[{chosen.module, chosen.function}] = &chosen;
      }
    }
    for (const Sample& sample : samples) {
      Chosen* owner = nullptr;
      if (sample.module < modules_.size()) {
        owner = OwnerOf(sample, owners);
      }
      (owner != nullptr ? owner->own_samples : choice.elsewhere) += sample.times;
    }
  }

  // What was chosen.
  struct Owners {
    std::map<Id, Chosen*> nests, inlined, functions;
  };
  Chosen* OwnerOf(const Sample& sample, const Owners& owners) const {
    const ModuleNests& module = modules_[sample.module];
    for (auto at = module.nests.At(sample.offset); at; at = NestOf(sample.module, *at).parent) {
      const auto found = owners.nests.find({sample.module, *at});
      if (found != owners.nests.end()) return found->second;
    }
    for (const uint32_t each : module.inlined.FunctionsAt(module.functions, sample.offset)) {
      const auto found = owners.inlined.find({sample.module, each});
      if (found != owners.inlined.end()) return found->second;
    }
    const auto function = binary::RootAt(module.functions, sample.offset);
    if (!function) return nullptr;
    const auto found = owners.functions.find({sample.module, *function});
    return found != owners.functions.end() ? found->second : nullptr;
  }

  std::span<const ModuleNests> modules_;
  ChooseOptions options_;
  uint64_t all_ = 0, in_nests_ = 0;
  std::map<Id, uint64_t> nest_samples_, inlined_samples_;
  std::map<Id, std::pair<uint64_t, uint64_t>> function_samples_;  // in all, outside of nests
};

}  // namespace

Choice Choose(std::span<const Sample> samples, std::span<const ModuleNests> modules,
              const ChooseOptions& options) {
  return Chooser(modules, options).Choose(samples);
}

}  // namespace roofmark::loops
