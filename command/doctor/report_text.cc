// SPDX-License-Identifier: BSD-3-Clause
//
// For people: one line for each finding, below it the cause and what to type.
#include <fmt/format.h>

#include "command/doctor/report.h"
#include "lib/core/wrap_text.h"

namespace roofmark::cli {
namespace {

constexpr size_t kIndent = 35;

std::string Labelled(std::string_view label, std::string_view text, size_t width) {
  return fmt::format("{:{}}{:<7}{}\n", "", kIndent, label,
                     WrapText(text, kIndent + 7, kIndent + 7, width));
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
                                 WrapText(found, kIndent, kIndent, width));
  if (finding.Ok() || same != nullptr) return text;
  if (!diagnosis.cause.empty()) text += Labelled("cause", diagnosis.cause, width);
  if (!diagnosis.cure.empty()) text += Labelled("fix", diagnosis.cure, width);
  return text;
}

std::string ConclusionText(const Conclusion& conclusion, size_t width) {
  std::string text = "\nConclusion\n";
  const auto line = [&](std::string_view label, std::string_view what) {
    if (!what.empty()) text += fmt::format("  {:<13}{}\n", label, WrapText(what, 15, 15, width));
  };
  line("you get", conclusion.summary);
  line("with", conclusion.with);
  line("do first", conclusion.first.empty() ? "nothing: no problem was found that can be fixed here"
                                            : conclusion.first);
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
