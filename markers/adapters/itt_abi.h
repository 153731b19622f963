// SPDX-License-Identifier: BSD-3-Clause
//
// What ITT's static part, which is linked into programs, hands to a collector and expects from it,
// as far as it is used here: types of its binary interface (ittnotify.h, ittnotify_config.h).
#ifndef ROOFMARK_MARKERS_ADAPTERS_ITT_ABI_H_
#define ROOFMARK_MARKERS_ADAPTERS_ITT_ABI_H_

#include <pthread.h>

#include <cstdint>

namespace roofmark::adapters::itt {

struct Id {
  unsigned long long words[3];
};

// Made by the static part. What is reserved for the collector is 0 at first.
struct Domain {
  volatile int flags;  // 0: the program has switched it off
  const char* name;
  void* wide_name;
  int reserved_number;
  void* reserved_pointer;
  Domain* next;
};
struct StringHandle {
  const char* text;
  void* wide_text;
  int reserved_number;
  void* reserved_pointer;
  StringHandle* next;
};

// One function of the interface: the program calls what `pointer` leads to, if that is not null.
struct Api {
  const char* name;
  void** pointer;
  void* at_start;
  void* without_collector;
  int group;
};

struct Global {
  unsigned char magic[8];
  unsigned long major, minor, build;
  volatile long initialised, mutex_initialised, counter;
  pthread_mutex_t mutex;
  void* library;
  void* error_handler;
  const char** library_path;
  Api* apis;  // up to one without a name
};
// From it on an Api has the member `without_collector`.
inline constexpr unsigned long kLeastBuild = 20111111;

}  // namespace roofmark::adapters::itt

#endif  // ROOFMARK_MARKERS_ADAPTERS_ITT_ABI_H_
