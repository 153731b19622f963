// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the statement, or the body of the function, that is to be marked.
#include <fmt/format.h>

#include <array>

#include "lib/suggest/function_name.h"
#include "lib/suggest/mark.h"

namespace roofmark::suggest {
namespace {

bool Covers(const Structure& structure, size_t first, size_t last, uint32_t line) {
  return structure.At(first).line <= line && line <= structure.At(last).last_line;
}

// `while (...)` at the end of a `do`.
bool EndsADo(const Structure& structure, size_t word) {
  const size_t closing = structure.Partner(structure.Next(word + 1));
  if (closing == kNone || !structure.Is(structure.Next(closing + 1), ";")) return false;
  const size_t before = word == 0 ? kNone : structure.Previous(word - 1);
  if (structure.Is(before, "}")) {
    const size_t open = structure.Partner(before);
    return open != kNone && open > 0 && structure.Is(structure.Previous(open - 1), "do");
  }
  // `do x(); while (...);`: of one statement, right behind its `do`.
  for (size_t i = word; i-- > 0 && structure.Enclosing(i) == structure.Enclosing(word);) {
    if (!structure.Is(i, "do")) continue;
    const Result<size_t> end = structure.EndOf(i);
    return end && *end == structure.Next(closing + 1);
  }
  return false;
}

bool HasHeaderAt(const Structure& structure, size_t word, uint32_t line) {
  if (structure.Is(word, "do")) {
    const Result<size_t> end = structure.EndOf(word);
    if (!end) return structure.At(word).line == line;
    const size_t opening = structure.Partner(structure.Previous(*end - 1));
    return structure.At(word).line == line ||
           (opening != kNone && Covers(structure, opening - 1, *end, line));
  }
  if (!structure.Is(word, "for") && !structure.Is(word, "while")) return false;
  if (structure.Is(word, "while") && EndsADo(structure, word)) return false;
  const size_t closing = structure.Partner(structure.Next(word + 1));
  return closing != kNone && structure.Is(structure.Next(word + 1), "(") &&
         Covers(structure, word, closing, line);
}

bool HasDirective(const Structure& structure, size_t statement,
                  const std::array<std::string_view, 4>& words) {
  for (size_t i = structure.BeginOf(statement); i < statement; ++i) {
    const std::string_view rest = DirectiveRest(structure.At(i));
    if (DirectiveName(structure.At(i)) != "pragma" || !rest.starts_with("omp")) continue;
    const Source clauses = Scan(rest.substr(3));
    // Clauses have parentheses; before them are the names of the construct.
    for (const Token& token : clauses.tokens) {
      if (token.Is("(")) break;
      for (const std::string_view word : words) {
        if (!word.empty() && token.Is(word)) return true;
      }
    }
  }
  return false;
}

// The outermost statement in the same function that begins threads; kNone if there is none.
size_t ConstructAround(const Structure& structure, size_t loop) {
  size_t construct = kNone;
  for (size_t at = loop; at != kNone; at = structure.StatementAround(at)) {
    if (HasDirective(structure, at, {"parallel", "teams", "target", ""})) construct = at;
  }
  return construct;
}

bool IsOrphaned(const Structure& structure, size_t loop) {
  for (size_t at = loop; at != kNone; at = structure.StatementAround(at)) {
    if (HasDirective(structure, at, {"for", "task", "taskloop", "sections"})) return true;
  }
  return false;
}

// Of loops whose headers share the line the first one: it is around the others, or before them.
size_t LoopByHeader(const Structure& structure, uint32_t line) {
  for (size_t i = 0; i < structure.size(); ++i) {
    if (structure.At(i).kind == TokenKind::kWord && HasHeaderAt(structure, i, line)) return i;
  }
  return kNone;
}

bool IsShared(const Structure& structure, size_t statement) {
  return ConstructAround(structure, statement) != kNone || IsOrphaned(structure, statement);
}

// Compilers give loops whose iterations OpenMP divides the line of the directive, of some statement
// in the body, or of the end of the body (lib/loops/places.cc): the innermost loop around that
// line, if it is in a construct of OpenMP.
size_t DividedLoopAround(const Structure& structure, uint32_t line) {
  size_t first = 0;
  while (first < structure.size() && structure.At(first).last_line < line) ++first;
  if (first >= structure.size() || structure.At(first).line > line) return kNone;
  const bool directive = structure.At(first).kind == TokenKind::kDirective;
  size_t statement = structure.Next(first);
  if (structure.Is(statement, "}")) statement = structure.Partner(statement);
  for (size_t at = statement; at != kNone; at = structure.StatementAround(at)) {
    if (at == statement && !directive) continue;
    const bool loop = structure.Is(at, "for") || structure.Is(at, "while");
    if (loop) return IsShared(structure, at) ? at : kNone;
  }
  return kNone;
}

size_t LoopAt(const Structure& structure, uint32_t line) {
  const size_t loop = LoopByHeader(structure, line);
  return loop != kNone ? loop : DividedLoopAround(structure, line);
}

// False: it has another name, so the file is not the one that was compiled. Functions without a
// name in the source, and those that compilers made, are not compared.
bool HasName(const Structure& structure, size_t brace, const std::string& function) {
  std::string name = ShortName(function);
  if (name.starts_with('~')) name.erase(0, 1);
  const bool nameless = function.empty() || name.empty() || name.starts_with('.') ||
                        function.find("operator") != std::string::npos ||
                        function.find("lambda") != std::string::npos;
  if (nameless || brace == kNone) return true;
  for (size_t i = structure.DeclarationOf(brace); i < brace; ++i) {
    if (structure.Is(i, name)) return true;
  }
  return false;
}

std::string WhyNoLoop(const Structure& structure, uint32_t line) {
  if (line == 0 || line >= structure.source().lines.size()) {
    return fmt::format("the file has no line {}: it is not the one that was compiled", line);
  }
  for (size_t i = 0; i < structure.size(); ++i) {
    const Token& token = structure.At(i);
    if (token.line <= line && line <= token.last_line && token.kind == TokenKind::kDirective) {
      return fmt::format("line {} is a directive: a macro may have the loop", line);
    }
  }
  return fmt::format(
      "line {} has no `for`, `while` or `do`: a macro or a library has the loop, or the file is "
      "not the one that was compiled",
      line);
}

Result<Target> WithEnd(const Structure& structure, size_t statement, bool is_construct) {
  const Result<size_t> end = structure.EndOf(statement);
  if (!end) return Error{end.error()};
  const size_t first = structure.BeginOf(statement);
  const std::string cut = structure.WhyCut(first, *end);
  if (!cut.empty()) return Error{cut};
  return Target{first, *end, statement, false, is_construct};
}

Result<Target> FindLoop(const Structure& structure, const Place& place) {
  const size_t loop = LoopAt(structure, place.line);
  if (loop == kNone) return Error{WhyNoLoop(structure, place.line)};
  if (!HasName(structure, structure.FunctionAround(loop), place.function)) {
    return Error{
        fmt::format("line {} is not in the function {}(): the file is not the one that was "
                    "compiled",
                    place.line, ShortName(place.function))};
  }
  const size_t construct = ConstructAround(structure, loop);
  if (construct != kNone) return WithEnd(structure, construct, construct != loop);
  if (IsOrphaned(structure, loop)) {
    return Error{
        "threads share it, and their parallel construct is in another function: mark that one"};
  }
  return WithEnd(structure, loop, false);
}

Result<Target> FindFunction(const Structure& structure, const Place& place) {
  const std::string name = ShortName(place.function);
  for (size_t brace = 0; brace < structure.size(); ++brace) {
    if (!structure.Is(brace, "{") || structure.Partner(brace) == kNone) continue;
    if (structure.IsInitializer(brace)) continue;
    const size_t first = structure.DeclarationOf(brace);
    if (!Covers(structure, first, brace, place.line)) continue;
    for (size_t i = first; i < brace; ++i) {
      if (!structure.Is(i, name) || !structure.Is(structure.Next(i + 1), "(")) continue;
      return Target{brace, structure.Partner(brace), brace, true, false};
    }
  }
  return Error{fmt::format("line {} does not begin the function {}()", place.line, name)};
}

}  // namespace

Result<Target> FindTarget(const Structure& structure, const Place& place) {
  return place.is_function ? FindFunction(structure, place) : FindLoop(structure, place);
}

bool IsInParallelConstruct(const Structure& structure, const Place& place) {
  if (place.is_function) return false;
  const size_t loop = LoopAt(structure, place.line);
  return loop != kNone && IsShared(structure, loop);
}

}  // namespace roofmark::suggest
