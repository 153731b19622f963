// SPDX-License-Identifier: BSD-3-Clause
//
// What the name of a symbol says. Pure.
#ifndef ROOFMARK_LIB_BINARY_NAMES_H_
#define ROOFMARK_LIB_BINARY_NAMES_H_

#include <string>
#include <string_view>

namespace roofmark::binary {

// How a function of the machine code belongs to a function of the source.
enum class Part {
  kWhole,
  kCold,      // code of it that lies elsewhere: runs in the same frame, is never called
  kClone,     // a function of its own, made of it for certain arguments or CPUs
  kOutlined,  // the body of an OpenMP construct in it, which the runtime calls
};

struct SymbolName {
  std::string parent;  // symbol that it is a part of, which may be a part too; empty: kWhole
  Part part = Part::kWhole;
  std::string source;  // symbol of the function of the source; empty: the name does not say it
};

// `sweep._omp_fn.0.cold` is a cold part of `sweep._omp_fn.0`, and of `sweep` in the source. The
// bodies that clang up to 16 makes are `.omp_outlined.` and the like, which do not name a parent.
SymbolName ReadSymbolName(std::string_view symbol);

// As the source has it, without the types of arguments: `_Z5sweepPdi.isra.0` is `sweep`,
// `__solver_MOD_sweep` is `solver::sweep`. In Fortran, `sweep_` is `sweep`, too, and so is
// `sweep.0`, which lies in another procedure.
std::string SourceName(const std::string& symbol, bool fortran = false);

// `void ns::Sweep<int>(double*)` is `ns::Sweep<int>`.
std::string WithoutArguments(const std::string& demangled);

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_NAMES_H_
