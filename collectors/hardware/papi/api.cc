// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "collectors/hardware/events/nearest.h"
#include "collectors/hardware/perf/explain.h"

#ifdef ROOFMARK_HAVE_PAPI
#include <dlfcn.h>
#include <pthread.h>

#include <cstring>

#include "collectors/hardware/papi/library.h"

namespace roofmark::papi {
namespace {

// Versions that differ in their second number differ in the layout of structures.
constexpr int kMajor = PAPI_VERSION_MAJOR(PAPI_VERSION);
constexpr int kMinor = PAPI_VERSION_MINOR(PAPI_VERSION);
// Since 7.1 PAPI reads what is attached to another thread by read(2).
constexpr bool kReadsAttachedByRdpmc = kMajor < 7 || (kMajor == 7 && kMinor < 1);

template <typename Function>
void Find(void* library, const char* name, Function& function, std::string& error) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) error = fmt::format("the PAPI library has no {}", name);
}

void FindAll(void* library, Library& papi) {
  Find(library, "PAPI_is_initialized", papi.is_initialized, papi.error);
  Find(library, "PAPI_library_init", papi.library_init, papi.error);
  Find(library, "PAPI_thread_init", papi.thread_init, papi.error);
  Find(library, "PAPI_get_opt", papi.get_opt, papi.error);
  Find(library, "PAPI_set_opt", papi.set_opt, papi.error);
  Find(library, "PAPI_strerror", papi.strerror, papi.error);
  Find(library, "PAPI_get_component_index", papi.get_component_index, papi.error);
  Find(library, "PAPI_get_component_info", papi.get_component_info, papi.error);
  Find(library, "PAPI_event_name_to_code", papi.event_name_to_code, papi.error);
  Find(library, "PAPI_query_event", papi.query_event, papi.error);
  Find(library, "PAPI_get_event_info", papi.get_event_info, papi.error);
  Find(library, "PAPI_get_event_component", papi.get_event_component, papi.error);
  Find(library, "PAPI_enum_event", papi.enum_event, papi.error);
  Find(library, "PAPI_enum_cmp_event", papi.enum_cmp_event, papi.error);
  Find(library, "PAPI_event_code_to_name", papi.event_code_to_name, papi.error);
  Find(library, "PAPI_create_eventset", papi.create_eventset, papi.error);
  Find(library, "PAPI_assign_eventset_component", papi.assign_eventset_component, papi.error);
  Find(library, "PAPI_attach", papi.attach, papi.error);
  Find(library, "PAPI_add_event", papi.add_event, papi.error);
  Find(library, "PAPI_start", papi.start, papi.error);
  Find(library, "PAPI_stop", papi.stop, papi.error);
  Find(library, "PAPI_read", papi.read, papi.error);
  Find(library, "PAPI_cleanup_eventset", papi.cleanup_eventset, papi.error);
  Find(library, "PAPI_destroy_eventset", papi.destroy_eventset, papi.error);
}

// PAPI 7.0 reads the counters of the calling thread's CPU (rdpmc) even for a set that is attached
// to another thread, and returns them without an error. The component's description is PAPI's own
// variable: without this bit it reads by read(2), and reports what fails. A PAPI that the
// application has set up must not be changed.
std::string SeeToReads(const PAPI_component_info_t& component, bool ours) {
  if (!kReadsAttachedByRdpmc || component.fast_counter_read == 0) return {};
  if (!ours) {
    return fmt::format(
        "the program has initialised PAPI {}.{} itself, which reads other threads' counters "
        "wrongly: use ROOFMARK_COLLECTOR=perf_event, or PAPI 7.1 or newer",
        kMajor, kMinor);
  }
  const_cast<PAPI_component_info_t&>(component).fast_counter_read = 0;
  return {};
}

unsigned long ThisThread() { return static_cast<unsigned long>(pthread_self()); }

std::string Initialise(Library& papi, bool ours) {
  if (ours) {
    const int version = papi.library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) {
      return version == PAPI_EINVAL || version > 0
                 ? fmt::format(
                       "the PAPI library is not version {}.{}, for which this roofmark was "
                       "built",
                       kMajor, kMinor)
                 : fmt::format("PAPI cannot be initialised: {}", papi.strerror(version));
    }
  }
  // Without it PAPI takes no locks.
  if ((papi.is_initialized() & PAPI_THREAD_LEVEL_INITED) == 0) {
    if (const int error = papi.thread_init(&ThisThread); error != PAPI_OK) {
      return fmt::format("PAPI cannot count threads: {}", papi.strerror(error));
    }
  }
  return {};
}

std::string WhyNoThreads(Library& papi, bool ours) {
  papi.component = papi.get_component_index("perf_event");
  const PAPI_component_info_t* component =
      papi.component < 0 ? nullptr : papi.get_component_info(papi.component);
  if (component == nullptr) return "this PAPI was built without its component perf_event";
  if (component->disabled != 0) {
    const char* reason = component->disabled_reason;
    return fmt::format("PAPI's component perf_event is disabled here: {}",
                       *reason != 0 ? reason : papi.strerror(component->disabled));
  }
  return SeeToReads(*component, ours);
}

void Load(Library& papi) {
  const std::string versioned = fmt::format("libpapi.so.{}.{}", kMajor, kMinor);
  void* library = nullptr;
  // All symbols at once: to look one up when it is first called takes 3 KiB of the caller's stack.
  for (const char* name : {versioned.c_str(), "libpapi.so"}) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    papi.error = fmt::format("PAPI is not installed ({} cannot be loaded)", versioned);
    return;
  }
  FindAll(library, papi);
  if (!papi.error.empty()) return;
  const bool ours = papi.is_initialized() == PAPI_NOT_INITED;
  papi.error = Initialise(papi, ours);
  if (papi.error.empty()) papi.no_threads = WhyNoThreads(papi, ours);
}

// An array of fixed size in one of PAPI's structures: nothing says that it ends.
template <size_t kSize>
std::string Text(const char (&text)[kSize]) {
  return {text, strnlen(text, kSize)};
}

std::vector<std::string> PresetsOfThisCpu() {
  std::vector<std::string> names;
  const Library& papi = TheLibrary();
  int code = PAPI_PRESET_MASK;
  if (papi.enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK) return names;
  do {
    PAPI_event_info_t info;
    if (papi.get_event_info(code, &info) == PAPI_OK && info.count > 0) {
      names.push_back(Text(info.symbol));
    }
  } while (papi.enum_event(&code, PAPI_PRESET_ENUM_AVAIL) == PAPI_OK);
  return names;
}

Error Unknown(const std::string& name) {
  const std::vector<std::string> presets = PresetsOfThisCpu();
  const std::string nearest = events::Nearest(name, presets);
  return Error{fmt::format("{} does not know the event{}", Version(),
                           nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest))};
}

}  // namespace

const Library& TheLibrary() {
  static const Library* const papi = [] {  // never destroyed: threads may end after everything
    auto* loaded = new Library;
    Load(*loaded);
    return loaded;
  }();
  return *papi;
}

std::string WhyNoLibrary() { return TheLibrary().error; }

std::string WhyNoPapi() {
  const Library& papi = TheLibrary();
  return papi.error.empty() ? papi.no_threads : papi.error;
}

std::string Version() {
  const int version = TheLibrary().get_opt(PAPI_LIB_VERSION, nullptr);
  return fmt::format("PAPI {}.{}.{}", PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version),
                     PAPI_VERSION_REVISION(version));
}

Result<Definition> FindEvent(const std::string& name) {
  const Library& papi = TheLibrary();
  // PAPI copies names into arrays of this size.
  if (name.size() >= PAPI_MAX_STR_LEN) {
    return Error{fmt::format("the name is longer than the {} characters that PAPI takes",
                             PAPI_MAX_STR_LEN - 1)};
  }
  int code = 0;
  if (papi.event_name_to_code(name.c_str(), &code) != PAPI_OK) return Unknown(name);
  if (papi.query_event(code) != PAPI_OK) {
    return Error{fmt::format("{} does not have {} on this CPU", Version(), name)};
  }
  if (papi.get_event_component(code) != papi.component) {
    return Error{"it is counted by a component of PAPI that does not count threads"};
  }
  PAPI_event_info_t info;
  if (const int error = papi.get_event_info(code, &info); error != PAPI_OK) {
    return Error{fmt::format("{} cannot describe the event: {}", Version(), papi.strerror(error))};
  }
  Definition definition;
  definition.code = code;
  if ((code & PAPI_PRESET_MASK) == 0 || (code & PAPI_NATIVE_MASK) != 0) {
    definition.natives = {name};
    return definition;
  }
  for (size_t i = 0; i < std::min<size_t>(info.count, PAPI_MAX_INFO_TERMS); ++i) {
    definition.natives.push_back(Text(info.name[i]));
  }
  definition.derived = Text(info.derived);
  definition.postfix = Text(info.postfix);
  return definition;
}

std::string ExplainError(int error, bool with_kernel) {
  switch (error) {
    case PAPI_EPERM:
      return perf::ExplainOpen(EACCES, with_kernel).reason;
    case PAPI_ECNFLCT:
    case PAPI_ECOUNT:
      return "more counters are needed than the CPU has free at once: name fewer events";
    case PAPI_EISRUN:
      return "the program counts with PAPI itself, and PAPI allows one running set of events per "
             "thread: use ROOFMARK_COLLECTOR=perf_event";
    default:
      return fmt::format("PAPI says: {}", TheLibrary().strerror(error));
  }
}

}  // namespace roofmark::papi

#else

namespace roofmark::papi {

std::string WhyNoLibrary() { return "this roofmark was built without PAPI"; }
std::string WhyNoPapi() { return WhyNoLibrary(); }
std::string Version() { return {}; }
Result<Definition> FindEvent(const std::string&) { return Error{WhyNoPapi()}; }
std::string ExplainError(int, bool) { return WhyNoPapi(); }

}  // namespace roofmark::papi

#endif
