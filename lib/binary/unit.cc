// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/unit.h"

#include <dwarf.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "lib/binary/names.h"

namespace roofmark::binary {
namespace {

constexpr uint32_t kDeepest = 256;  // what is nested deeper is damaged

// Entries that can have functions inside.
bool HasScopes(int tag) {
  switch (tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_skeleton_unit:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_entry_point:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
      return true;
    default:
      return false;
  }
}

std::string TextOf(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute value;
  const char* text = dwarf_formstring(dwarf_attr_integrate(&die, attribute, &value));
  return text != nullptr ? text : "";
}

uint32_t NumberOf(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&die, attribute, &value), &number) != 0) return 0;
  return number < UINT32_MAX ? static_cast<uint32_t>(number) : 0;
}

std::string SymbolOf(Dwarf_Die& die) {
  std::string symbol = TextOf(die, DW_AT_linkage_name);
  if (symbol.empty()) symbol = TextOf(die, DW_AT_MIPS_linkage_name);
  return symbol.empty() ? TextOf(die, DW_AT_name) : symbol;
}

// The entry that describes the function of which this one is code.
Dwarf_Die OriginOf(Dwarf_Die& die) {
  Dwarf_Attribute value;
  Dwarf_Die origin;
  const bool known = dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &value), &origin);
  return known ? origin : die;
}

// Other units mean the same function by its symbol.
bool IsExternal(Dwarf_Die& die) {
  Dwarf_Attribute value;
  bool external = false;
  return dwarf_formflag(dwarf_attr_integrate(&die, DW_AT_external, &value), &external) == 0 &&
         external;
}

// The last step that is not behind the address.
template <typename Steps>
const typename Steps::value_type* StepAt(const Steps& steps, uint64_t address) {
  const auto after = std::upper_bound(steps.begin(), steps.end(), address,
                                      [](uint64_t at, const auto& s) { return at < s.address; });
  return after == steps.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

bool IsFortranUnit(Dwarf_Die& unit) {
  switch (dwarf_srclang(&unit)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
      return true;
    default:
      return false;
  }
}

bool IsLinkTimeUnit(Dwarf_Die& unit) {
  return TextOf(unit, DW_AT_producer).starts_with("GNU GIMPLE");
}

Unit::Unit(Dwarf_Die die) : fortran_(IsFortranUnit(die)) {
  directory_ = TextOf(die, DW_AT_comp_dir);
  ReadLines(die);
  // With split debug information the scopes are in another file.
  Dwarf_Die split;
  uint8_t type = 0;
  const bool known =
      dwarf_cu_info(die.cu, nullptr, &type, nullptr, &split, nullptr, nullptr, nullptr) == 0;
  const bool is_split = known && type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
  if (is_split) first_number_ = (dwarf_dieoffset(&die) + 1) << 32;
  ReadScopes(is_split ? split : die, kNone, 0, nullptr);
  NameOutlined();
  MakeSteps();
}

uint32_t Unit::FileOf(const char* name) {
  if (name == nullptr) return kNone;
  std::string file = name;
  if (!file.starts_with('/') && !directory_.empty()) file = directory_ + "/" + file;
  const auto [known, added] = file_numbers_.try_emplace(file, static_cast<uint32_t>(files_.size()));
  if (added) files_.push_back(std::move(file));
  return known->second;
}

std::string Unit::FileName(uint32_t file) const { return file < files_.size() ? files_[file] : ""; }

void Unit::ReadLines(Dwarf_Die& unit) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) == 0) {
    for (size_t i = 0; i < count; ++i) {
      file_of_index_.push_back(FileOf(dwarf_filesrc(files, i, nullptr, nullptr)));
    }
  }
  Dwarf_Lines* lines = nullptr;
  if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
  const char* last_name = nullptr;
  uint32_t last_file = kNone;
  for (size_t i = 0; i < count; ++i) {
    Dwarf_Line* line = dwarf_onesrcline(lines, i);
    Dwarf_Addr address = 0;
    int number = 0;
    bool end = false, begins = true;
    if (line == nullptr || dwarf_lineaddr(line, &address) != 0 ||
        dwarf_lineno(line, &number) != 0 || dwarf_lineendsequence(line, &end) != 0 ||
        dwarf_linebeginstatement(line, &begins) != 0) {
      continue;
    }
    const char* name = dwarf_linesrc(line, nullptr, nullptr);
    if (name != last_name) last_file = FileOf(name);
    last_name = name;
    LineStep step{address, last_file, number > 0 ? static_cast<uint32_t>(number) : 0};
    if (end || step.line == 0) step = {address, kNone, 0};
    if (step.line != 0 && begins) marks_.push_back(step);
    // Of several at one address the last describes the instruction.
    if (!line_steps_.empty() && line_steps_.back().address == address) line_steps_.pop_back();
    line_steps_.push_back(step);
  }
  // libdw has sorted them; a damaged table may not be what it sorted by.
  const auto earlier = [](const LineStep& a, const LineStep& b) { return a.address < b.address; };
  std::stable_sort(line_steps_.begin(), line_steps_.end(), earlier);
  std::stable_sort(marks_.begin(), marks_.end(), earlier);
}

void Unit::ReadScopes(Dwarf_Die& die, uint32_t parent, uint32_t depth, Dwarf_Die* function) {
  Dwarf_Die child;
  if (depth > kDeepest || dwarf_child(&die, &child) != 0) return;
  while (true) {
    const int tag = dwarf_tag(&child);
    if (HasScopes(tag)) {
      const bool scope = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
      // A function that is written inside another one is not called there.
      const uint32_t around = tag == DW_TAG_inlined_subroutine ? parent : kNone;
      ReadScopes(child, scope ? AddScope(child, around, depth, function) : parent, depth + 1,
                 tag == DW_TAG_subprogram ? &child : function);
    }
    const Dwarf_Off before = dwarf_dieoffset(&child);
    if (dwarf_siblingof(&child, &child) != 0 || dwarf_dieoffset(&child) <= before) return;
  }
}

uint32_t Unit::AddScope(Dwarf_Die& die, uint32_t parent, uint32_t depth, Dwarf_Die* function) {
  const auto index = static_cast<uint32_t>(scopes_.size());
  Dwarf_Addr base = 0, begin = 0, end = 0;
  ptrdiff_t next = 0;
  bool any = false;
  while ((next = dwarf_ranges(&die, next, &base, &begin, &end)) > 0) {
    if (begin >= end) continue;
    ranges_.push_back({begin, end, index});
    any = true;
  }
  if (!any) return kNone;
  Scope scope;
  scope.parent = parent;
  scope.depth = depth;
  scope.name = NameOf(SymbolOf(die));
  scope.number = NumberOfEntry(die);
  // libdw gives the lowest address where the compiler says nothing.
  const bool says_entry = dwarf_hasattr(&die, DW_AT_entry_pc) != 0;
  if (Dwarf_Addr entry = 0; says_entry && dwarf_entrypc(&die, &entry) == 0) scope.begin = entry;
  NameFunction(die, function, scope);
  const auto file = [this](uint32_t number) {
    return number < file_of_index_.size() ? file_of_index_[number] : kNone;
  };
  scope.declared_file = file(NumberOf(die, DW_AT_decl_file));
  scope.declared_line = NumberOf(die, DW_AT_decl_line);
  scope.call_file = file(NumberOf(die, DW_AT_call_file));
  scope.call_line = NumberOf(die, DW_AT_call_line);
  scopes_.push_back(scope);
  return index;
}

void Unit::NameFunction(Dwarf_Die& die, Dwarf_Die* around, Scope& scope) {
  const bool outlined = names_[scope.name].parts.part == Part::kOutlined;
  Dwarf_Die origin = OriginOf(outlined && around != nullptr ? *around : die);
  scope.function_name = NameOf(SymbolOf(origin));
  scope.function_number = IsExternal(origin) ? 0 : NumberOfEntry(origin);
}

uint64_t Unit::NumberOfEntry(Dwarf_Die& die) const { return first_number_ + dwarf_dieoffset(&die); }

uint32_t Unit::NameOf(std::string symbol) {
  const auto next = static_cast<uint32_t>(names_.size());
  const auto [known, added] = name_numbers_.try_emplace(symbol, next);
  if (added) {
    std::string source = SourceName(symbol, fortran_);
    SymbolName parts = ReadSymbolName(symbol);
    names_.push_back({std::move(symbol), std::move(source), std::move(parts)});
  }
  return known->second;
}

// Each address has the deepest scope that it lies in.
void Unit::MakeSteps() {
  struct Event {
    uint64_t address;
    bool begins;
    uint32_t scope;
  };
  std::vector<Event> events;
  for (const Range& range : ranges_) {
    events.push_back({range.begin, true, range.scope});
    events.push_back({range.end, false, range.scope});
  }
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.address < b.address; });
  std::multiset<std::pair<uint32_t, uint32_t>> open;  // by depth
  for (size_t i = 0; i < events.size(); ++i) {
    const std::pair key(scopes_[events[i].scope].depth, events[i].scope);
    if (events[i].begins) {
      open.insert(key);
    } else if (const auto found = open.find(key); found != open.end()) {
      open.erase(found);
    }
    if (i + 1 < events.size() && events[i + 1].address == events[i].address) continue;
    scope_steps_.push_back({events[i].address, open.empty() ? kNone : open.rbegin()->second});
  }
  ranges_ = {};
}

const Unit::Scope* Unit::ScopeAt(uint64_t address) const {
  const ScopeStep* step = StepAt(scope_steps_, address);
  return step != nullptr && step->scope != kNone ? &scopes_[step->scope] : nullptr;
}

SourceChain Unit::ChainAt(uint64_t address) const {
  const LineStep* line = StepAt(line_steps_, address);
  const Scope* scope = ScopeAt(address);
  if (scope == nullptr && (line == nullptr || line->line == 0)) return {};
  SourceFrame frame;
  if (line != nullptr) frame = {"", FileName(line->file), line->line};
  SourceChain chain;
  while (scope != nullptr && chain.size() <= kDeepest) {
    frame.function = names_[scope->name].source;
    chain.push_back(frame);
    frame = {"", FileName(scope->call_file), scope->call_line};
    scope = scope->parent != kNone ? &scopes_[scope->parent] : nullptr;
  }
  if (chain.empty()) chain.push_back(frame);
  return chain;
}

SourceFunction Unit::FunctionOf(const Scope& scope) const {
  if (scope.written_in != kNone) return FunctionOf(scopes_[scope.written_in]);
  const Name& name = names_[scope.function_name];
  return {name.symbol, scope.function_number, name.source, FileName(scope.declared_file),
          scope.declared_line};
}

std::vector<InlinedCall> Unit::CallsAround(uint32_t scope) const {
  std::vector<InlinedCall> calls;
  for (; scope != kNone && scopes_[scope].parent != kNone; scope = scopes_[scope].parent) {
    const Scope& inlined = scopes_[scope];
    calls.push_back({FunctionOf(inlined), inlined.number, inlined.begin});
  }
  std::reverse(calls.begin(), calls.end());
  return calls;
}

std::vector<InlinedRow> Unit::InlinedIn(uint64_t begin, uint64_t end) const {
  const auto first = StepAt(scope_steps_, begin);
  std::vector<InlinedRow> rows = {{begin, CallsAround(first != nullptr ? first->scope : kNone)}};
  auto step = std::upper_bound(scope_steps_.begin(), scope_steps_.end(), begin,
                               [](uint64_t at, const ScopeStep& s) { return at < s.address; });
  for (; step != scope_steps_.end() && step->address < end; ++step) {
    rows.push_back({step->address, CallsAround(step->scope)});
  }
  return rows;
}

std::optional<SourceFunction> Unit::FunctionAt(uint64_t address) const {
  const Scope* scope = ScopeAt(address);
  while (scope != nullptr && scope->parent != kNone) scope = &scopes_[scope->parent];
  return scope != nullptr ? std::optional(FunctionOf(*scope)) : std::nullopt;
}

std::vector<uint64_t> Unit::ChangesIn(uint64_t begin, uint64_t end) const {
  std::vector<uint64_t> changes;
  const auto add = [&](const auto& steps) {
    auto step = std::lower_bound(steps.begin(), steps.end(), begin,
                                 [](const auto& s, uint64_t at) { return s.address < at; });
    for (; step != steps.end() && step->address < end; ++step) changes.push_back(step->address);
  };
  add(scope_steps_);
  add(line_steps_);
  std::sort(changes.begin(), changes.end());
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  return changes;
}

std::vector<SourceMark> Unit::MarksIn(uint64_t begin, uint64_t end) const {
  std::vector<SourceMark> marks;
  auto step = std::lower_bound(marks_.begin(), marks_.end(), begin,
                               [](const LineStep& s, uint64_t at) { return s.address < at; });
  for (; step != marks_.end() && step->address < end; ++step) {
    marks.push_back({step->address, FileName(step->file), step->line});
  }
  return marks;
}

// The one that is declared last before it.
const Unit::Scope* Unit::ScopeAround(const Scope& scope) const {
  const Scope* best = nullptr;
  for (const Scope& other : scopes_) {
    if (other.declared_file != scope.declared_file || other.declared_line > scope.declared_line ||
        scope.declared_line == 0 || names_[other.name].parts.part == Part::kOutlined) {
      continue;
    }
    if (best == nullptr || best->declared_line < other.declared_line) best = &other;
  }
  return best;
}

std::string Unit::FunctionAround(uint64_t address) const {
  const Scope* scope = ScopeAt(address);
  while (scope != nullptr && scope->parent != kNone) scope = &scopes_[scope->parent];
  const Scope* around = scope != nullptr ? ScopeAround(*scope) : nullptr;
  return around != nullptr ? names_[around->name].symbol : "";
}

// Bodies of OpenMP constructs are named like the function that they were written in.
void Unit::NameOutlined() {
  for (Scope& scope : scopes_) {
    const SymbolName& parts = names_[scope.name].parts;
    if (parts.part != Part::kOutlined || !parts.source.empty()) continue;
    const Scope* around = ScopeAround(scope);
    if (around == nullptr) continue;
    scope.name = around->name;
    const auto index = static_cast<uint32_t>(around - scopes_.data());
    scope.written_in = around->written_in != kNone ? around->written_in : index;
  }
}

}  // namespace roofmark::binary
