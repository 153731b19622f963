// SPDX-License-Identifier: BSD-3-Clause
//
// Brackets, and what is around a statement. statement.cc has where statements end.
#include "lib/suggest/structure.h"

#include <algorithm>

namespace roofmark::suggest {
namespace {

bool Begins(std::string_view name) { return name == "if" || name == "ifdef" || name == "ifndef"; }
bool GoesOn(std::string_view name) { return name.starts_with("el"); }  // else, elif, elifdef

bool IsOpening(const Token& token) { return token.Is("(") || token.Is("[") || token.Is("{"); }
bool IsClosing(const Token& token) { return token.Is(")") || token.Is("]") || token.Is("}"); }

// Of OpenMP, those that belong to no statement.
bool StandsAlone(const Token& pragma) {
  const std::string_view rest = DirectiveRest(pragma);
  if (!rest.starts_with("omp")) return false;
  for (const char* word : {"barrier", "taskwait", "taskyield", "flush", "threadprivate", "cancel",
                           "declare", "requires", "target enter", "target exit", "target update"}) {
    const size_t found = rest.find(word);
    if (found != std::string_view::npos && rest.find_first_not_of(" \t", 3) == found) return true;
  }
  return false;
}

}  // namespace

Structure::Structure(const Source& source)
    : source_(source), partner_(size(), kNone), enclosing_(size(), kNone) {
  Match();
}

// Of alternatives (#if ... #else ... #endif) the first one counts, the others begin like it.
void Structure::Match() {
  struct Condition {
    std::vector<size_t> at_begin, at_end;
    bool first = true;
  };
  std::vector<size_t> open, blocks;
  std::vector<Condition> conditions;
  for (size_t i = 0; i < size(); ++i) {
    const std::string_view name = DirectiveName(At(i));
    if (Begins(name)) {
      conditions.push_back({open, {}, true});
    } else if (!conditions.empty() && (GoesOn(name) || name == "endif")) {
      Condition& condition = conditions.back();
      if (condition.first) condition.at_end = open;
      condition.first = false;
      open = GoesOn(name) ? condition.at_begin : condition.at_end;
      if (name == "endif") conditions.pop_back();
    }
    const auto block = std::find_if(open.rbegin(), open.rend(),
                                    [this](size_t token) { return At(token).Is("{"); });
    if (block != open.rend()) enclosing_[i] = *block;
    if (IsOpening(At(i))) {
      open.push_back(i);
    } else if (IsClosing(At(i)) && !open.empty()) {
      partner_[i] = open.back();
      if (partner_[open.back()] == kNone) partner_[open.back()] = i;
      open.pop_back();
      if (At(i).Is("}")) enclosing_[i] = enclosing_[partner_[i]];
    }
  }
}

size_t Structure::Next(size_t token) const {
  while (token < size() && At(token).kind == TokenKind::kDirective) ++token;
  return token < size() ? token : kNone;
}

size_t Structure::Previous(size_t token) const {
  while (token < size() && At(token).kind == TokenKind::kDirective) --token;
  return token < size() ? token : kNone;
}

size_t Structure::BeginOf(size_t token) const {
  size_t first = token;
  for (size_t i = token; i-- > 0;) {
    const std::string_view name = DirectiveName(At(i));
    if (name == "pragma" && !StandsAlone(At(i))) {
      first = i;
    } else if (name == "endif") {
      // Directives alone between #if and #endif belong to the statement as well.
      size_t begin = i;
      int depth = 1;
      while (depth > 0 && begin > 0 && At(begin - 1).kind == TokenKind::kDirective) {
        --begin;
        if (DirectiveName(At(begin)) == "endif") ++depth;
        if (Begins(DirectiveName(At(begin)))) --depth;
      }
      if (depth > 0) break;
      first = i = begin;
    } else if (Is(i, ")") && partner_[i] != kNone && partner_[i] > 0 &&
               Is(partner_[i] - 1, "_Pragma")) {
      first = i = partner_[i] - 1;
    } else {
      break;
    }
  }
  return first;
}

size_t Structure::KeywordOf(size_t closing) const {
  const size_t opening = Partner(closing);
  if (opening == kNone || opening == 0) return kNone;
  size_t word = Previous(opening - 1);
  if (Is(word, "constexpr") && word > 0) word = Previous(word - 1);
  for (const char* keyword : {"if", "for", "while", "switch", "catch"}) {
    if (Is(word, keyword)) return word;
  }
  return kNone;
}

bool Structure::IsLabelEnd(size_t colon) const {
  size_t token = colon;
  while (token > 0) {
    const size_t before = Previous(token - 1);
    if (before == kNone || Is(before, ";") || Is(before, "{") || Is(before, "}")) break;
    if (before + 1 < colon && Is(before, ":")) break;
    token = before;
  }
  return Is(token, "case") || Is(token, "default") || token + 1 == colon;
}

Before Structure::WhatIsBefore(size_t token) const {
  const size_t begin = BeginOf(token);
  const size_t before = begin == 0 ? kNone : Previous(begin - 1);
  if (before == kNone) return Before::kUnclear;
  if (Is(before, ";") || Is(before, "{") || Is(before, "}")) return Before::kStatement;
  if (Is(before, "else") || Is(before, "do")) return Before::kControl;
  if (Is(before, ")") && KeywordOf(before) != kNone) return Before::kControl;
  if (Is(before, ":") && IsLabelEnd(before)) return Before::kStatement;
  return Before::kUnclear;
}

size_t Structure::StatementOfBlock(size_t brace) const {
  const size_t begin = BeginOf(brace);
  const size_t before = begin == 0 ? kNone : Previous(begin - 1);
  if (before == kNone) return kNone;
  if (Is(before, ")")) return KeywordOf(before);
  if (Is(before, "else") || Is(before, "do") || Is(before, "try")) return before;
  const bool plain = Is(before, ";") || Is(before, "{") || Is(before, "}") || Is(before, ":");
  return plain ? brace : kNone;
}

size_t Structure::StatementAround(size_t token) const {
  const size_t begin = BeginOf(token);
  const size_t before = begin == 0 ? kNone : Previous(begin - 1);
  if (before == kNone) return kNone;
  if (Is(before, "else") || Is(before, "do")) return before;
  if (Is(before, ")") && KeywordOf(before) != kNone) return KeywordOf(before);
  return enclosing_[token] == kNone ? kNone : StatementOfBlock(enclosing_[token]);
}

size_t Structure::FunctionAround(size_t token) const {
  size_t brace = enclosing_[token];
  while (brace != kNone && StatementOfBlock(brace) != kNone) brace = enclosing_[brace];
  return brace;
}

bool Structure::IsInitializer(size_t brace) const {
  const size_t member = brace == 0 ? kNone : Previous(brace - 1);
  if (member == kNone || member == 0 || At(member).kind != TokenKind::kWord) return false;
  const size_t before = Previous(member - 1);
  return Is(before, ",") || Is(before, ":");
}

size_t Structure::DeclarationOf(size_t brace) const {
  size_t first = brace;
  while (first > 0) {
    const size_t before = Previous(first - 1);
    if (before == kNone || Is(before, ";") || Is(before, "{")) break;
    const bool closes = IsClosing(At(before)) && partner_[before] != kNone;
    if (Is(before, "}") && !(closes && IsInitializer(partner_[before]))) break;
    first = closes ? partner_[before] : before;
  }
  return first;
}

std::string Structure::WhyCut(size_t first, size_t last) const {
  constexpr const char* kCut = "#if and #else cut through its brackets";
  std::vector<int> conditions;  // the depth at the begin of each
  int depth = 0;
  for (size_t i = first; i <= last; ++i) {
    const std::string_view name = DirectiveName(At(i));
    if (Begins(name)) conditions.push_back(depth);
    if (GoesOn(name) || name == "endif") {
      if (conditions.empty()) return "an #if begins before it and ends in it";
      if (depth != conditions.back()) return kCut;
      if (name == "endif") conditions.pop_back();
    }
    if (IsOpening(At(i))) ++depth;
    if (IsClosing(At(i))) --depth;
  }
  return conditions.empty() ? "" : "an #if begins in it and ends behind it";
}

}  // namespace roofmark::suggest
