// SPDX-License-Identifier: BSD-3-Clause
//
// Statements and blocks of C and C++ source, by the shape of the code alone. Where macros or
// conditional compilation hide the shape, there is a reason in place of an answer.
#ifndef ROOFMARK_LIB_SUGGEST_STRUCTURE_H_
#define ROOFMARK_LIB_SUGGEST_STRUCTURE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"
#include "lib/suggest/scan.h"

namespace roofmark::suggest {

// Numbers of tokens; kNone: there is no such token.
inline constexpr size_t kNone = static_cast<size_t>(-1);

// What is right in front of a statement.
enum class Before : uint8_t {
  kStatement,  // another one, the begin of a block, a label
  kControl,    // `if (...)`, `for (...)`, `else`, `do`: the statement is its body
  kUnclear,
};

class Structure {
 public:
  // The source must outlive this object.
  explicit Structure(const Source& source);

  const Source& source() const { return source_; }
  const Token& At(size_t token) const { return source_.tokens[token]; }
  size_t size() const { return source_.tokens.size(); }
  bool Is(size_t token, std::string_view text) const {
    return token < size() && At(token).Is(text);
  }
  // The bracket that belongs to this one.
  size_t Partner(size_t token) const { return token < size() ? partner_[token] : kNone; }
  // The '{' around a token.
  size_t Enclosing(size_t token) const { return enclosing_[token]; }
  // The first token from here on, or back from here, that is no directive.
  size_t Next(size_t token) const;
  size_t Previous(size_t token) const;

  // The last token of the statement that begins with `token`. Errors are clauses: "it has ...".
  Result<size_t> EndOf(size_t token) const;
  // The first token of the directives that belong to the statement; the statement's own if none.
  size_t BeginOf(size_t token) const;
  Before WhatIsBefore(size_t token) const;
  // The first token of the statement around this one; kNone in a function's outermost block.
  size_t StatementAround(size_t token) const;
  // The '{' of the body of the innermost function, or lambda, around a token.
  size_t FunctionAround(size_t token) const;
  // The first token of the declaration whose body begins with this '{'.
  size_t DeclarationOf(size_t brace) const;

  // `{` of a member in a constructor's list: `: a_(a), b_{a} {`.
  bool IsInitializer(size_t brace) const;

  // Why text cannot be put around these tokens: a clause, or empty.
  std::string WhyCut(size_t first, size_t last) const;

 private:
  void Match();
  Result<size_t> EndOf(size_t token, int depth) const;
  Result<size_t> EndBehindParenthesis(size_t token, int depth) const;
  Result<size_t> EndOfIf(size_t token, int depth) const;
  Result<size_t> EndOfDo(size_t token, int depth) const;
  Result<size_t> EndOfTry(size_t token, int depth) const;
  Result<size_t> EndOfExpression(size_t token) const;
  size_t BehindLabel(size_t token) const;
  // The keyword of `if (...)` and the like by its ')'; kNone if it is another one.
  size_t KeywordOf(size_t closing) const;
  // The first token of the statement that a '{' is the body of, or is; kNone if it is of none.
  size_t StatementOfBlock(size_t brace) const;
  bool IsLabelEnd(size_t colon) const;

  const Source& source_;
  std::vector<size_t> partner_, enclosing_;
};

}  // namespace roofmark::suggest

#endif  // ROOFMARK_LIB_SUGGEST_STRUCTURE_H_
