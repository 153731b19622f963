// SPDX-License-Identifier: BSD-3-Clause
//
// Markers whose names are not literals: dynamic names and Fortran.
#include <roofmark/roofmark.h>

#include <cstring>
#include <string>
#include <string_view>

#include "markers/fast_path.h"

#define ROOFMARK_API extern "C" __attribute__((visibility("default")))

namespace roofmark::markers {
namespace {

// The first members of a Fortran 2018 C descriptor (ISO_Fortran_binding.h), whose order the
// standard fixes: enough to read a scalar character argument, whatever compiler made it.
struct CharacterDescriptor {
  const char* base_address;
  size_t element_length;
};

// Names come from literals or from buffers whose content may change, so the text is compared at
// each visit (a few nanoseconds).
uint32_t Resolve(std::string_view name) {
  Recorder& recorder = Recorder::Get();
  if (name.size() > KnownName::kText || t_record == nullptr) return recorder.names().Intern(name);
  KnownName& entry = t_record->KnownNameAt(name.data());
  if (entry.address == name.data() && entry.length == name.size() &&
      std::memcmp(entry.text, name.data(), name.size()) == 0) {
    return entry.id;
  }
  const uint32_t id = recorder.names().Intern(name);
  entry.address = name.data();
  entry.id = id;
  entry.length = static_cast<uint32_t>(name.size());
  std::memcpy(entry.text, name.data(), name.size());
  return id;
}

std::string_view Text(const CharacterDescriptor* name) {
  std::string_view text(name->base_address, name->element_length);
  const size_t last = text.find_last_not_of(' ');
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

void BeginNamed(std::string_view name) noexcept try {
  Recorder& recorder = Recorder::Get();
  if (!recorder.Admit()) return;
  const uint32_t id = Resolve(name);
  if (!TryBegin(id, -1)) recorder.Begin(id, nullptr, 0, -1);
} catch (...) {
}

void EndNamed(std::string_view name) noexcept try {
  const uint64_t now = Ticks();
  Recorder& recorder = Recorder::Get();
  if (!recorder.Admit()) return;
  const uint32_t id = Resolve(name);
  if (!TryEnd(id, now)) recorder.End(id, nullptr, 0, now);
} catch (...) {
}

void OperationsNamed(std::string_view kind, uint64_t count) noexcept try {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit()) recorder.Operations(Resolve(kind), count);
} catch (...) {
}

}  // namespace
}  // namespace roofmark::markers

using roofmark::markers::BeginNamed;
using roofmark::markers::CharacterDescriptor;
using roofmark::markers::EndNamed;
using roofmark::markers::OperationsNamed;

ROOFMARK_API void roofmark_begin_named(const char* name) {
  BeginNamed(name == nullptr ? std::string_view() : name);
}

ROOFMARK_API void roofmark_end_named(const char* name) {
  EndNamed(name == nullptr ? std::string_view() : name);
}

ROOFMARK_API void roofmark_operations_named(const char* kind, uint64_t count) {
  OperationsNamed(kind == nullptr ? std::string_view() : kind, count);
}

ROOFMARK_API void roofmark_fortran_operations(const CharacterDescriptor* kind, uint64_t count) {
  OperationsNamed(roofmark::markers::Text(kind), count);
}

ROOFMARK_API void roofmark_fortran_begin(const CharacterDescriptor* name) {
  BeginNamed(roofmark::markers::Text(name));
}

ROOFMARK_API void roofmark_fortran_end(const CharacterDescriptor* name) {
  EndNamed(roofmark::markers::Text(name));
}
