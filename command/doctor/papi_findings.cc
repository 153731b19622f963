// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI as it is installed where the command runs: opened at run time, so that the command starts
// without it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "command/doctor/environment_findings.h"

#ifdef ROOFMARK_HAVE_PAPI_H
#include <papi.h>
#endif

namespace roofmark::cli {
namespace {

constexpr char kPapiSection[] = "Other ways to count";

void* OpenLibrary(std::string& name) {
  for (const char* each : {"libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so.7",
                           "libpapi.so.6.0", "libpapi.so"}) {
    name = each;
    if (void* library = dlopen(each, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

Finding Papi(std::string found, Diagnosis diagnosis) {
  return {"papi", kPapiSection, "PAPI", std::move(found), std::move(diagnosis)};
}

#ifdef ROOFMARK_HAVE_PAPI_H

struct Calls {
  decltype(&PAPI_library_init) init;
  decltype(&PAPI_get_opt) get_opt;
  decltype(&PAPI_num_components) components;
  decltype(&PAPI_get_component_info) info;
  decltype(&PAPI_strerror) text;

  explicit Calls(void* library)
      : init(Get<decltype(init)>(library, "PAPI_library_init")),
        get_opt(Get<decltype(get_opt)>(library, "PAPI_get_opt")),
        components(Get<decltype(components)>(library, "PAPI_num_components")),
        info(Get<decltype(info)>(library, "PAPI_get_component_info")),
        text(Get<decltype(text)>(library, "PAPI_strerror")) {}

  template <class Function>
  static Function Get(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
  }
  bool Complete() const { return init && get_opt && components && info && text; }
};

std::string VersionText(int version) {
  return fmt::format("{}.{}.{}", PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version),
                     PAPI_VERSION_REVISION(version));
}

// Components of performance counters; others (sensors, networks) are named only where they work.
bool IsCounters(const PAPI_component_info_t& component) {
  const std::string name = component.name;
  return name == "perf_event" || name == "perf_event_uncore";
}

Finding Component(const PAPI_component_info_t& component) {
  Finding finding{fmt::format("papi_{}", component.name),
                  kPapiSection,
                  std::string(component.name) == "perf_event" ? "PAPI core" : "PAPI uncore",
                  fmt::format("{} native events", component.num_native_events),
                  {}};
  if (component.disabled == 0) return finding;
  finding.found = "disabled by PAPI";
  std::string reason = component.disabled_reason;
  while (!reason.empty() && (reason.back() == '\n' || reason.back() == '.')) reason.pop_back();
  if (reason.empty()) reason = fmt::format("PAPI error {}", component.disabled);
  const bool denied = component.disabled == PAPI_EPERM ||
                      reason.find("paranoid") != std::string::npos ||
                      reason.find("ermission") != std::string::npos;
  finding.diagnosis = {denied ? State::kDenied : State::kUnsupported, 0, reason,
                       denied ? "sudo sysctl kernel.perf_event_paranoid=0" : ""};
  return finding;
}

Findings Ask(void* library, const std::string& name) {
  const Calls calls(library);
  if (!calls.Complete()) {
    return {Papi(name, {State::kUnsupported, 0, "lacks functions of PAPI 5.6 and newer", ""})};
  }
  const int version = calls.get_opt(PAPI_LIB_VERSION, nullptr);
  const int result = calls.init(version);
  if (result != version) {
    return {Papi(fmt::format("{}, version {}", name, VersionText(version)),
                 {State::kUnsupported, 0,
                  fmt::format("cannot be initialised: {}", calls.text(result)), ""})};
  }
  Findings findings = {Papi(fmt::format("{}, version {}", name, VersionText(version)), {})};
  // The component's record grows from version to version.
  if ((version & 0xffff0000) != PAPI_VER_CURRENT) return findings;
  for (int i = 0; i < calls.components(); ++i) {
    const PAPI_component_info_t* component = calls.info(i);
    if (component != nullptr && IsCounters(*component)) findings.push_back(Component(*component));
  }
  return findings;
}

#else

Findings Ask(void*, const std::string& name) {
  return {
      Papi(name + " (this roofmark was built without PAPI's header and does not use PAPI)", {})};
}

#endif

}  // namespace

// Not closed: libraries like PAPI do not expect it.
Findings FindPapi() {
  std::string name;
  void* library = OpenLibrary(name);
  if (library != nullptr) return Ask(library, name);
  return {Papi("libpapi is not found",
               {State::kMissing, 0,
                "needed only for PAPI's names, in ROOFMARK_EVENTS and ROOFMARK_PACKAGE_EVENTS",
                "module load papi, or: sudo apt install libpapi-dev"})};
}

}  // namespace roofmark::cli
