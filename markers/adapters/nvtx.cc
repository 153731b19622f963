// SPDX-License-Identifier: BSD-3-Clause
//
// NVTX 3: every library that has its header loads the library that NVTX_INJECTION64_PATH names, and
// lets it fill in the functions that it serves. Push and pop nest on a thread, in each domain
// apart; start and end give and take a number. Regions bear the names of the ranges, whatever the
// domain.
#include <cwchar>
#include <string_view>

#include "markers/adapters/call.h"
#include "markers/adapters/nvtx_abi.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;
using namespace roofmark::adapters::nvtx;

constexpr uint64_t kDefaultDomain = 0x4E565458;

// Handles hold the number of a name. What was given by another tool is not taken for one.
enum HandleOf : uintptr_t { kHandleOfDomain = 4, kHandleOfString = 8 };
void* HandleFor(HandleOf what, uint32_t number) {
  return reinterpret_cast<void*>(uintptr_t{number} << 4 |
                                 what);  // NOLINT(performance-no-int-to-ptr)
}
uint32_t NumberIn(void* handle, HandleOf what) {
  const auto bits = reinterpret_cast<uintptr_t>(handle);
  return (bits & 15) == what && bits >> 36 == 0 ? static_cast<uint32_t>(bits >> 4) : 0;
}
uint64_t OwnerOf(Domain domain) {
  return domain == nullptr ? kDefaultDomain : reinterpret_cast<uint64_t>(domain);
}

// In UTF-8, as names are; what does not fit is cut.
class Narrow {
 public:
  explicit Narrow(const wchar_t* text) {
    for (; text != nullptr && *text != L'\0' && length_ + 4 <= sizeof bytes_; ++text) {
      Add(static_cast<uint32_t>(*text));
    }
    null_ = text == nullptr;
  }
  uint32_t region() const { return null_ ? 0 : RegionOf(std::string_view(bytes_, length_)); }

 private:
  void Put(uint32_t byte) { bytes_[length_++] = static_cast<char>(byte); }
  void Add(uint32_t code) {
    if (code < 0x80) return Put(code);
    if (code < 0x800) {
      Put(0xC0 | code >> 6);
    } else if (code < 0x10000) {
      Put(0xE0 | code >> 12);
      Put(0x80 | (code >> 6 & 0x3F));
    } else {
      Put(0xF0 | (code >> 18 & 7));
      Put(0x80 | (code >> 12 & 0x3F));
      Put(0x80 | (code >> 6 & 0x3F));
    }
    Put(0x80 | (code & 0x3F));
  }

  char bytes_[512];
  size_t length_ = 0;
  bool null_;
};

uint32_t RegionOfEvent(const EventAttributes* event) {
  if (event == nullptr || event->size < sizeof *event) return 0;
  if (event->message_type == kAscii) return RegionOf(event->message.ascii);
  if (event->message_type == kUnicode) return Narrow(event->message.unicode).region();
  return event->message_type == kRegistered ? NumberIn(event->message.registered, kHandleOfString)
                                            : 0;
}

// --- ranges that nest: their depth, from 0 ------------------------------------------------------

int Push(uint64_t owner, uint32_t region) {
  const auto depth = static_cast<int>(OpenRanges(owner));
  BeginRange(owner, region);
  return depth;
}
int Pop(uint64_t owner) {
  const auto open = static_cast<int>(OpenRanges(owner));
  EndRange(owner);
  return open - 1;
}

int PushA(const char* name) { return Push(kDefaultDomain, RegionOf(name)); }
int PushW(const wchar_t* name) { return Push(kDefaultDomain, Narrow(name).region()); }
int PushEx(const EventAttributes* event) { return Push(kDefaultDomain, RegionOfEvent(event)); }
int PopDefault() { return Pop(kDefaultDomain); }
int DomainPushEx(Domain domain, const EventAttributes* event) {
  return Push(OwnerOf(domain), RegionOfEvent(event));
}
int DomainPop(Domain domain) { return Pop(OwnerOf(domain)); }

// --- ranges with a number ------------------------------------------------------------------------

RangeId StartA(const char* name) { return BeginNumbered(RegionOf(name)); }
RangeId StartW(const wchar_t* name) { return BeginNumbered(Narrow(name).region()); }
RangeId StartEx(const EventAttributes* event) { return BeginNumbered(RegionOfEvent(event)); }
RangeId DomainStartEx(Domain, const EventAttributes* event) {
  return BeginNumbered(RegionOfEvent(event));
}
void DomainEnd(Domain, RangeId id) { EndNumbered(id); }

// --- handles ------------------------------------------------------------------------------------

String RegisterA(Domain, const char* text) { return HandleFor(kHandleOfString, RegionOf(text)); }
String RegisterW(Domain, const wchar_t* text) {
  return HandleFor(kHandleOfString, Narrow(text).region());
}
Domain CreateA(const char* name) { return HandleFor(kHandleOfDomain, RegionOf(name)); }
Domain CreateW(const wchar_t* name) { return HandleFor(kHandleOfDomain, Narrow(name).region()); }

// --- what the program calls ---------------------------------------------------------------------

class Functions {
 public:
  Functions(const Callbacks& callbacks, Module module) {
    if (callbacks.get_functions(module, &table_, &size_) == 0) size_ = 0;
  }
  template <typename Served>
  void Serve(unsigned number, Served* function) const {
    if (number < size_ && table_[number] != nullptr) {
      *table_[number] = reinterpret_cast<Function>(function);
    }
  }

 private:
  FunctionTable table_ = nullptr;
  unsigned size_ = 0;
};

void ServeCore(const Functions& core) {
  core.Serve(kRangeStartEx, &StartEx);
  core.Serve(kRangeStartA, &StartA);
  core.Serve(kRangeStartW, &StartW);
  core.Serve(kRangeEnd, &EndNumbered);
  core.Serve(kRangePushEx, &PushEx);
  core.Serve(kRangePushA, &PushA);
  core.Serve(kRangePushW, &PushW);
  core.Serve(kRangePop, &PopDefault);
}

void ServeCore2(const Functions& core) {
  core.Serve(kDomainRangeStartEx, &DomainStartEx);
  core.Serve(kDomainRangeEnd, &DomainEnd);
  core.Serve(kDomainRangePushEx, &DomainPushEx);
  core.Serve(kDomainRangePop, &DomainPop);
  core.Serve(kDomainRegisterStringA, &RegisterA);
  core.Serve(kDomainRegisterStringW, &RegisterW);
  core.Serve(kDomainCreateA, &CreateA);
  core.Serve(kDomainCreateW, &CreateW);
}

}  // namespace

// 0 where nothing is wanted: NVTX then does what it does without a tool.
ROOFMARK_FOREIGN int InitializeInjectionNvtx2(GetExportTable get_table) {
  if ((g_wanted & roofmark::AdapterBit("nvtx")) == 0 || get_table == nullptr) return 0;
  const auto* callbacks = static_cast<const Callbacks*>(get_table(kCallbacks));
  if (callbacks == nullptr || callbacks->size < sizeof *callbacks) return 0;
  ServeCore(Functions(*callbacks, kCore));
  ServeCore2(Functions(*callbacks, kCore2));
  return 1;
}
