// SPDX-License-Identifier: BSD-3-Clause
#include "faults.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>

namespace vpmu {
namespace {

struct Rule {
  Call call;
  uint64_t first, last;
  Fault fault;
};

std::atomic<uint64_t> counts[kCalls];
// No constructor and no destructor: calls come before and after those of this library.
constexpr int kMostRules = 64;
constinit Rule rules[kMostRules]{};
int rule_count = 0;

std::optional<Call> ParseCall(const std::string& name) {
  const char* names[kCalls] = {"open", "read", "ioctl", "mmap", "close"};
  for (int i = 0; i < kCalls; ++i) {
    if (name == names[i]) return static_cast<Call>(i);
  }
  return std::nullopt;
}

int ParseErrno(const std::string& name) {
  for (int number = 1; number < 134; ++number) {
    const char* known = strerrorname_np(number);
    if (known != nullptr && name == known) return number;
  }
  return 0;
}

std::optional<Fault> ParseFault(const std::string& name) {
  if (name == "short") return Fault{Fault::kShort, 0};
  if (name == "eof") return Fault{Fault::kEndOfFile, 0};
  if (name == "backwards") return Fault{Fault::kBackwards, 0};
  if (name == "stale") return Fault{Fault::kStale, 0};
  if (name == "wrap48") return Fault{Fault::kWrap, 0};
  const int number = ParseErrno(name);
  if (number == 0) return std::nullopt;
  return Fault{Fault::kErrno, number};
}

bool ParseRange(const std::string& text, Rule& rule) {
  if (text == "*") {
    rule.first = 1;
    rule.last = UINT64_MAX;
    return true;
  }
  const size_t digits = text.find_first_not_of("0123456789");
  if (text.empty() || digits == 0 || text.size() > 18) return false;
  rule.first = std::stoull(text);
  rule.last = digits == std::string::npos ? rule.first : UINT64_MAX;
  return rule.first > 0 && (digits == std::string::npos || text.substr(digits) == "+");
}

std::optional<Rule> ParseRule(const std::string& text) {
  std::istringstream parts(text);
  std::string call, range, kind;
  std::getline(parts, call, ':');
  std::getline(parts, range, ':');
  std::getline(parts, kind);
  const auto known_call = ParseCall(call);
  const auto fault = ParseFault(kind);
  Rule rule{};
  if (!known_call || !fault || !ParseRange(range, rule)) return std::nullopt;
  const bool read_only = fault->kind != Fault::kErrno && *known_call != Call::kRead;
  if (read_only && !(fault->kind == Fault::kWrap && *known_call == Call::kOpen)) {
    return std::nullopt;
  }
  rule.call = *known_call;
  rule.fault = *fault;
  return rule;
}

}  // namespace

bool SetFaults(const char* text) {
  rule_count = 0;
  for (auto& count : counts) count = 0;
  std::istringstream items(text == nullptr ? "" : text);
  for (std::string item; std::getline(items, item, ';');) {
    const auto rule = ParseRule(item);
    if (!rule || rule_count == kMostRules) {
      rule_count = 0;
      return false;
    }
    rules[rule_count++] = *rule;
  }
  return true;
}

Fault Next(Call call) {
  const uint64_t number = ++counts[static_cast<int>(call)];
  for (int i = 0; i < rule_count; ++i) {
    const Rule& rule = rules[i];
    if (rule.call == call && number >= rule.first && number <= rule.last) return rule.fault;
  }
  return {};
}

uint64_t CountOf(Call call) { return counts[static_cast<int>(call)]; }

}  // namespace vpmu
