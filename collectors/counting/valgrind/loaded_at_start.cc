// SPDX-License-Identifier: BSD-3-Clause
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/counting/valgrind/reexec.h"

namespace roofmark::counting {
namespace {

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

struct Needs {
  std::string soname;
  std::vector<std::string> needed;
};

// glibc stores relocated addresses in DT_STRTAB of every object but the vDSO.
Needs ReadNeeds(const link_map& object) {
  Needs needs;
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = object.l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  if (strings == nullptr || reinterpret_cast<uintptr_t>(strings) < object.l_addr) return needs;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED) needs.needed.emplace_back(strings + entry->d_un.d_val);
    if (entry->d_tag == DT_SONAME) needs.soname = strings + entry->d_un.d_val;
  }
  return needs;
}

void AddPreloaded(std::set<std::string>& names) {
  const char* list = std::getenv("LD_PRELOAD");
  if (list == nullptr) return;
  std::string_view rest = list;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(": "), rest.size());
    if (end > 0) names.emplace(BaseName(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

bool LoadedAtStart(const std::string& library_path) {
  std::set<std::string> wanted;
  AddPreloaded(wanted);
  const link_map* first = _r_debug.r_map;
  if (first == nullptr) return false;
  for (const std::string& name : ReadNeeds(*first).needed) wanted.emplace(BaseName(name));
  // The closure over DT_NEEDED: repeat until nothing new is wanted.
  for (size_t before = 0; before != wanted.size();) {
    before = wanted.size();
    for (const link_map* object = first->l_next; object != nullptr; object = object->l_next) {
      const Needs needs = ReadNeeds(*object);
      const std::string file(BaseName(object->l_name));
      if (wanted.count(file) == 0 && wanted.count(needs.soname) == 0) continue;
      if (library_path == object->l_name) return true;
      for (const std::string& name : needs.needed) wanted.emplace(BaseName(name));
    }
  }
  return false;
}

}  // namespace roofmark::counting
