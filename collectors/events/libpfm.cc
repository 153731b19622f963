// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/events/libpfm.h"

#include <fmt/format.h>

#ifdef ROOFMARK_HAVE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace roofmark::events {
namespace {

std::mutex mutex;  // libpfm4 keeps state without locks

// Under the mutex. A second initialisation by others is harmless, it returns at once.
int Initialise() {
  static const int result = pfm_initialize();
  return result;
}

}  // namespace

std::string WhyNoLibpfm() {
  const std::lock_guard<std::mutex> lock(mutex);
  const int result = Initialise();
  return result == PFM_SUCCESS ? "" : fmt::format("libpfm4: {}", pfm_strerror(result));
}

Result<PfmEncoding> EncodePfmName(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (const int result = Initialise(); result != PFM_SUCCESS)
    return Error{fmt::format("libpfm4: {}", pfm_strerror(result))};
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  pfm_perf_encode_arg_t request;
  std::memset(&request, 0, sizeof request);
  request.attr = &attr;
  request.size = sizeof request;
  char* full_name = nullptr;
  request.fstr = &full_name;
  const int result =
      pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &request);
  PfmEncoding encoding;
  if (full_name != nullptr) encoding.name = full_name;
  std::free(full_name);
  if (result != PFM_SUCCESS)
    return Error{fmt::format("event \"{}\": libpfm4 says: {}", name, pfm_strerror(result))};
  encoding.type = attr.type;
  encoding.config = {attr.config, attr.config1, attr.config2};
  encoding.cpu = request.cpu;
  return encoding;
}

}  // namespace roofmark::events

#else

namespace roofmark::events {

std::string WhyNoLibpfm() { return "this roofmark was built without libpfm4"; }

Result<PfmEncoding> EncodePfmName(const std::string& name) {
  return Error{fmt::format("event \"{}\": {}; write it as device/event=...,umask=.../", name,
                           WhyNoLibpfm())};
}

}  // namespace roofmark::events

#endif
