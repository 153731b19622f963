// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/modules.h"

#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "lib/core/build_id.h"
#include "lib/core/file.h"
#include "lib/samples/samples.h"

namespace roofmark::samples {
namespace {

struct RawId {
  char bytes[kMostBuildIdBytes];
  size_t size = 0;
};

// A module while the dynamic linker's lock is held.
struct Raw {
  uint64_t begin = 0, end = 0;
  size_t name = 0;  // in the text of all names
  RawId id;
};

struct Reading {
  std::vector<Raw> modules;
  std::vector<char> names;
  size_t modules_used = 0, names_used = 0;  // or needed
  uint64_t page = 4096;
};

// Copied, since the module may be unmapped when the lock is given back.
RawId RawIdIn(std::string_view notes) noexcept {
  RawId id;
  const std::string_view found = FindBuildId(notes);
  id.size = found.copy(id.bytes, sizeof id.bytes);
  return id;
}

// Notes that the file has but the process has not cannot be read.
bool IsLoaded(const dl_phdr_info& info, const ElfW(Phdr) & notes) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_R) != 0 && notes.p_vaddr >= part.p_vaddr &&
        notes.p_vaddr + notes.p_memsz <= part.p_vaddr + part.p_memsz) {
      return true;
    }
  }
  return false;
}

Raw Describe(const dl_phdr_info& info, uint64_t page) {
  Raw raw;
  raw.begin = UINT64_MAX;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type == PT_LOAD) {
      raw.begin = std::min<uint64_t>(raw.begin, (info.dlpi_addr + part.p_vaddr) & ~(page - 1));
      raw.end = std::max<uint64_t>(raw.end, info.dlpi_addr + part.p_vaddr + part.p_memsz);
    } else if (part.p_type == PT_NOTE && raw.id.size == 0 && IsLoaded(info, part)) {
      raw.id =
          RawIdIn({reinterpret_cast<const char*>(info.dlpi_addr + part.p_vaddr), part.p_memsz});
    }
  }
  return raw;
}

int Note(dl_phdr_info* info, size_t, void* given) {
  auto& reading = *static_cast<Reading*>(given);
  const size_t length = std::strlen(info->dlpi_name) + 1;
  const bool fits = reading.modules_used < reading.modules.size() &&
                    reading.names_used + length <= reading.names.size();
  if (fits) {
    Raw raw = Describe(*info, reading.page);
    raw.name = reading.names_used;
    reading.modules[reading.modules_used] = raw;
    std::memcpy(reading.names.data() + reading.names_used, info->dlpi_name, length);
  }
  ++reading.modules_used;
  reading.names_used += length;
  return 0;
}

// Without links, as the kernel names what is mapped, and so whoever else asks it.
std::string WithoutLinks(const char* name) {
  const std::string file = RealPath(name);
  return file.empty() ? name : file;
}

// The executable has no name there, and the vDSO the name of a file that there is not.
std::string FileOf(const Raw& raw, const char* name, bool is_first) {
  const uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
  if (vdso >= raw.begin && vdso < raw.end) return std::string(kVdsoModule);
  if (*name == '\0' && is_first) return Executable();
  return WithoutLinks(name);
}

}  // namespace

const MappedModule* FindModule(const ModuleMap& map, uint64_t address) {
  auto after = std::upper_bound(map.begin(), map.end(), address,
                                [](uint64_t a, const MappedModule& m) { return a < m.begin; });
  if (after == map.begin()) return nullptr;
  const MappedModule& module = *--after;
  return address < module.end ? &module : nullptr;
}

ModuleChanges ReadModuleChanges() {
  ModuleChanges changes;
  const auto first = [](dl_phdr_info* info, size_t size, void* given) {
    const bool has_them = size >= offsetof(dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs;
    if (has_them) *static_cast<ModuleChanges*>(given) = {info->dlpi_adds, info->dlpi_subs};
    return 1;
  };
  dl_iterate_phdr(first, &changes);
  return changes;
}

ModuleMap ReadModules() {
  Reading reading;
  reading.page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  reading.modules_used = 64;
  reading.names_used = 4096;
  do {
    // Some more than needed: others may come in between.
    reading.modules.resize(reading.modules_used + 16);
    reading.names.resize(reading.names_used + 1024);
    reading.modules_used = reading.names_used = 0;
    dl_iterate_phdr(&Note, &reading);
  } while (reading.modules_used > reading.modules.size() ||
           reading.names_used > reading.names.size());
  ModuleMap map;
  for (size_t i = 0; i < reading.modules_used; ++i) {
    const Raw& raw = reading.modules[i];
    if (raw.begin >= raw.end) continue;
    map.push_back({raw.begin, raw.end, FileOf(raw, reading.names.data() + raw.name, i == 0),
                   Hexadecimal({raw.id.bytes, raw.id.size})});
  }
  std::sort(map.begin(), map.end(),
            [](const MappedModule& a, const MappedModule& b) { return a.begin < b.begin; });
  return map;
}

}  // namespace roofmark::samples
