// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "collectors/hardware/events/groups.h"
#include "collectors/hardware/events/table.h"
#include "lib/core/wrap_text.h"

namespace roofmark::events {
namespace {

// In Markdown tables '|' ends a cell.
std::string Escape(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\\|");
  return text;
}

constexpr size_t kWidth = 120;

// The number of `note` in `notes`, from 1, where it is added if it is new.
size_t NoteNumber(std::vector<std::string>& notes, const std::string& note) {
  const auto found = std::find(notes.begin(), notes.end(), note);
  if (found != notes.end()) return static_cast<size_t>(found - notes.begin()) + 1;
  notes.push_back(note);
  return notes.size();
}

std::string WeightText(const Term& term) {
  std::string text = fmt::format("{}", std::abs(term.weight));
  if (term.per_128_bits) text += " VL/128";
  return text;
}

// One row for each term, so that a long sum does not make a long line.
std::string FormulaRows(const Formula& formula, std::vector<std::string>& notes) {
  std::string quantity = QuantityName(formula.quantity);
  if (!formula.note.empty()) quantity += fmt::format(" [{}]", NoteNumber(notes, formula.note));
  const Event& event = formula.terms.front().event;
  std::string device = event.OnCore() ? "core" : Escape(fmt::format("`{}`", event.device));
  std::string rows;
  for (const Term& term : formula.terms) {
    const bool first = &term == &formula.terms.front();
    const std::string sign = term.weight < 0 ? "−" : first ? "" : "+";
    rows +=
        fmt::format("| {} | {} | {} | `{}` | {} |\n", first ? quantity + sign : sign,
                    first ? device : "", Escape(term.event.name),
                    Escape(term.event.fields.empty() ? term.event.kernel_name : term.event.fields),
                    WeightText(term));
  }
  return rows;
}

void AppendTable(std::string& page, const CpuModel& cpu) {
  const EventTable table = TableOf(cpu);
  page += fmt::format("\n## {}{} (`{}`)\n\n", CpuTitle(cpu.microarch),
                      cpu.client ? ", desktop and laptop relatives" : "", CpuKey(cpu));
  page += "| Quantity | Device | Event | Encoding | Weight |\n|---|---|---|---|---|\n";
  std::vector<std::string> notes;
  for (const Formula& formula : table.formulas) page += FormulaRows(formula, notes);
  if (!notes.empty()) page += "\nNotes:\n\n";
  for (size_t i = 0; i < notes.size(); ++i)
    page += fmt::format("{}. {}\n", i + 1, WrapText(notes[i], 3, 3, kWidth));
  if (table.refusals.empty()) return;
  page += "\nNot counted:\n\n";
  for (const Refusal& refusal : table.refusals) {
    const std::string text = fmt::format("{}: {}.", MeasureName(refusal.measure), refusal.reason);
    page += fmt::format("- {}\n", WrapText(text, 2, 2, kWidth));
  }
}

}  // namespace

std::string EventsMarkdown() {
  std::string page =
      "# Hardware events\n\n"
      "This page is generated from `collectors/hardware/events`. It lists the events that roofmark "
      "counts on each CPU.\n\n"
      "- A quantity is the sum of counts times weights over the rows of the quantity. Rows that "
      "begin with `+` or `−` continue\n"
      "  the quantity above.\n"
      "- A `#` in the name of a device stands for a number. The counts of all such devices of a "
      "package are added: every\n"
      "  channel of every memory controller.\n"
      "- VL is the length of the SVE vectors in bits.\n"
      "- Intel's events count a fused multiply-add twice and do not distinguish it from two "
      "operations. Its share is therefore\n"
      "  an interval. AMD's events distinguish kinds (`add`, `mul`, `fma`, `div+sqrt`).\n"
      "- Quantities by kind and by precision count the same operations. They are never added.\n"
      "- `flops_mixed` comes from a counter that does not distinguish precisions. Such values have "
      "the status\n"
      "  `mixed-precision`. x87 operations are in none of the quantities.\n\n"
      "| `ROOFMARK_GROUP` | Asks for |\n|---|---|\n";
  for (const Group& group : Groups()) page += fmt::format("| `{}` | {} |\n", group.name, group.doc);
  for (const CpuModel& cpu : KnownCpus()) AppendTable(page, cpu);
  return page;
}

}  // namespace roofmark::events
