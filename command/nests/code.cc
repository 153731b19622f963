// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "lib/binary/binary.h"
#include "lib/found/parts_at.h"
#include "lib/loops/forest.h"
#include "lib/loops/inlined_begins.h"
#include "lib/loops/of_binary.h"

namespace roofmark::cli {
namespace {

loops::Input InputOf(const ExecutedModule& module, binary::Binary& binary) {
  loops::Input input = loops::InputOf(binary);
  for (const ExecutedBlock& block : module.blocks) {
    input.blocks.push_back({block.begin, block.bytes, block.times});
  }
  for (const ExecutedWay& way : module.ways) input.edges.push_back({way.from, way.to, way.times});
  return input;
}

// A function that ends by calling another one jumps there.
std::vector<loops::Call> CallsIn(const ExecutedModule& module, const binary::Binary& binary) {
  std::vector<loops::Call> calls;
  for (const ExecutedWay& way : module.ways) {
    const binary::Function* to = binary.FunctionAt(way.to);
    const bool begins = to != nullptr && to->begin == way.to && to != binary.FunctionAt(way.from);
    if (way.calls || begins) calls.push_back({way.from, way.to, way.times});
  }
  return calls;
}

// Of the linker's tables: where a call of an entry goes, by its begin, as an index of
// ExecutedModule::calls. Entries are in no function.
std::multimap<uint64_t, size_t> EntriesOf(const ExecutedModule& module,
                                          const std::vector<binary::Function>& functions) {
  std::multimap<uint64_t, size_t> entries;
  for (size_t i = 0; i < module.calls.size(); ++i) {
    const uint64_t from = module.calls[i].from;
    if (binary::FindFunction(functions, from) != nullptr) continue;
    for (const ExecutedBlock& block : module.blocks) {
      if (block.begin > from) break;
      if (from < block.begin + block.bytes) entries.emplace(block.begin, i);
    }
  }
  return entries;
}

// Through registers and memory, and to other modules. Who calls an entry of the linker's table
// calls what that leads to.
void AddFurtherCalls(const ExecutedModule& module, loops::ModuleNests& to) {
  const auto entries = EntriesOf(module, to.functions);
  const auto add = [&](uint64_t from, const ExecutedCall& call, uint64_t times) {
    to.calls.push_back({from, call.to, times, call.to_module});
  };
  for (const ExecutedCall& call : module.calls) add(call.from, call, call.times);
  for (const ExecutedWay& way : module.ways) {
    const auto [begin, end] = entries.equal_range(way.to);
    for (auto entry = begin; entry != end; ++entry) {
      const ExecutedCall& call = module.calls[entry->second];
      add(way.from, call, std::min(way.times, call.times));
    }
  }
}

// Of functions that were executed: the outermost frame of their first instruction.
std::vector<SourceFrame> PlacesOf(const ExecutedModule& module, binary::Binary& binary) {
  std::vector<SourceFrame> places(binary.functions().size());
  if (!binary.sources()) return places;
  for (const ExecutedBlock& block : module.blocks) {
    const binary::Function* function = binary.FunctionAt(block.begin);
    if (function == nullptr) continue;
    SourceFrame& place = places[static_cast<size_t>(function - binary.functions().data())];
    if (place.line > 0) continue;
    const SourceChain chain = binary.sources()->ChainAt(function->begin);
    if (!chain.empty()) place = chain.back();
  }
  return places;
}

std::vector<bool> BegunIn(const ExecutedModule& module, const binary::Binary& binary) {
  std::vector<bool> begun(binary.functions().size());
  for (const ExecutedBlock& block : module.blocks) {
    const binary::Function* function = binary.FunctionAt(block.begin);
    if (function == nullptr || function->begin != block.begin) continue;
    begun[static_cast<size_t>(function - binary.functions().data())] = true;
  }
  return begun;
}

// A function that was executed has no symbol.
bool LacksNames(const ExecutedModule& module, const binary::Binary& binary) {
  return std::any_of(module.blocks.begin(), module.blocks.end(), [&](const ExecutedBlock& block) {
    const binary::Function* function = binary.FunctionAt(block.begin);
    return function != nullptr && function->symbol.empty();
  });
}

std::string NoteOf(const ExecutedModule& module, binary::Binary& binary) {
  if (!binary.sources()) {
    std::string note = binary.sources().error();
    if (LacksNames(module, binary)) {
      note +=
          "; functions that have no symbol (strip removes them) are called by their place in the "
          "file";
    }
    return note;
  }
  if (!binary.sources()->has_link_time_code()) return "";
  return fmt::format(
      "the lines of some loops in {} are those of the first statement in their body: GCC leaves "
      "out "
      "their own where it optimises at linking (-flto)",
      binary.path());
}

// What is to be said of several files alike is said once.
class SameNotes {
 public:
  void Add(const std::string& note, const std::string& file) {
    const size_t at = note.find(file);
    Note one = {note, "", {}};
    if (at != std::string::npos) {
      one = {note.substr(0, at), note.substr(at + file.size()), {file}};
    }
    const auto same = std::find_if(notes_.begin(), notes_.end(), [&one](const Note& each) {
      return each.before == one.before && each.behind == one.behind;
    });
    if (same == notes_.end()) {
      notes_.push_back(std::move(one));
    } else if (!one.files.empty()) {
      same->files.push_back(file);
    }
  }
  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const Note& note : notes_) {
      texts.push_back(note.before + Listed(note.files) + note.behind);
    }
    return texts;
  }

 private:
  // "a, b and c"; a name may have a comma.
  static std::string Listed(const std::vector<std::string>& names) {
    if (names.size() < 2) return names.empty() ? "" : names.front();
    const std::span<const std::string> all(names);
    return fmt::format("{} and {}", fmt::join(all.first(all.size() - 1), ", "), names.back());
  }

  struct Note {
    std::string before, behind;  // of the files' names
    std::vector<std::string> files;
  };
  std::vector<Note> notes_;
};

// The runtime calls the bodies of OpenMP constructs, from wherever their function was inlined.
void AddCallsOfBodies(loops::ModuleNests& module) {
  std::set<uint32_t> with_bodies;  // roots
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    if (module.functions[f].part == binary::Part::kOutlined) {
      with_bodies.insert(binary::RootOf(module.functions, f));
    }
  }
  std::vector<bool> done(module.inlined.bodies.size());
  for (const loops::Inlined::Place& place : module.inlined.places) {
    if (done[place.body]) continue;
    done[place.body] = true;
    const loops::InlinedBody& body = module.inlined.bodies[place.body];
    for (const uint32_t root : module.inlined.functions[body.function].roots) {
      if (!with_bodies.contains(root)) continue;
      module.calls.push_back({place.begin, module.functions[root].begin, body.calls});
    }
  }
}

void AddModule(const ExecutedModule& module, bool with_inlined, FoundCode& code) {
  code.files.push_back(module.file);
  code.modules.emplace_back();
  code.places.emplace_back();
  code.notes.emplace_back();
  code.begun.emplace_back();
  code.works.push_back(!module.blocks.empty());
  Result<binary::Binary> binary = binary::Binary::Open(module.file);
  if (!binary) {
    code.notes.back() = fmt::format("no loops of this module are known: {}", binary.error());
    return;
  }
  code.notes.back() = NoteOf(module, *binary);
  const loops::Input input = InputOf(module, *binary);
  const loops::Forest forest = loops::FindLoops(input);
  loops::ModuleNests& found = code.modules.back();
  found = {binary->functions(), FindNests(input, forest), CallsIn(module, *binary)};
  AddFurtherCalls(module, found);
  if (with_inlined) {
    const loops::InlinedSources sources = loops::InlinedSourcesOf(*binary);
    found.inlined = FindInlined(binary->functions(), input.blocks, sources);
    FindBegins(input, forest, found.nests, found.inlined);
    AddCallsOfBodies(found);
  }
  code.places.back() = PlacesOf(module, *binary);
  code.begun.back() = BegunIn(module, *binary);
}

using Numbers = std::map<std::string, uint32_t>;  // of modules, by file

// As many samples as fit into the time of each call.
std::vector<loops::Sample> CallsOfMpi(const Samples& samples, const Numbers& numbers) {
  std::vector<loops::Sample> calls;
  for (const SampledProcess& process : samples.processes) {
    if (process.threads.empty()) continue;
    const uint64_t period_ns = process.threads.front().period_ns;
    for (const TimedCalls& each : process.mpi_calls) {
      for (const CodePlace& frame : each.frames) {
        const auto number = numbers.find(frame.file);
        if (number == numbers.end()) continue;
        calls.push_back({number->second, frame.offset, each.wall_ns / period_ns});
        break;
      }
    }
  }
  return calls;
}

void TakeFromElsewhere(const std::vector<loops::Sample>& calls, std::vector<loops::Sample>& from) {
  uint64_t left = 0;
  for (const loops::Sample& call : calls) left += call.times;
  for (loops::Sample& sample : from) {
    if (sample.module != UINT32_MAX) continue;
    const uint64_t gone = std::min(left, sample.times);
    sample.times -= gone;
    left -= gone;
  }
}

// Of the executions of the code at a place, those that were work of the program; 1 where nothing is
// known.
double WorkShareAt(const PartsAt& parts, uint64_t offset) {
  const PartsAt::Times times = parts.TimesAt(offset);
  return times.all > 0 ? static_cast<double>(times.work) / static_cast<double>(times.all) : 1;
}

// What is no work is elsewhere. Places have few samples each: what is left of one goes to the next.
void AddSamples(const SampledModule& sampled, const ExecutedModule& executed, uint32_t number,
                std::vector<loops::Sample>& to) {
  const PartsAt parts(executed.parts);
  double left = 0;
  for (const SampledPlace& place : sampled.places) {
    left += WorkShareAt(parts, place.offset) * static_cast<double>(place.samples);
    const uint64_t work = std::min(static_cast<uint64_t>(left + 1e-9), place.samples);
    left -= static_cast<double>(work);
    if (work > 0) to.push_back({number, place.offset, work});
    if (work < place.samples) to.push_back({UINT32_MAX, place.offset, place.samples - work});
  }
}

}  // namespace

FoundCode FindCode(const Executed& executed, bool with_inlined) {
  FoundCode code;
  for (const ExecutedModule& module : executed.modules) AddModule(module, with_inlined, code);
  return code;
}

std::vector<std::string> NotesOf(const FoundCode& code, const std::vector<loops::Sample>& samples) {
  uint64_t all = 0;
  std::vector<uint64_t> of_module(code.files.size());
  for (const loops::Sample& sample : samples) {
    all += sample.times;
    if (sample.module < of_module.size()) of_module[sample.module] += sample.times;
  }
  SameNotes notes;
  for (size_t i = 0; i < of_module.size(); ++i) {
    const bool matters = of_module[i] > 0 && of_module[i] * 100 >= all;
    if (matters && !code.notes[i].empty()) notes.Add(code.notes[i], code.files[i]);
  }
  return notes.Texts();
}

std::vector<loops::Sample> SamplesIn(const Samples& samples, const Executed& executed,
                                     const FoundCode& code) {
  Numbers numbers;
  for (uint32_t i = 0; i < code.files.size(); ++i) {
    if (code.works[i]) numbers.emplace(code.files[i], i);
  }
  std::vector<loops::Sample> taken;
  for (const SampledModule& module : samples.modules) {
    const auto number = numbers.find(module.file);
    if (number != numbers.end()) {
      AddSamples(module, executed.modules[number->second], number->second, taken);
      continue;
    }
    for (const SampledPlace& place : module.places) {
      taken.push_back({UINT32_MAX, place.offset, place.samples});
    }
  }
  const std::vector<loops::Sample> calls = CallsOfMpi(samples, numbers);
  TakeFromElsewhere(calls, taken);
  taken.insert(taken.end(), calls.begin(), calls.end());
  return taken;
}

std::vector<loops::Sample> InstructionsIn(const Executed& executed) {
  std::vector<loops::Sample> taken;
  for (size_t i = 0; i < executed.modules.size(); ++i) {
    for (const ExecutedBlock& block : executed.modules[i].blocks) {
      taken.push_back({static_cast<uint32_t>(i), block.begin, block.times * block.instructions});
    }
  }
  return taken;
}

}  // namespace roofmark::cli
