// SPDX-License-Identifier: BSD-3-Clause
//
// Any text as what the kernel shows of a PMU: bits of a field, fields of an event, lists of CPUs.
#include "collectors/hardware/events/event_text.h"
#include "collectors/hardware/events/format.h"
#include "lib/core/cpu_list.h"
#include "tests/fuzz/input.h"

using namespace roofmark;
using namespace roofmark::events;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::Text(data, size);
  if (const Result<FormatField> field = ParseFormatField(text)) {
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{0xABCD}, ~uint64_t{0}}) {
      const bool fits = field->Bits() >= 64 || value >> field->Bits() == 0;
      const Result<ConfigWords> set = SetField({}, {{"f", *field}}, "f", value, "d");
      fuzz::Demand(static_cast<bool>(set) == fits, "a value that fits is taken");
    }
  }
  if (const auto fields = ParseFields(text)) {
    fuzz::Demand(!fields->empty() && !fields->front().name.empty(), "an event has fields");
  }
  const std::string list = FormatCpuList(ParseCpuList(text));
  fuzz::Demand(FormatCpuList(ParseCpuList(list)) == list, "a list of CPUs stays what it is");
  return 0;
}
