// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/markdown.h"

#include <fmt/format.h>

#include <cmath>

#include "collectors/hardware/events/groups.h"
#include "collectors/hardware/events/table.h"

namespace roofmark::events {
namespace {

// In Markdown tables '|' ends a cell.
std::string Escape(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\\|");
  return text;
}

std::string TermText(const Term& term) {
  const double weight = std::abs(term.weight);
  std::string text = term.weight < 0 ? "− " : "";
  text += fmt::format("{} `{}`", term.event.name,
                      term.event.fields.empty() ? term.event.kernel_name : term.event.fields);
  if (weight != 1) text += fmt::format(" × {}", weight);
  if (term.per_128_bits) text += " × VL/128";
  return text;
}

std::string FormulaRow(const Formula& formula) {
  std::string terms;
  for (const Term& term : formula.terms)
    terms += fmt::format("{}{}",
                         terms.empty()     ? ""
                         : term.weight < 0 ? " "
                                           : " + ",
                         TermText(term));
  const Event& event = formula.terms.front().event;
  return fmt::format("| {} | {} | {} | {} |\n", QuantityName(formula.quantity),
                     event.OnCore() ? "core" : Escape(fmt::format("`{}`", event.device)),
                     Escape(std::move(terms)), Escape(formula.note));
}

void AppendTable(std::string& page, const CpuModel& cpu) {
  const EventTable table = TableOf(cpu);
  page += fmt::format("\n## {}{} (`{}`)\n\n", CpuTitle(cpu.microarch),
                      cpu.client ? ", desktop and laptop relatives" : "", CpuKey(cpu));
  page += "| Quantity | Device | Events × weight | Note |\n|---|---|---|---|\n";
  for (const Formula& formula : table.formulas) page += FormulaRow(formula);
  if (table.refusals.empty()) return;
  page += "\nNot counted:\n\n";
  for (const Refusal& refusal : table.refusals)
    page += fmt::format("- {}: {}.\n", MeasureName(refusal.measure), refusal.reason);
}

}  // namespace

std::string EventsMarkdown() {
  std::string page =
      "# Hardware events\n\n"
      "Generated from `collectors/hardware/events`. Which events roofmark counts on which CPU, and how it\n"
      "weighs them. FLOPs and bytes are sums of counts times weights; a `#` in a device's name\n"
      "stands for a number, and the counts of all such devices of a package are added: every\n"
      "channel of every memory controller. VL is the length of the SVE vectors in bits.\n\n"
      "Intel's events count a fused multiply-add twice and do not tell it from two operations, so\n"
      "that its share is known as an interval only. AMD's tell kinds (`add`, `mul`, `fma`,\n"
      "`div+sqrt`). Quantities by kind and by precision count the same operations twice over: "
      "they\n"
      "are never added. `flops_mixed` is of a counter that does not tell precisions apart: such\n"
      "values have the status `mixed-precision`. x87 operations are in none of them.\n\n"
      "| `ROOFMARK_GROUP` | Asks for |\n|---|---|\n";
  for (const Group& group : Groups()) page += fmt::format("| `{}` | {} |\n", group.name, group.doc);
  for (const CpuModel& cpu : KnownCpus()) AppendTable(page, cpu);
  return page;
}

}  // namespace roofmark::events
