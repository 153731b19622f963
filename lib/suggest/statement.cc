// SPDX-License-Identifier: BSD-3-Clause
//
// Where statements end.
#include "lib/suggest/structure.h"

namespace roofmark::suggest {
namespace {

constexpr int kDeepest = 200;  // statements without braces inside each other

Error Unknown(const std::string& why) { return {why}; }

}  // namespace

Result<size_t> Structure::EndOf(size_t token) const { return EndOf(token, 0); }

size_t Structure::BehindLabel(size_t token) const {
  if (Is(token, "case")) {
    while (token < size() && !Is(token, ":")) {
      if (Is(token, ";") || Is(token, "{") || Is(token, "}")) return kNone;
      ++token;
    }
    return token + 1;
  }
  if (At(token).kind != TokenKind::kWord || !Is(token + 1, ":")) return kNone;
  return token + 2;
}

Result<size_t> Structure::EndOf(size_t token, int depth) const {
  token = Next(token);
  if (token == kNone || depth > kDeepest) return Unknown("its end was not found");
  if (Is(token, "[") && Is(token + 1, "[") && partner_[token] != kNone) {
    return EndOf(partner_[token] + 1, depth + 1);
  }
  if (Is(token, ";")) return token;
  if (Is(token, "{")) {
    if (partner_[token] == kNone) return Unknown("its '{' has no '}'");
    return partner_[token];
  }
  if (Is(token, "if")) return EndOfIf(token, depth);
  if (Is(token, "for") || Is(token, "while") || Is(token, "switch")) {
    return EndBehindParenthesis(token + 1, depth);
  }
  if (Is(token, "do")) return EndOfDo(token, depth);
  if (Is(token, "try")) return EndOfTry(token, depth);
  if (const size_t behind = BehindLabel(token); behind != kNone) return EndOf(behind, depth + 1);
  return EndOfExpression(token);
}

Result<size_t> Structure::EndBehindParenthesis(size_t token, int depth) const {
  token = Next(token);
  if (!Is(token, "(") || partner_[token] == kNone) return Unknown("its header has no end");
  return EndOf(partner_[token] + 1, depth + 1);
}

Result<size_t> Structure::EndOfIf(size_t token, int depth) const {
  size_t header = Next(token + 1);
  if (Is(header, "constexpr")) header = Next(header + 1);
  const Result<size_t> end = EndBehindParenthesis(header, depth);
  if (!end) return end;
  const size_t next = Next(*end + 1);
  return Is(next, "else") ? EndOf(next + 1, depth + 1) : end;
}

Result<size_t> Structure::EndOfDo(size_t token, int depth) const {
  const Result<size_t> body = EndOf(token + 1, depth + 1);
  if (!body) return body;
  const size_t word = Next(*body + 1);
  const size_t header = word == kNone ? kNone : Next(word + 1);
  if (!Is(word, "while") || !Is(header, "(") || partner_[header] == kNone) {
    return Unknown("its `do` has no `while`");
  }
  const size_t end = Next(partner_[header] + 1);
  if (!Is(end, ";")) return Unknown("there is no ';' behind its `while`");
  return end;
}

Result<size_t> Structure::EndOfTry(size_t token, int depth) const {
  Result<size_t> end = EndOf(token + 1, depth + 1);
  while (end) {
    const size_t next = Next(*end + 1);
    if (!Is(next, "catch")) return end;
    end = EndBehindParenthesis(next + 1, depth);
  }
  return end;
}

Result<size_t> Structure::EndOfExpression(size_t token) const {
  if (At(token).kind == TokenKind::kWord && Is(token + 1, "(") &&
      Is(Next(partner_[token + 1] + 1), "{")) {
    return Unknown("it has a macro whose shape is not known: " + std::string(At(token).text));
  }
  for (size_t i = token; i < size(); ++i) {
    if (Is(i, ";")) return i;
    if (Is(i, "(") || Is(i, "[") || Is(i, "{")) {
      if (partner_[i] == kNone || partner_[i] < i) break;
      i = partner_[i];
    } else if (Is(i, ")") || Is(i, "]") || Is(i, "}")) {
      break;
    }
  }
  return Unknown("the end of its statement was not found");
}

}  // namespace roofmark::suggest
