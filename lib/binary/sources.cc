// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/sources.h"

#include <algorithm>
#include <utility>

#include "lib/binary/debug_file.h"
#include "lib/binary/unit.h"

namespace roofmark::binary {

class Sources::Reader {
 public:
  Reader(DebugFile file, uint64_t base) : file_(std::move(file)), base_(base) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Half version = 0;
    uint8_t type = 0;
    Dwarf_Die die;
    while (dwarf_get_units(file_.dwarf(), unit, &unit, &version, &type, &die, nullptr) == 0) {
      AddUnit(die);
    }
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }

  uint64_t AddressOf(uint64_t offset) const { return offset + base_ - file_.bias(); }
  const DebugFile& file() const { return file_; }
  bool has_link_time_code() const { return has_link_time_code_; }

  // Nothing if none has it.
  Unit* UnitAt(uint64_t address) {
    const Range* range = RangeAt(address);
    if (range == nullptr) return nullptr;
    Entry& entry = units_[range->unit];
    if (!entry.unit) entry.unit = std::make_unique<Unit>(entry.die);
    return entry.unit.get();
  }
  // Of several rows at one address the first is the function's own.
  SourceFrame FirstRowAt(uint64_t address) {
    const Range* range = RangeAt(address);
    Dwarf_Lines* lines = nullptr;
    size_t count = 0;
    if (range == nullptr || dwarf_getsrclines(&units_[range->unit].die, &lines, &count) != 0)
      return {};
    for (size_t i = 0; i < count; ++i) {
      Dwarf_Line* line = dwarf_onesrcline(lines, i);
      Dwarf_Addr begin = 0;
      int number = 0;
      if (line == nullptr || dwarf_lineaddr(line, &begin) != 0 || begin != address) continue;
      const char* file = dwarf_linesrc(line, nullptr, nullptr);
      if (file == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) continue;
      return {"", file, static_cast<uint32_t>(number)};
    }
    return {};
  }
  bool IsFortran(uint64_t address) const {
    const Range* range = RangeAt(address);
    return range != nullptr && units_[range->unit].fortran;
  }
  // Where the next unit after the address begins.
  uint64_t NextUnit(uint64_t address) const {
    const auto next = After(address);
    return next == ranges_.end() ? UINT64_MAX : next->begin;
  }

 private:
  struct Range {
    uint64_t begin, end;
    size_t unit;
  };
  struct Entry {
    Dwarf_Die die;
    bool fortran;
    std::unique_ptr<Unit> unit;  // once it was asked for
  };

  void AddUnit(Dwarf_Die& die) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(&die, next, &base, &begin, &end)) > 0) {
      if (begin < end) ranges_.push_back({begin, end, units_.size()});
    }
    units_.push_back({die, IsFortranUnit(die), nullptr});
    has_link_time_code_ = has_link_time_code_ || IsLinkTimeUnit(die);
  }
  std::vector<Range>::const_iterator After(uint64_t address) const {
    return std::upper_bound(ranges_.begin(), ranges_.end(), address,
                            [](uint64_t at, const Range& range) { return at < range.begin; });
  }
  const Range* RangeAt(uint64_t address) const {
    const auto after = After(address);
    if (after == ranges_.begin()) return nullptr;
    const Range& range = *std::prev(after);
    return address < range.end ? &range : nullptr;
  }

  DebugFile file_;
  uint64_t base_;
  std::vector<Entry> units_;
  std::vector<Range> ranges_;
  bool has_link_time_code_ = false;
};

Result<Sources> Sources::Open(const std::string& path, uint64_t base) {
  auto file = DebugFile::Open(path);
  if (!file) return Error{file.error()};
  return Sources(std::make_unique<Reader>(std::move(*file), base));
}

Sources::Sources(std::unique_ptr<Reader> reader) : reader_(std::move(reader)) {}
Sources::~Sources() = default;
Sources::Sources(Sources&&) noexcept = default;
Sources& Sources::operator=(Sources&&) noexcept = default;

SourceChain Sources::ChainAt(uint64_t offset) {
  const uint64_t address = reader_->AddressOf(offset);
  const Unit* unit = reader_->UnitAt(address);
  return unit != nullptr ? unit->ChainAt(address) : SourceChain{};
}

std::vector<SourceRow> Sources::RowsIn(uint64_t begin, uint64_t end) {
  std::vector<SourceRow> rows;
  uint64_t at = reader_->AddressOf(begin);
  const uint64_t shift = at - begin;
  while (at - shift < end) {
    const uint64_t stop = std::min(end + shift, reader_->NextUnit(at));
    const Unit* unit = reader_->UnitAt(at);
    rows.push_back({at - shift, unit != nullptr ? unit->ChainAt(at) : SourceChain{}});
    if (unit != nullptr) {
      for (const uint64_t change : unit->ChangesIn(at + 1, stop)) {
        rows.push_back({change - shift, unit->ChainAt(change)});
      }
    }
    at = stop;
  }
  return rows;
}

std::vector<SourceMark> Sources::MarksIn(uint64_t begin, uint64_t end) {
  std::vector<SourceMark> marks;
  const uint64_t shift = reader_->AddressOf(begin) - begin;
  for (uint64_t at = begin + shift; at < end + shift;) {
    const uint64_t stop = std::min(end + shift, reader_->NextUnit(at));
    if (const Unit* unit = reader_->UnitAt(at)) {
      for (SourceMark& mark : unit->MarksIn(at, stop)) {
        mark.offset -= shift;
        marks.push_back(std::move(mark));
      }
    }
    at = stop;
  }
  return marks;
}

std::vector<InlinedRow> Sources::InlinedIn(uint64_t begin, uint64_t end) {
  std::vector<InlinedRow> rows;
  const uint64_t shift = reader_->AddressOf(begin) - begin;
  for (uint64_t at = begin + shift; at < end + shift;) {
    const uint64_t stop = std::min(end + shift, reader_->NextUnit(at));
    if (const Unit* unit = reader_->UnitAt(at)) {
      for (InlinedRow& row : unit->InlinedIn(at, stop)) rows.push_back(std::move(row));
    } else {
      rows.push_back({at, {}});
    }
    at = stop;
  }
  for (InlinedRow& row : rows) {
    row.offset -= shift;
    for (InlinedCall& call : row.calls) {
      if (call.begin) *call.begin -= shift;
    }
  }
  return rows;
}

std::optional<SourceFunction> Sources::FunctionAt(uint64_t offset) {
  const uint64_t address = reader_->AddressOf(offset);
  const Unit* unit = reader_->UnitAt(address);
  return unit != nullptr ? unit->FunctionAt(address) : std::nullopt;
}

SourceFrame Sources::BeginAt(uint64_t offset) {
  return reader_->FirstRowAt(reader_->AddressOf(offset));
}

bool Sources::IsFortran(uint64_t offset) { return reader_->IsFortran(reader_->AddressOf(offset)); }

std::string Sources::FunctionAround(uint64_t offset) {
  const uint64_t address = reader_->AddressOf(offset);
  const Unit* unit = reader_->UnitAt(address);
  return unit != nullptr ? unit->FunctionAround(address) : "";
}

bool Sources::has_link_time_code() const { return reader_->has_link_time_code(); }

const std::string& Sources::debug_file() const { return reader_->file().path(); }

}  // namespace roofmark::binary
