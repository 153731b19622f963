// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/names.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

namespace roofmark::binary {
namespace {

struct Suffix {
  std::string_view text;
  bool numbered;  // a number may follow
  Part part;
};

// What GCC and clang append.
constexpr std::array kSuffixes = {
    Suffix{".cold", true, Part::kCold},
    Suffix{".part", true, Part::kClone},
    Suffix{".constprop", true, Part::kClone},
    Suffix{".isra", true, Part::kClone},
    Suffix{".lto_priv", true, Part::kClone},
    Suffix{".localalias", true, Part::kClone},
    Suffix{".simdclone", true, Part::kClone},
    Suffix{".llvm", true, Part::kClone},
    Suffix{".specialized", true, Part::kClone},
    Suffix{"._omp_fn", true, Part::kOutlined},
    Suffix{"._omp_cpyfn", true, Part::kOutlined},
    Suffix{".omp_outlined", true, Part::kOutlined},
    Suffix{".omp_outlined_debug__", true, Part::kOutlined},
    Suffix{".omp_task_entry", true, Part::kOutlined},
    Suffix{".default", false, Part::kClone},
    Suffix{".resolver", false, Part::kClone},
};

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// What stands before a suffix of this kind.
std::optional<std::string_view> Before(std::string_view symbol, const Suffix& suffix) {
  if (suffix.numbered) {
    const size_t dot = symbol.rfind('.');
    if (dot != symbol.npos && IsNumber(symbol.substr(dot + 1))) symbol = symbol.substr(0, dot);
  }
  if (!symbol.ends_with(suffix.text)) return std::nullopt;
  return symbol.substr(0, symbol.size() - suffix.text.size());
}

// `sweep.avx2`, `sweep.arch_x86_64_v3`: what __attribute__((target_clones)) makes.
std::optional<std::string_view> BeforeTarget(std::string_view symbol) {
  const size_t dot = symbol.rfind('.');
  if (dot == symbol.npos || dot == 0) return std::nullopt;
  const std::string_view target = symbol.substr(dot + 1);
  for (const std::string_view known : {"avx", "sse", "fma", "bmi", "arch_", "popcnt"}) {
    if (target.starts_with(known)) return symbol.substr(0, dot);
  }
  return std::nullopt;
}

struct Cut {
  std::string_view before;
  Part part;
};

std::optional<Cut> CutSuffix(std::string_view symbol) {
  for (const Suffix& suffix : kSuffixes) {
    if (const auto before = Before(symbol, suffix)) return Cut{*before, suffix.part};
  }
  if (const auto before = BeforeTarget(symbol)) return Cut{*before, Part::kClone};
  return std::nullopt;
}

// `__solver_MOD_sweep`, as gfortran writes it; in a submodule `__parent.child_MOD_sweep`.
std::optional<std::string> FortranModule(const std::string& symbol) {
  const size_t mark = symbol.find("_MOD_");
  if (!symbol.starts_with("__") || mark == symbol.npos || mark == 2) return std::nullopt;
  return symbol.substr(2, mark - 2) + "::" + symbol.substr(mark + 5);
}

std::string FortranName(std::string name) {
  const size_t dot = name.rfind('.');
  if (dot != name.npos && dot > 0 && IsNumber(std::string_view(name).substr(dot + 1))) {
    return name.substr(0, dot);
  }
  if (name.size() > 1 && name.ends_with('_')) name.pop_back();
  return name;
}

std::string Demangle(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? WithoutArguments(text.get()) : symbol;
}

// Beginning of the list of arguments, which ends with the text; nothing if there is none.
size_t ArgumentsAt(std::string_view text) {
  size_t depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return text.npos;
}

// Where the name begins behind the type that the function returns.
size_t NameAt(std::string_view text) {
  size_t depth = 0, begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(' || text[i] == '{') ++depth;
    if ((text[i] == '>' || text[i] == ')' || text[i] == '}') && depth > 0) --depth;
    if (text[i] == ' ' && depth == 0) begin = i + 1;
  }
  return begin;
}

}  // namespace

SymbolName ReadSymbolName(std::string_view symbol) {
  SymbolName name;
  const auto first = CutSuffix(symbol);
  // clang's `.omp_outlined.`, and `.omp.reduction.reduction_func`.
  const bool nameless = symbol.starts_with(".omp_") || symbol.starts_with(".omp.");
  if (!first) {
    if (nameless) name.part = Part::kOutlined;
    if (name.part == Part::kWhole) name.source = symbol;
    return name;
  }
  name.part = first->part;
  name.parent = first->before;
  // `.omp_outlined..1` has neither parent nor source.
  if (nameless) {
    if (first->part == Part::kOutlined) name.parent.clear();
    return name;
  }
  std::string_view rest = first->before;
  while (const auto next = CutSuffix(rest)) rest = next->before;
  name.source = rest;
  return name;
}

std::string SourceName(const std::string& symbol, bool fortran) {
  const std::string source = ReadSymbolName(symbol).source;
  const std::string& name = source.empty() ? symbol : source;
  if (auto module = FortranModule(name)) return *module;
  return fortran ? FortranName(name) : Demangle(name);
}

std::string WithoutArguments(const std::string& demangled) {
  std::string_view text = demangled;
  for (const std::string_view last : {" const", " volatile", " &&", " &"}) {
    if (text.ends_with(last)) text.remove_suffix(last.size());
  }
  if (!text.ends_with(')')) return demangled;
  const size_t at = ArgumentsAt(text);
  if (at == text.npos || at == 0) return demangled;
  text = text.substr(0, at);
  // The names of operators have spaces, angles and brackets of their own.
  const size_t name = text.find("operator");
  return std::string(text.substr(NameAt(text.substr(0, name))));
}

}  // namespace roofmark::binary
