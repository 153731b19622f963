// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/hardware/papi/stand_in.h"

#include <papi.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int kPcp = 1;  // perf_event is 0

struct Event {
  std::string name;
  long long value = 0, zero = 0;  // one zero for all sets of the process
};

struct Set {
  std::vector<size_t> events;
  unsigned long thread = 0;  // that made it
  bool running = false;
};

std::vector<Event> MakeEvents() {
  std::vector<Event> events;
  for (const char* cpu : {"0", "1"}) {
    for (const char* mba : {"0", "1", "2", "3"}) {
      for (const char* direction : {"READ", "WRITE"}) {
        events.push_back({std::string("pcp:::perfevent.hwcounters.nest_mba") + mba + "_imc.PM_MBA" +
                          mba + "_" + direction + "_BYTES.value:cpu" + cpu});
      }
    }
  }
  events.push_back({"pcp:::kernel.all.load:1 minute"});
  return events;
}

struct State {
  std::recursive_mutex mutex;
  std::vector<Event> events = MakeEvents();
  std::map<int, Set> sets;
  int next_set = 0;
  bool initialised = false, fails = false;
  unsigned long (*thread)() = nullptr;
  PAPI_component_info_t components[2] = {};
};

State& The() {
  static State& state = *new State;
  return state;
}

Event* Find(const std::string& name) {
  for (Event& event : The().events) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

size_t IndexOf(int code) { return static_cast<size_t>(code & PAPI_NATIVE_AND_MASK); }

int Read(Set& set, long long* values) {
  if (The().fails) return PAPI_EMISC;
  for (const size_t index : set.events) {
    *values++ = The().events[index].value - The().events[index].zero;
  }
  return PAPI_OK;
}

}  // namespace

extern "C" {

void stand_in_count(const char* name, long long n) {
  const std::lock_guard lock(The().mutex);
  Find(name)->value += n;
}
void stand_in_fail(int fails) { The().fails = fails != 0; }
void stand_in_restart() {
  const std::lock_guard lock(The().mutex);
  for (Event& event : The().events) event.value = 0;
}
int stand_in_running() {
  int running = 0;
  for (const auto& [id, set] : The().sets) running += set.running;
  return running;
}

int PAPI_is_initialized() {
  if (!The().initialised) return PAPI_NOT_INITED;
  return PAPI_LOW_LEVEL_INITED | (The().thread == nullptr ? 0 : PAPI_THREAD_LEVEL_INITED);
}
int PAPI_library_init(int version) {
  The().initialised = true;
  strcpy(The().components[0].name, "perf_event");
  strcpy(The().components[0].disabled_reason, "no counters of threads in the stand-in");
  The().components[0].disabled = PAPI_ECMP;
  strcpy(The().components[1].name, "pcp");
  return version;
}
int PAPI_thread_init(unsigned long (*id)()) {
  The().thread = id;
  return PAPI_OK;
}
int PAPI_get_opt(int option, PAPI_option_t*) {
  return option == PAPI_LIB_VERSION ? PAPI_VERSION : PAPI_EINVAL;
}
int PAPI_set_opt(int, PAPI_option_t*) { return PAPI_OK; }
char* PAPI_strerror(int) {
  static char text[] = "the stand-in's error";
  return text;
}
int PAPI_get_component_index(const char* name) {
  for (int i = 0; i < 2; ++i) {
    if (strcmp(The().components[i].name, name) == 0) return i;
  }
  return PAPI_ENOCMP;
}
const PAPI_component_info_t* PAPI_get_component_info(int index) { return &The().components[index]; }
int PAPI_event_name_to_code(const char* name, int*) {
  fprintf(stderr, "pcp: Failed to find name='%s'.\n", name);
  return PAPI_ENOEVNT;
}
int PAPI_query_event(int) { return PAPI_OK; }
int PAPI_get_event_info(int, PAPI_event_info_t*) { return PAPI_ENOEVNT; }
int PAPI_get_event_component(int) { return kPcp; }
int PAPI_enum_event(int*, int) { return PAPI_ENOEVNT; }
int PAPI_enum_cmp_event(int* code, int modifier, int component) {
  if (component != kPcp) return PAPI_ENOCMP;
  const size_t next = modifier == PAPI_ENUM_FIRST ? 0 : IndexOf(*code) + 1;
  if (next >= The().events.size()) return PAPI_ENOEVNT;
  *code = static_cast<int>(next) | PAPI_NATIVE_MASK;
  return PAPI_OK;
}
int PAPI_event_code_to_name(int code, char* name) {
  strcpy(name, The().events[IndexOf(code)].name.c_str());
  return PAPI_OK;
}
int PAPI_create_eventset(int* id) {
  const std::lock_guard lock(The().mutex);
  *id = The().next_set++;
  The().sets[*id].thread = The().thread();
  return PAPI_OK;
}
int PAPI_assign_eventset_component(int, int) { return PAPI_OK; }
int PAPI_attach(int, unsigned long) { return PAPI_ECMP; }
int PAPI_add_event(int id, int code) {
  const std::lock_guard lock(The().mutex);
  The().sets[id].events.push_back(IndexOf(code));
  return PAPI_OK;
}
int PAPI_start(int id) {
  const std::lock_guard lock(The().mutex);
  Set& set = The().sets[id];
  for (const auto& [other, each] : The().sets) {
    if (each.running && each.thread == set.thread) return PAPI_EISRUN;
  }
  for (const size_t index : set.events) The().events[index].zero = The().events[index].value;
  set.running = true;
  return PAPI_OK;
}
int PAPI_read(int id, long long* values) {
  const std::lock_guard lock(The().mutex);
  return Read(The().sets[id], values);
}
int PAPI_stop(int id, long long* values) {
  const std::lock_guard lock(The().mutex);
  const int error = Read(The().sets[id], values);
  if (error == PAPI_OK) The().sets[id].running = false;
  return error;
}
int PAPI_cleanup_eventset(int id) {
  const std::lock_guard lock(The().mutex);
  return The().sets[id].running ? PAPI_EISRUN : PAPI_OK;
}
int PAPI_destroy_eventset(int* id) {
  const std::lock_guard lock(The().mutex);
  if (The().sets[*id].running) return PAPI_EISRUN;
  The().sets.erase(*id);
  *id = PAPI_NULL;
  return PAPI_OK;
}

}  // extern "C"
