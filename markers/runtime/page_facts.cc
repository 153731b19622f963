// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/page_facts.h"

#include <link.h>

#include <cstdint>

#include "lib/core/file.h"
#include "lib/profile/profile.h"

namespace roofmark::runtime {
namespace {

// What a module's segments have beyond their file.
int AddStaticBytes(dl_phdr_info* module, size_t, void* sum) {
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& segment = module->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && segment.p_memsz > segment.p_filesz) {
      *static_cast<uint64_t*>(sum) += segment.p_memsz - segment.p_filesz;
    }
  }
  return 0;
}

}  // namespace

std::string BracketedWord(std::string_view words) {
  const size_t open = words.find('['), close = words.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return "";
  return std::string(words.substr(open + 1, close - open - 1));
}

void AddPageFacts(std::map<std::string, std::string>& facts) {
  const auto setting = ReadFile("/sys/kernel/mm/transparent_hugepage/enabled");
  const std::string chosen = setting ? BracketedWord(*setting) : "";
  if (!chosen.empty()) facts[kHugePagesFact] = chosen;
  uint64_t bytes = 0;
  dl_iterate_phdr(AddStaticBytes, &bytes);
  facts[kStaticBytesFact] = std::to_string(bytes);
}

}  // namespace roofmark::runtime
