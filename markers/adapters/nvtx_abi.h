// SPDX-License-Identifier: BSD-3-Clause
//
// What NVTX 3 hands to a tool and expects from it, as far as it is used here: types and numbers of
// its binary interface (nvToolsExt.h, nvtxTypes.h).
#ifndef ROOFMARK_MARKERS_ADAPTERS_NVTX_ABI_H_
#define ROOFMARK_MARKERS_ADAPTERS_NVTX_ABI_H_

#include <cstddef>
#include <cstdint>

namespace roofmark::adapters::nvtx {

// Handles are the tool's to choose; the program only hands them back.
using Domain = void*;
using String = void*;
using RangeId = uint64_t;

enum MessageType : int32_t { kAscii = 1, kUnicode = 2, kRegistered = 3 };

struct EventAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type;
  int32_t reserved;
  uint64_t payload;
  int32_t message_type;
  union {
    const char* ascii;
    const wchar_t* unicode;
    String registered;
  } message;
};
static_assert(sizeof(EventAttributes) == 48);

using Function = void (*)();
// The program's function pointers of a module, by their numbers; the tool fills in those it serves.
using FunctionTable = Function**;

enum Module { kCore = 1, kCore2 = 5 };
enum CoreFunction {
  kRangeStartEx = 4,
  kRangeStartA,
  kRangeStartW,
  kRangeEnd,
  kRangePushEx,
  kRangePushA,
  kRangePushW,
  kRangePop
};
enum Core2Function {
  kDomainRangeStartEx = 2,
  kDomainRangeEnd,
  kDomainRangePushEx,
  kDomainRangePop,
  kDomainRegisterStringA = 10,
  kDomainRegisterStringW,
  kDomainCreateA,
  kDomainCreateW
};

inline constexpr uint32_t kCallbacks = 1;  // number of this table
struct Callbacks {
  size_t size;
  int (*get_functions)(Module module, FunctionTable* table, unsigned* size);
};
using GetExportTable = const void* (*)(uint32_t number);

}  // namespace roofmark::adapters::nvtx

#endif  // ROOFMARK_MARKERS_ADAPTERS_NVTX_ABI_H_
