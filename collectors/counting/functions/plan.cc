// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/functions/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/binary/elf_file.h"
#include "lib/binary/functions.h"
#include "lib/binary/names.h"
#include "lib/binary/symbols.h"
#include "lib/core/file.h"
#include "lib/core/file_name.h"

namespace roofmark::counting {
namespace {

using binary::ElfFile;
using binary::Function;
using binary::FunctionInput;

// A pattern, and how far it came.
struct Search {
  const FunctionPattern* pattern = nullptr;
  std::string file;        // that a path leads to; empty: it has none
  bool has_file = false;   // a file was read for it
  bool has_match = false;  // it chose a function
};

class Planner {
 public:
  explicit Planner(const FunctionChoice& choice) {
    for (const FunctionPattern& pattern : choice.patterns) {
      searches_.push_back({&pattern, pattern.path().empty() ? "" : RealPath(pattern.path())});
    }
  }

  FunctionPlan Make(std::vector<LoadedFile> files) {
    AddFilesOfPaths(files);
    for (const LoadedFile& file : files) AddFile(file);
    for (const Search& search : searches_) {
      if (!search.has_match) made_.notes.push_back(WhyNothing(search));
    }
    if (left_out_ > 0) {
      made_.notes.push_back(
          fmt::format("{} functions are no regions: at most {} can be", left_out_, kMostFunctions));
    }
    TellApart(made_.plan, file_of_nest_);
    return std::move(made_);
  }

 private:
  // Those that are not loaded.
  void AddFilesOfPaths(std::vector<LoadedFile>& files) const {
    for (const Search& search : searches_) {
      const bool known = std::any_of(files.begin(), files.end(), [&](const LoadedFile& file) {
        return file.path == search.file;
      });
      if (!search.file.empty() && !known) files.push_back({search.file, search.file, false});
    }
  }

  static std::string WhyNothing(const Search& search) {
    const FunctionPattern& pattern = *search.pattern;
    if (search.has_file) {
      return fmt::format(
          "`{}` matches no function; one that the compiler inlined everywhere is none: `roofmark "
          "run --auto --functions` finds it by the debug information, and "
          "`__attribute__((noinline))` keeps it",
          pattern.text());
    }
    if (pattern.path().empty()) {
      return fmt::format("`{}` names no file that the program has loaded at its start",
                         pattern.text());
    }
    return fmt::format("`{}` names a file that cannot be read", pattern.text());
  }

  std::vector<Search*> SearchesIn(const LoadedFile& file) {
    std::vector<Search*> searches;
    for (Search& search : searches_) {
      const bool is_named = !search.file.empty() && search.file == file.path;
      const bool is_matched =
          search.pattern->MatchesModule(FileName(file.path), file.is_executable) ||
          search.pattern->MatchesModule(FileName(file.opened_as), file.is_executable);
      if (is_named || is_matched) searches.push_back(&search);
    }
    return searches;
  }

  void AddFile(const LoadedFile& file) {
    const std::vector<Search*> searches = SearchesIn(file);
    if (searches.empty()) return;
    const Result<ElfFile> elf = ElfFile::Open(file.path);
    if (!elf) return made_.notes.push_back(elf.error());
    const FunctionInput input = ReadFunctionInput(*elf);
    const std::vector<Function> functions = MakeFunctions(input);
    std::map<uint32_t, std::string> chosen;  // names by index
    for (Search* search : searches) {
      search->has_file = true;
      Choose(input, functions, *search, chosen);
    }
    if (!chosen.empty()) AddChosen(file, functions, chosen);
  }

  // One function can have several names.
  static void Choose(const FunctionInput& input, const std::vector<Function>& functions,
                     Search& search, std::map<uint32_t, std::string>& chosen) {
    for (const binary::Symbol& symbol : input.symbols) {
      if (symbol.resolver || symbol.address < input.base) continue;
      const uint64_t offset = symbol.address - input.base;
      const Function* function = binary::FindFunction(functions, offset);
      if (function == nullptr || function->begin != offset) continue;
      const std::string name = binary::SourceName(symbol.name);
      const FunctionPattern& pattern = *search.pattern;
      if (!pattern.MatchesFunction(symbol.name) && !pattern.MatchesFunction(name)) continue;
      search.has_match = true;
      const uint32_t root =
          binary::RootOf(functions, static_cast<uint32_t>(function - functions.data()));
      std::string& known = chosen[root];
      // The name that the report of the file's code has, if it was asked for.
      if (known.empty() || name == functions[root].name) known = name;
    }
  }

  void AddChosen(const LoadedFile& file, const std::vector<Function>& functions,
                 const std::map<uint32_t, std::string>& chosen) {
    NestPlan& plan = made_.plan;
    std::map<uint32_t, uint32_t> nest_of;  // by index
    for (const auto& [root, name] : chosen) {
      if (plan.nests.size() == kMostFunctions) {
        ++left_out_;
        continue;
      }
      nest_of[root] = static_cast<uint32_t>(plan.nests.size());
      PlannedNest nest;
      nest.name = name + "()";
      nest.is_function = true;
      plan.nests.push_back(std::move(nest));
      file_of_nest_.push_back(file.path);
    }
    if (nest_of.empty()) return;
    const auto module = static_cast<uint32_t>(plan.modules.size());
    plan.modules.push_back(file.path);
    for (uint32_t i = 0; i < functions.size(); ++i) {
      const auto nest = nest_of.find(binary::RootOf(functions, i));
      if (nest == nest_of.end()) continue;
      const Function& function = functions[i];
      plan.ranges.push_back({module, nest->second, function.begin, function.end});
      if (function.part == binary::Part::kCold) continue;
      plan.entries.push_back({module, nest->second, function.begin});
    }
  }

  std::vector<Search> searches_;
  FunctionPlan made_;
  std::vector<std::string> file_of_nest_;
  size_t left_out_ = 0;
};

}  // namespace

FunctionPlan PlanFunctions(const FunctionChoice& choice, const std::vector<LoadedFile>& loaded) {
  return Planner(choice).Make(loaded);
}

}  // namespace roofmark::counting
