// SPDX-License-Identifier: BSD-3-Clause
//
// For people: one line for each finding, below it the cause and what to type.
#include <fmt/format.h>

#include <algorithm>

#include "command/doctor/report.h"

namespace roofmark::cli {
namespace {

constexpr size_t kIndent = 35;

// Words of `text` from column `first` on, continued at column `indent`.
std::string Wrap(std::string_view text, size_t first, size_t indent, size_t width) {
  std::string wrapped;
  size_t column = first;
  const size_t most = std::max(width, indent + 30);
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + end > most) {
      while (!wrapped.empty() && wrapped.back() == ' ') wrapped.pop_back();
      wrapped += "\n" + std::string(indent, ' ');
      column = indent;
    }
    wrapped.append(text.substr(0, end));
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text.empty()) {
      wrapped += ' ';
      ++column;
    }
  }
  return wrapped;
}

std::string Labelled(std::string_view label, std::string_view text, size_t width) {
  return fmt::format("{:{}}{:<7}{}\n", "", kIndent, label,
                     Wrap(text, kIndent + 7, kIndent + 7, width));
}

bool SameTrouble(const Finding& a, const Finding& b) {
  return a.diagnosis.state == b.diagnosis.state && a.diagnosis.error == b.diagnosis.error &&
         a.diagnosis.cause == b.diagnosis.cause && a.diagnosis.cure == b.diagnosis.cure;
}

// `told`: the findings before.
std::string Text(const Finding& finding, const Findings& told, size_t width) {
  const Diagnosis& diagnosis = finding.diagnosis;
  std::string found = finding.found;
  if (diagnosis.error != 0) found += fmt::format(" ({})", ErrnoName(diagnosis.error));
  const Finding* same = nullptr;
  for (const Finding& before : told) {
    if (&before == &finding || finding.Ok()) break;
    if (!SameTrouble(before, finding)) continue;
    same = &before;
    break;
  }
  if (same != nullptr) found += fmt::format(": see {} above", same->title);
  std::string text = fmt::format("  {:<13}{:<19} {}\n", StateName(diagnosis.state), finding.title,
                                 Wrap(found, kIndent, kIndent, width));
  if (finding.Ok() || same != nullptr) return text;
  if (!diagnosis.cause.empty()) text += Labelled("cause", diagnosis.cause, width);
  if (!diagnosis.cure.empty()) text += Labelled("cure", diagnosis.cure, width);
  return text;
}

std::string ConclusionText(const Conclusion& conclusion, size_t width) {
  std::string text = "\nConclusion\n";
  const auto line = [&](std::string_view label, std::string_view what) {
    if (!what.empty()) text += fmt::format("  {:<13}{}\n", label, Wrap(what, 15, 15, width));
  };
  line("you get", conclusion.summary);
  line("with", conclusion.with);
  line("do first",
       conclusion.first.empty() ? "nothing: all that can be cured here is well" : conclusion.first);
  line("by", conclusion.first_cure);
  return text;
}

}  // namespace

std::string DoctorText(const DoctorReport& report, size_t width) {
  std::string text = fmt::format("roofmark doctor on {}, Linux {}\n", report.host, report.kernel);
  const Finding* before = nullptr;
  for (const Finding& finding : report.findings) {
    if (before == nullptr || before->section != finding.section) {
      text += fmt::format("\n{}\n", finding.section);
    }
    text += Text(finding, report.findings, width);
    before = &finding;
  }
  return text + ConclusionText(report.conclusion, width);
}

}  // namespace roofmark::cli
