// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a source: each line is asked for a loop and for a function. What is inserted for it
// is all that the text has more than before.
#include "lib/suggest/mark.h"
#include "tests/fuzz/input.h"

using namespace roofmark;
using namespace roofmark::suggest;

namespace {

void Mark(const Structure& structure, const Place& place, Language language) {
  const Result<Target> target = FindTarget(structure, place);
  IsInParallelConstruct(structure, place);
  if (!target) return;
  const Result<Marks> marks = MarksFor(structure, *target, language, "r");
  if (!marks) return;
  std::vector<Insertion> all = IncludeFor(structure, marks->scoped);
  all.insert(all.end(), marks->insertions.begin(), marks->insertions.end());
  const Source& source = structure.source();
  size_t more = 0;
  for (const Insertion& each : all) {
    fuzz::Demand(each.offset <= source.text.size(), "it is inserted inside of the text");
    more += each.text.size();
  }
  fuzz::Demand(Applied(source.text, all).size() == source.text.size() + more, "nothing is lost");
  fuzz::Demand(UnifiedDifference("F", source, all).starts_with("--- a/F\n"), "there is a patch");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Source source = Scan(fuzz::Text(data, size));
  const Structure structure(source);
  const auto lines = static_cast<uint32_t>(source.lines.size());
  for (uint32_t line = 0; line <= lines && line < 20; ++line) {
    for (const Language language : {Language::kC, Language::kCxx}) {
      Mark(structure, {line, "", false}, language);
      Mark(structure, {line, "f", true}, language);
    }
  }
  return 0;
}
