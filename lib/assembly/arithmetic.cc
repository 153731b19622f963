// SPDX-License-Identifier: BSD-3-Clause
#include "lib/assembly/arithmetic.h"

#include <algorithm>
#include <array>

namespace roofmark::assembly {
namespace {

// Without the order of operands and the suffix of the type.
constexpr std::array<std::string_view, 8> kSingle = {"add",  "sub",  "mul",  "div",
                                                     "sqrt", "hadd", "hsub", "addsub"};
constexpr std::array<std::string_view, 6> kFused = {"fmadd",  "fmsub",    "fnmadd",
                                                    "fnmsub", "fmaddsub", "fmsubadd"};
constexpr std::array<std::string_view, 14> kX87 = {"fadd",  "faddp", "fiadd", "fsub",  "fsubp",
                                                   "fisub", "fsubr", "fmul",  "fmulp", "fimul",
                                                   "fdiv",  "fdivp", "fdivr", "fsqrt"};

template <size_t N>
bool Has(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool EndsInOrder(std::string_view stem) {
  return stem.ends_with("132") || stem.ends_with("213") || stem.ends_with("231");
}

}  // namespace

Arithmetic ArithmeticOf(std::string_view mnemonic) {
  if (Has(kX87, mnemonic) || mnemonic == "fsubrp" || mnemonic == "fdivrp" || mnemonic == "fisubr" ||
      mnemonic == "fidiv" || mnemonic == "fidivr") {
    return {1, false, 80};
  }
  if (mnemonic.starts_with('v')) mnemonic.remove_prefix(1);
  if (mnemonic.size() < 5) return {};
  const std::string_view type = mnemonic.substr(mnemonic.size() - 2);
  std::string_view stem = mnemonic.substr(0, mnemonic.size() - 2);
  const bool packed = type[0] == 'p';
  if (!packed && type[0] != 's') return {};
  const uint32_t bits = type[1] == 'd' ? 64 : type[1] == 's' ? 32 : type[1] == 'h' ? 16 : 0;
  if (bits == 0) return {};
  if (Has(kSingle, stem)) return {1, packed, bits};
  if (EndsInOrder(stem)) stem.remove_suffix(3);
  return Has(kFused, stem) ? Arithmetic{2, packed, bits} : Arithmetic{};
}

}  // namespace roofmark::assembly
