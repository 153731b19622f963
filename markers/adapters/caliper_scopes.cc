// SPDX-License-Identifier: BSD-3-Clause
//
// Caliper's classes for C++, which its macros use: cali::Function and cali::ScopeAnnotation, which
// have no members, and cali::Loop, which has one pointer. The names are those that the C++ ABI
// gives to constructors and destructors.
#include "markers/adapters/call.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;
using roofmark::Next;

constexpr uint32_t kCaliper = roofmark::AdapterBit("caliper");
constexpr uint64_t kScopes = 0x7A5C0;  // no hash, and no number of an attribute

void Begin(Next& next, void* caller, void* self, const char* name) {
  const Call call(kCaliper);
  Tell(next, caller, self, name);
  if (call) BeginRange(kScopes, name);
}
void End(Next& next, void* caller, void* self) {
  const Call call(kCaliper);
  if (call) EndRange(kScopes);
  Tell(next, caller, self);
}

// Copies of a loop share what its pointer leads to.
uint64_t OwnerOfLoop(void* const* self) { return reinterpret_cast<uint64_t>(*self); }

void BeginLoop(Next& next, void* caller, void** self, const char* name) {
  const Call call(kCaliper);
  if (Behind(next, caller) == nullptr) *self = self;
  Tell(next, caller, self, name);
  if (call) BeginRange(OwnerOfLoop(self), name);
}
void EndLoop(Next& next, void* caller, void** self) {
  const Call call(kCaliper);
  if (call) EndRange(OwnerOfLoop(self));
  Tell(next, caller, self);
}

}  // namespace

#define ROOFMARK_BEGINS(begin, type, name)                   \
  ROOFMARK_FOREIGN void name(type* self, const char* text) { \
    static Next next{#name};                                 \
    begin(next, __builtin_return_address(0), self, text);    \
  }
#define ROOFMARK_ENDS(end, type, name)            \
  ROOFMARK_FOREIGN void name(type* self) {        \
    static Next next{#name};                      \
    end(next, __builtin_return_address(0), self); \
  }
ROOFMARK_BEGINS(Begin, void, _ZN4cali8FunctionC1EPKc)
ROOFMARK_BEGINS(Begin, void, _ZN4cali8FunctionC2EPKc)
ROOFMARK_ENDS(End, void, _ZN4cali8FunctionD1Ev)
ROOFMARK_ENDS(End, void, _ZN4cali8FunctionD2Ev)
ROOFMARK_BEGINS(Begin, void, _ZN4cali15ScopeAnnotationC1EPKc)
ROOFMARK_BEGINS(Begin, void, _ZN4cali15ScopeAnnotationC2EPKc)
ROOFMARK_ENDS(End, void, _ZN4cali15ScopeAnnotationD1Ev)
ROOFMARK_ENDS(End, void, _ZN4cali15ScopeAnnotationD2Ev)
ROOFMARK_BEGINS(BeginLoop, void*, _ZN4cali4LoopC1EPKc)
ROOFMARK_BEGINS(BeginLoop, void*, _ZN4cali4LoopC2EPKc)
ROOFMARK_ENDS(EndLoop, void*, _ZN4cali4LoopD1Ev)
ROOFMARK_ENDS(EndLoop, void*, _ZN4cali4LoopD2Ev)
ROOFMARK_ENDS(EndLoop, void*, _ZN4cali4Loop3endEv)
