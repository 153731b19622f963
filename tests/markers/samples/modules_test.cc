// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/modules.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "lib/core/file.h"

namespace roofmark::samples {
namespace {

extern "C" char __executable_start[];

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

TEST(Modules, TheExecutableBeginsAtItsLowestAddress) {
  const ModuleMap map = ReadModules();
  const MappedModule* module = FindModule(map, AddressOf(__executable_start) + 16);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->begin, AddressOf(__executable_start));
  EXPECT_EQ(module->file, ReadLink("/proc/self/exe"));
}

TEST(Modules, LibrariesAndTheVdsoAreKnown) {
  const ModuleMap map = ReadModules();
  const auto* libc = FindModule(map, AddressOf(dlsym(RTLD_DEFAULT, "getpid")));
  ASSERT_NE(libc, nullptr);
  EXPECT_THAT(libc->file, testing::HasSubstr("libc"));
  const auto* vdso = FindModule(map, getauxval(AT_SYSINFO_EHDR));
  ASSERT_NE(vdso, nullptr);
  EXPECT_EQ(vdso->file, "[vdso]");
  EXPECT_EQ(FindModule(map, 1), nullptr);
  EXPECT_EQ(FindModule(map, UINT64_MAX), nullptr);
  EXPECT_EQ(FindModule(map, AddressOf(&map)), nullptr) << "the stack is no module";
}

// The file that the kernel has mapped at an address.
std::string MappedAt(uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2) continue;
    if (begin <= address && address < end) return line.substr(line.find('/'));
  }
  return "";
}

// The loader knows libraries by the links that it found them by.
TEST(Modules, FilesAreThoseThatAreMapped) {
  const uint64_t address = AddressOf(dlsym(RTLD_DEFAULT, "getpid"));
  const ModuleMap map = ReadModules();
  ASSERT_NE(FindModule(map, address), nullptr);
  EXPECT_EQ(FindModule(map, address)->file, MappedAt(address));
}

TEST(Modules, EachBeginsWhereTheOneBeforeHasEnded) {
  const ModuleMap map = ReadModules();
  for (size_t i = 1; i < map.size(); ++i) EXPECT_LE(map[i - 1].end, map[i].begin) << map[i].file;
}

TEST(Modules, ChangesAreNoticed) {
  const ModuleChanges before = ReadModuleChanges();
  EXPECT_EQ(ReadModuleChanges(), before);
  void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(plugin, nullptr) << dlerror();
  EXPECT_EQ(ReadModuleChanges().loaded, before.loaded + 1);
  const void* function = dlsym(plugin, "plugin_work");
  ASSERT_NE(FindModule(ReadModules(), AddressOf(function)), nullptr);
  dlclose(plugin);
  EXPECT_EQ(FindModule(ReadModules(), AddressOf(function)), nullptr);
  EXPECT_EQ(ReadModuleChanges().unloaded, before.unloaded + 1);
}

}  // namespace
}  // namespace roofmark::samples
