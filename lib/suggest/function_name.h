// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_SUGGEST_FUNCTION_NAME_H_
#define ROOFMARK_LIB_SUGGEST_FUNCTION_NAME_H_

#include <string>
#include <string_view>

namespace roofmark::suggest {

// Of the name of a found region, "solver.c:7 in ns::solve<double>(), at main.c:3" or "solve()",
// that of the function, without the brackets behind it. Empty if it has none.
std::string FunctionOf(std::string_view region);
// True for "solve()".
bool NamesAFunction(std::string_view region);
// "ns::solve<double>" is "solve"; of a lambda that of the function which it is in.
std::string ShortName(std::string_view function);
// A name for a region: of operators that of their class, of others the short one.
std::string RegionNameOf(std::string_view function);

}  // namespace roofmark::suggest

#endif  // ROOFMARK_LIB_SUGGEST_FUNCTION_NAME_H_
