// SPDX-License-Identifier: BSD-3-Clause
//
// Markers whose names are not literals: dynamic names and Fortran.
#include "markers/named.h"

#include <roofmark/roofmark.h>

#include <string_view>

#include "markers/declare.h"

#define ROOFMARK_API extern "C" __attribute__((visibility("default")))

namespace roofmark::markers {
namespace {

// The first members of a Fortran 2018 C descriptor (ISO_Fortran_binding.h), whose order the
// standard fixes: enough to read a scalar character argument, whatever compiler made it.
struct CharacterDescriptor {
  const char* base_address;
  size_t element_length;
};

std::string_view Text(const CharacterDescriptor* name) {
  std::string_view text(name->base_address, name->element_length);
  const size_t last = text.find_last_not_of(' ');
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

void BeginNamed(std::string_view name) noexcept {
  if (!Recorder::recording() && !Recorder::Miss(name)) return;
  BeginRegion(ResolveRegion(name));
}

void EndNamed(std::string_view name) noexcept {
  if (!Recorder::recording()) return;
  // One that is left out needs no time, and reading it costs most.
  if (Recorder::leaves_out() && TryName(name).regions == RegionsOf::kLeftOut) return;
  const uint64_t now = Ticks();
  EndRegion(ResolveRegion(name), now);
}

// What is negative or no number counts as 0, what is too large as the largest count.
template <typename Number>
uint64_t Count(Number value) {
  if (!(value > 0)) return 0;
  constexpr double kLimit = 18446744073709551616.0;  // 2^64
  return static_cast<double>(value) >= kLimit ? UINT64_MAX : static_cast<uint64_t>(value);
}

void OperationsNamed(std::string_view kind, uint64_t count) noexcept {
  if (!Recorder::recording()) return;
  if (const uint32_t id = ResolveName(kind)) DeclareOperations(id, count);
}

}  // namespace
}  // namespace roofmark::markers

using roofmark::markers::BeginNamed;
using roofmark::markers::CharacterDescriptor;
using roofmark::markers::Count;
using roofmark::markers::EndNamed;
using roofmark::markers::OperationsNamed;

ROOFMARK_API void roofmark_begin(const char* name) {
  BeginNamed(name == nullptr ? std::string_view() : name);
}

ROOFMARK_API void roofmark_end(const char* name) {
  EndNamed(name == nullptr ? std::string_view() : name);
}

ROOFMARK_API void roofmark_operations(const char* kind, uint64_t count) {
  OperationsNamed(kind == nullptr ? std::string_view() : kind, count);
}

// Fortran: one function for each kind of number, since its integers and reals have no common one.
ROOFMARK_API void roofmark_fortran_work_i4(int32_t flops, int32_t bytes) {
  roofmark_work(Count(flops), Count(bytes));
}
ROOFMARK_API void roofmark_fortran_work_i8(int64_t flops, int64_t bytes) {
  roofmark_work(Count(flops), Count(bytes));
}
ROOFMARK_API void roofmark_fortran_work_r4(float flops, float bytes) {
  roofmark_work(Count(flops), Count(bytes));
}
ROOFMARK_API void roofmark_fortran_work_r8(double flops, double bytes) {
  roofmark_work(Count(flops), Count(bytes));
}

ROOFMARK_API void roofmark_fortran_operations_i4(const CharacterDescriptor* kind, int32_t count) {
  OperationsNamed(roofmark::markers::Text(kind), Count(count));
}
ROOFMARK_API void roofmark_fortran_operations_i8(const CharacterDescriptor* kind, int64_t count) {
  OperationsNamed(roofmark::markers::Text(kind), Count(count));
}
ROOFMARK_API void roofmark_fortran_operations_r4(const CharacterDescriptor* kind, float count) {
  OperationsNamed(roofmark::markers::Text(kind), Count(count));
}
ROOFMARK_API void roofmark_fortran_operations_r8(const CharacterDescriptor* kind, double count) {
  OperationsNamed(roofmark::markers::Text(kind), Count(count));
}

ROOFMARK_API void roofmark_fortran_begin(const CharacterDescriptor* name) {
  BeginNamed(roofmark::markers::Text(name));
}

ROOFMARK_API void roofmark_fortran_end(const CharacterDescriptor* name) {
  EndNamed(roofmark::markers::Text(name));
}
