// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/component.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectors/hardware/papi/api.h"

namespace roofmark::papi {

std::string_view ComponentOf(std::string_view name) {
  const size_t colons = name.find(":::");
  return colons == std::string_view::npos ? kUncore : name.substr(0, colons);
}

}  // namespace roofmark::papi

#ifdef ROOFMARK_HAVE_PAPI
#include <cstring>

#include "collectors/hardware/papi/library.h"

namespace roofmark::papi {
namespace {

// Calls visit(code, name) of each.
template <typename Visit>
void ForEach(const Library& papi, int component, Visit visit) {
  int code = PAPI_NATIVE_MASK;
  if (papi.enum_cmp_event(&code, PAPI_ENUM_FIRST, component) != PAPI_OK) return;
  do {
    char name[PAPI_MAX_STR_LEN + 1] = "";
    if (papi.event_code_to_name(code, name) == PAPI_OK) visit(code, std::string_view(name));
  } while (papi.enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) == PAPI_OK);
}

// Some components are initialised when they are first used.
bool IsOn(const PAPI_component_info_t& info) {
#ifdef PAPI_EDELAY_INIT
  if (info.disabled == PAPI_EDELAY_INIT) return true;
#endif
  return info.disabled == 0;
}

// Empty, or: PAPI does not have the component, or has switched it off.
std::string WhyNoComponent(const Library& papi, const std::string& component) {
  const int index = papi.get_component_index(component.c_str());
  const PAPI_component_info_t* info = index < 0 ? nullptr : papi.get_component_info(index);
  if (info == nullptr)
    return fmt::format("this PAPI was built without its component {}", component);
  if (IsOn(*info)) return {};
  const char* reason = info->disabled_reason;
  return fmt::format("{}'s component {} is disabled here: {}", Version(), component,
                     *reason != 0 ? reason : papi.strerror(info->disabled));
}

// pcp prints a name that it does not know to stderr, which is the application's.
bool PrintsUnknownNames(std::string_view component) { return component == "pcp"; }

bool FindCode(const Library& papi, const std::string& name, const std::string& component,
              int& code) {
  if (!PrintsUnknownNames(component)) {
    return papi.event_name_to_code(name.c_str(), &code) == PAPI_OK;
  }
  bool found = false;
  ForEach(papi, papi.get_component_index(component.c_str()), [&](int each, std::string_view known) {
    if (found || known != name) return;
    code = each;
    found = true;
  });
  return found;
}

}  // namespace

Result<Native> FindNative(const std::string& name) {
  if (const std::string why = WhyNoLibrary(); !why.empty()) return Error{why};
  const Library& papi = TheLibrary();
  if (name.size() >= PAPI_MAX_STR_LEN) {
    return Error{fmt::format("the name is longer than the {} characters that PAPI takes",
                             PAPI_MAX_STR_LEN - 1)};
  }
  const std::string component(ComponentOf(name));
  if (std::string why = WhyNoComponent(papi, component); !why.empty()) {
    return Error{std::move(why)};
  }
  Native native;
  if (!FindCode(papi, name, component, native.code)) {
    return Error{fmt::format(
        "{} does not know the event; `papi_native_avail` lists all that it has", Version())};
  }
  native.component = papi.get_event_component(native.code);
  if (native.component == papi.component || native.component < 0) {
    return Error{"it counts for threads, not for a package: name it in ROOFMARK_EVENTS"};
  }
  return native;
}

std::vector<std::string> NamesIn(std::string_view component) {
  std::vector<std::string> names;
  if (!WhyNoLibrary().empty()) return names;
  const Library& papi = TheLibrary();
  if (!WhyNoComponent(papi, std::string(component)).empty()) return names;
  ForEach(papi, papi.get_component_index(std::string(component).c_str()),
          [&](int, std::string_view name) { names.emplace_back(name); });
  return names;
}

}  // namespace roofmark::papi

#else

namespace roofmark::papi {

Result<Native> FindNative(const std::string&) { return Error{WhyNoLibrary()}; }
std::vector<std::string> NamesIn(std::string_view) { return {}; }

}  // namespace roofmark::papi

#endif
