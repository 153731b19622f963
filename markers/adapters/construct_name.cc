// SPDX-License-Identifier: BSD-3-Clause
#include "markers/adapters/construct_name.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lib/core/source_place.h"

namespace roofmark::adapters {
namespace {

const char* WithoutFolder(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

// By the tables of the dynamic linker, which know exported functions alone. It takes the nearest
// symbol, which may be another function's, unless that has a size.
bool FindExported(const void* code, SourcePlace& place) noexcept {
  Dl_info info;
  void* symbol = nullptr;
  if (dladdr1(code, &info, &symbol, RTLD_DL_SYMENT) == 0 || info.dli_sname == nullptr) return false;
  if (symbol == nullptr || static_cast<const ElfW(Sym)*>(symbol)->st_size == 0) return false;
  std::snprintf(place.function, sizeof place.function, "%s", info.dli_sname);
  return true;
}

// The compiler's own words, where it has debug information: ";solver.c;Sweep;214;1;;".
bool ReadLocation(const char* location, SourcePlace& place) noexcept {
  char path[PATH_MAX];
  static_assert(PATH_MAX == 4096 && sizeof place.function == 512);
  if (location == nullptr ||
      std::sscanf(location, ";%4095[^;];%511[^;];%u;", path, place.function, &place.line) != 3) {
    return false;
  }
  std::snprintf(place.file, sizeof place.file, "%.255s", WithoutFolder(path));
  return place.line != 0;
}

// The function whose call returns to `code` may have ended: the one that it called goes on in the
// runtime. So is it if what was called lies in the same file, and no table of jumps leads out of
// it.
#ifdef __x86_64__
bool CallsRuntime(const void* code) noexcept {
  const auto* after = static_cast<const unsigned char*>(code);
  if (after[-6] == 0xFF && after[-5] == 0x15) return true;  // call *...(%rip)
  if (after[-5] != 0xE8) return false;
  int32_t distance;
  std::memcpy(&distance, after - sizeof distance, sizeof distance);
  const unsigned char* called = after + distance;
  if (std::memcmp(called, "\xF3\x0F\x1E\xFA", 4) == 0) called += 4;  // endbr64
  if (*called == 0xF2) ++called;                                     // bnd
  return called[0] == 0xFF && called[1] == 0x25;                     // jmp *...(%rip)
}
#else
bool CallsRuntime(const void*) noexcept { return true; }
#endif

void Ask(const void* code, bool is_body, SourcePlace& place, MappedPlace& file) noexcept {
  if (!FindMapped(code, file)) return;
  if (!AskForSource(file, is_body, place)) FindExported(code, place);
}

// The line and the address are those of the body, where that is known, and so is the function if
// compilers name bodies after it. Else it is the one that begins the construct: GCC's debug
// information may have another one there, which was inlined before.
void FindByCode(const Construct& construct, SourcePlace& place, MappedPlace& file) noexcept {
  if (construct.fork.body != nullptr) Ask(construct.fork.body, true, place, file);
  if (place.function[0] != '\0') return;
  SourcePlace around = {};
  MappedPlace around_file = {};
  // The call's last byte: what lies behind the call may be of another line.
  Ask(static_cast<const char*>(construct.code) - 1, false, around, around_file);
  if (construct.fork.body == nullptr) {
    place = around;
    file = around_file;
  } else if (CallsRuntime(construct.code)) {
    std::memcpy(place.function, around.function, sizeof place.function);
  }
}

}  // namespace

const char* NameConstruct(const Construct& construct, char (&name)[kConstructName]) noexcept {
  const char* word = construct.word;
  SourcePlace place = {};
  MappedPlace file = {};
  if (!ReadLocation(construct.fork.location, place)) {
    place = {};
    FindByCode(construct, place, file);
  }
  const char* in = place.function[0] == '\0' ? "" : " in ";
  const char* call = place.function[0] == '\0' ? "" : "()";
  const auto offset = static_cast<unsigned long long>(file.offset);
  if (place.line != 0) {
    std::snprintf(name, sizeof name, "%s:%u %s%s%s%s", place.file, place.line, word, in,
                  place.function, call);
  } else if (file.path[0] == '\0') {
    std::snprintf(name, sizeof name, "%s in code of no file", word);
  } else {
    std::snprintf(name, sizeof name, "%s%s%s%s at %.255s+0x%llx", word, in, place.function, call,
                  WithoutFolder(file.path), offset);
  }
  return name;
}

}  // namespace roofmark::adapters
