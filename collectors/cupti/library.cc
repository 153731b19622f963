// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "lib/core/cuda_files.h"

namespace roofmark::cupti {
namespace {

constexpr char kDriver[] = "libcuda.so.1";
// The range profiler came with CUDA 12.6, whose CUPTI still has this name.
constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr const char* kPlaces[] = {"lib64", "extras/CUPTI/lib64"};

void* Open(const char* file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

// The functions of one of both; false for the first that is not there.
bool Find(void* handle, std::string_view which, Library& library, std::string& missing) {
#define ROOFMARK_CUPTI(from, member, symbol, arguments)                          \
  if (which == #from) {                                                          \
    library.member = reinterpret_cast<int(*) arguments>(dlsym(handle, #symbol)); \
    if (library.member == nullptr) return missing = #symbol, false;              \
  }
#include "collectors/cupti/functions.inc"
#undef ROOFMARK_CUPTI
  return true;
}

}  // namespace

Result<Library> OpenCuptiAlone() {
  Library library;
  for (const std::string& file : CudaFiles(kNames, kPlaces)) {
    void* handle = Open(file.c_str());
    if (handle == nullptr) continue;
    library.file = file;
    std::string missing;
    if (Find(handle, "cupti", library, missing)) return library;
    return Error{
        fmt::format("{} has no {}: it is older than that of CUDA 12.6; put the folder of a newer "
                    "one into LD_LIBRARY_PATH",
                    file, missing)};
  }
  return Error{
      "CUPTI cannot be loaded (libcupti.so.13, a part of the CUDA toolkit): set CUDA_HOME, or put "
      "its folder into LD_LIBRARY_PATH"};
}

Result<Library> OpenLibrary() {
  void* driver = Open(kDriver);
  if (driver == nullptr) {
    return Error{"there is no driver of NVIDIA's GPUs (libcuda.so.1 cannot be loaded)"};
  }
  Result<Library> library = OpenCuptiAlone();
  std::string missing;
  if (library && !Find(driver, "driver", *library, missing)) {
    return Error{fmt::format("the driver's {} has no {}", kDriver, missing)};
  }
  return library;
}

}  // namespace roofmark::cupti
