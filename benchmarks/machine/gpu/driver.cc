// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "lib/core/cuda_files.h"

namespace roofmark::gpu {
namespace {

constexpr char kDriverFile[] = "libcuda.so.1", kNvmlFile[] = "libnvidia-ml.so.1";
constexpr const char* kBlasNames[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                      "libcublasLt.so.11"};
constexpr const char* kBlasPlaces[] = {"lib64"};

// They stay open: their threads do not expect to go.
void* OpenForever(const char* file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

// The functions of one of them; the name of the first that is not there, else empty.
std::string FindFunctions(void* handle, std::string_view which, Driver& driver) {
#define ROOFMARK_GPU(library, member, symbol, arguments)                        \
  if (which == #library) {                                                      \
    driver.member = reinterpret_cast<int(*) arguments>(dlsym(handle, #symbol)); \
    if (driver.member == nullptr) return #symbol;                               \
  }
#include "benchmarks/machine/gpu/functions.inc"
#undef ROOFMARK_GPU
  return {};
}

std::string OpenNvml(Driver& driver) {
  void* nvml = OpenForever(kNvmlFile);
  if (nvml == nullptr) return fmt::format("{} cannot be loaded", kNvmlFile);
  const std::string missing = FindFunctions(nvml, "nvml", driver);
  if (!missing.empty()) return fmt::format("{} has no {}", kNvmlFile, missing);
  const int result = driver.nvml_init();
  return result == 0 ? "" : fmt::format("nvmlInit_v2: error {}", result);
}

}  // namespace

Result<Driver> OpenDriver() {
  Driver driver;
  void* cuda = OpenForever(kDriverFile);
  if (cuda == nullptr) {
    return Error{"there is no driver of NVIDIA's GPUs (libcuda.so.1 cannot be loaded)"};
  }
  const std::string missing = FindFunctions(cuda, "driver", driver);
  if (!missing.empty()) {
    return Error{fmt::format("the driver's {} has no {}: roofmark needs a newer driver",
                             kDriverFile, missing)};
  }
  const int result = driver.init(0);
  if (result != 0) return Error{ExplainCall(driver, "cuInit", result)};
  driver.no_nvml = OpenNvml(driver);
  driver.no_blas = OpenBlas(CudaFiles(kBlasNames, kBlasPlaces), driver);
  return driver;
}

std::string OpenBlas(std::span<const std::string> files, Driver& driver) {
  for (const std::string& file : files) {
    void* blas = OpenForever(file.c_str());
    if (blas == nullptr) continue;
    const std::string missing = FindFunctions(blas, "blas", driver);
    return missing.empty() ? "" : fmt::format("{} has no {}", file, missing);
  }
  return "cuBLAS cannot be loaded (libcublasLt, a part of the CUDA toolkit: set CUDA_HOME, or put "
         "its folder into LD_LIBRARY_PATH)";
}

std::string ExplainCall(const Driver& driver, const char* call, int result) {
  const char* name = nullptr;
  if (driver.error_name(result, &name) != 0 || name == nullptr) name = "an error without a name";
  return fmt::format("{}: {} ({})", call, name, result);
}

}  // namespace roofmark::gpu
