// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/linked_in.h"

#include <algorithm>
#include <vector>

#include "collectors/counting/contexts/owner.h"
#include "lib/binary/elf_file.h"
#include "lib/binary/symbols.h"

namespace roofmark::counting {

std::string FindLinkedIn(const std::string& executable) {
  const Result<binary::ElfFile> file = binary::ElfFile::Open(executable);
  if (!file) return {};
  const std::vector<binary::Symbol> symbols = binary::ReadSymbols(*file);
  const auto found = std::find_if(symbols.begin(), symbols.end(), [](const binary::Symbol& symbol) {
    const uint32_t owner = roof_owner_of_function(symbol.name.c_str());
    return symbol.function && (owner == ROOF_MPI || owner == ROOF_RUNTIME);
  });
  return found == symbols.end() ? std::string() : found->name;
}

}  // namespace roofmark::counting
