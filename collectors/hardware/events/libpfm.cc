// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/libpfm.h"

#include <fmt/format.h>

#ifdef ROOFMARK_HAVE_LIBPFM
#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace roofmark::events {
namespace {

// Loaded when it is first asked, so that a program does not need libpfm4 because it is linked with
// roofmark. The major version in the file's name is that of the functions' meaning.
constexpr char kLibrary[] = "libpfm.so.4";

struct Pfm {
  decltype(&pfm_initialize) initialize = nullptr;
  decltype(&pfm_strerror) strerror = nullptr;
  decltype(&pfm_get_os_event_encoding) encode = nullptr;
  decltype(&pfm_get_pmu_info) pmu_info = nullptr;
  decltype(&pfm_get_event_next) next_event = nullptr;
  decltype(&pfm_get_event_info) event_info = nullptr;
  std::string error;  // empty: all of it can be used
};

template <typename Function>
void Find(void* library, const char* name, Function& function, std::string& error) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) error = fmt::format("{} has no {}", kLibrary, name);
}

Pfm Load() {
  Pfm pfm;
  void* library = dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    pfm.error = fmt::format("libpfm4 is not installed ({} cannot be loaded)", kLibrary);
    return pfm;
  }
  Find(library, "pfm_initialize", pfm.initialize, pfm.error);
  Find(library, "pfm_strerror", pfm.strerror, pfm.error);
  Find(library, "pfm_get_os_event_encoding", pfm.encode, pfm.error);
  Find(library, "pfm_get_pmu_info", pfm.pmu_info, pfm.error);
  Find(library, "pfm_get_event_next", pfm.next_event, pfm.error);
  Find(library, "pfm_get_event_info", pfm.event_info, pfm.error);
  if (!pfm.error.empty()) return pfm;
  // A second initialisation by others is harmless, it returns at once.
  const int result = pfm.initialize();
  if (result != PFM_SUCCESS) pfm.error = fmt::format("libpfm4: {}", pfm.strerror(result));
  return pfm;
}

std::mutex mutex;  // libpfm4 keeps state without locks

// Under the mutex.
const Pfm& Loaded() {
  static const auto* const pfm = new Pfm(Load());  // never destroyed: asked until the end
  return *pfm;
}

void AddNamesOf(const Pfm& pfm, const pfm_pmu_info_t& pmu, std::vector<std::string>& names) {
  for (int event = pmu.first_event; event >= 0; event = pfm.next_event(event)) {
    pfm_event_info_t info{};
    info.size = sizeof info;
    if (pfm.event_info(event, PFM_OS_NONE, &info) == PFM_SUCCESS) {
      names.push_back(fmt::format("{}::{}", pmu.name, info.name));
    }
  }
}

}  // namespace

std::string WhyNoLibpfm() {
  const std::lock_guard<std::mutex> lock(mutex);
  return Loaded().error;
}

Result<PfmEncoding> EncodePfmName(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex);
  const Pfm& pfm = Loaded();
  if (!pfm.error.empty()) return Error{fmt::format("event \"{}\": {}", name, pfm.error)};
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  pfm_perf_encode_arg_t request;
  std::memset(&request, 0, sizeof request);
  request.attr = &attr;
  request.size = sizeof request;
  char* full_name = nullptr;
  request.fstr = &full_name;
  const int result = pfm.encode(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &request);
  PfmEncoding encoding;
  if (full_name != nullptr) encoding.name = full_name;
  std::free(full_name);
  if (result != PFM_SUCCESS)
    return Error{fmt::format("event \"{}\": libpfm4 says: {}", name, pfm.strerror(result))};
  encoding.type = attr.type;
  encoding.config = {attr.config, attr.config1, attr.config2};
  encoding.cpu = request.cpu;
  return encoding;
}

std::vector<std::string> PfmNames() {
  const std::lock_guard<std::mutex> lock(mutex);
  const Pfm& pfm = Loaded();
  std::vector<std::string> names;
  for (int i = PFM_PMU_NONE; pfm.error.empty() && i < PFM_PMU_MAX; ++i) {
    pfm_pmu_info_t pmu{};
    pmu.size = sizeof pmu;
    if (pfm.pmu_info(static_cast<pfm_pmu_t>(i), &pmu) == PFM_SUCCESS && pmu.is_present) {
      AddNamesOf(pfm, pmu, names);
    }
  }
  return names;
}

}  // namespace roofmark::events

#else

namespace roofmark::events {

std::string WhyNoLibpfm() { return "this roofmark was built without libpfm4"; }

Result<PfmEncoding> EncodePfmName(const std::string& name) {
  return Error{fmt::format("event \"{}\": {}; write it as device/event=...,umask=.../", name,
                           WhyNoLibpfm())};
}

std::vector<std::string> PfmNames() { return {}; }

}  // namespace roofmark::events

#endif
