// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI's functions, found in the library. Only for files of the collectors that include papi.h.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_LIBRARY_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_LIBRARY_H_

#include <papi.h>

#include <mutex>
#include <string>

namespace roofmark::papi {

struct Library {
  decltype(&PAPI_is_initialized) is_initialized = nullptr;
  decltype(&PAPI_library_init) library_init = nullptr;
  decltype(&PAPI_thread_init) thread_init = nullptr;
  decltype(&PAPI_get_opt) get_opt = nullptr;
  decltype(&PAPI_set_opt) set_opt = nullptr;
  decltype(&PAPI_strerror) strerror = nullptr;
  decltype(&PAPI_get_component_index) get_component_index = nullptr;
  decltype(&PAPI_get_component_info) get_component_info = nullptr;
  decltype(&PAPI_event_name_to_code) event_name_to_code = nullptr;
  decltype(&PAPI_query_event) query_event = nullptr;
  decltype(&PAPI_get_event_info) get_event_info = nullptr;
  decltype(&PAPI_get_event_component) get_event_component = nullptr;
  decltype(&PAPI_enum_event) enum_event = nullptr;
  decltype(&PAPI_enum_cmp_event) enum_cmp_event = nullptr;
  decltype(&PAPI_event_code_to_name) event_code_to_name = nullptr;
  decltype(&PAPI_create_eventset) create_eventset = nullptr;
  decltype(&PAPI_assign_eventset_component) assign_eventset_component = nullptr;
  decltype(&PAPI_attach) attach = nullptr;
  decltype(&PAPI_add_event) add_event = nullptr;
  decltype(&PAPI_start) start = nullptr;
  decltype(&PAPI_stop) stop = nullptr;
  decltype(&PAPI_read) read = nullptr;
  decltype(&PAPI_cleanup_eventset) cleanup_eventset = nullptr;
  decltype(&PAPI_destroy_eventset) destroy_eventset = nullptr;

  std::string error;       // empty: PAPI is initialised
  std::string no_threads;  // empty: and it can count threads
  int component = -1;      // perf_event's
  // Sets are made and destroyed one at a time: PAPI's own locks do not cover all that they touch.
  mutable std::mutex sets;
};

const Library& TheLibrary();

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_LIBRARY_H_
