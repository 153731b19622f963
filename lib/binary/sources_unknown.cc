// SPDX-License-Identifier: BSD-3-Clause
//
// Sources where libdw was not there when roofmark was built.
#include <utility>

#include "lib/binary/sources.h"

namespace roofmark::binary {

class Sources::Reader {};

Result<Sources> Sources::Open(const std::string& path, uint64_t) {
  return Error{"the source lines of " + path +
               " are not known: roofmark was built without libdw; build it where libdw's "
               "development files are installed (Debian: libdw-dev)"};
}

Sources::Sources(std::unique_ptr<Reader> reader) : reader_(std::move(reader)) {}
Sources::~Sources() = default;
Sources::Sources(Sources&&) noexcept = default;
Sources& Sources::operator=(Sources&&) noexcept = default;

SourceChain Sources::ChainAt(uint64_t) { return {}; }
std::vector<SourceRow> Sources::RowsIn(uint64_t, uint64_t) { return {}; }
std::vector<SourceMark> Sources::MarksIn(uint64_t, uint64_t) { return {}; }
std::vector<InlinedRow> Sources::InlinedIn(uint64_t, uint64_t) { return {}; }
std::optional<SourceFunction> Sources::FunctionAt(uint64_t) { return std::nullopt; }
SourceFrame Sources::BeginAt(uint64_t) { return {}; }
bool Sources::IsFortran(uint64_t) { return false; }
std::string Sources::FunctionAround(uint64_t) { return ""; }
bool Sources::has_link_time_code() const { return false; }
const std::string& Sources::debug_file() const {
  static const std::string none;
  return none;
}

}  // namespace roofmark::binary
