/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the native engine's plug-in, which is plain C and needs Zydis, does for the library that
 * loads it. Each of a thread's calls may return in translated code. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_CALLS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_CALLS_H_

#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOF_NATIVE_CALLS_VERSION 1
#define ROOF_NATIVE_CALLS_ENTRY "roofmark_native_calls"

/* The next sigaction(2) behind roofmark's. */
typedef int (*roof_native_sigaction)(int, const struct sigaction*, struct sigaction*);

struct roof_native_sums {
  void* cookie;
  void (*add)(void* cookie, uint32_t thread, uint32_t path, uint32_t layer,
              const uint64_t* counters);
  void (*incomplete)(void* cookie, uint32_t path, const char* reason, uint64_t exits);
};

struct roof_native_calls {
  uint32_t version;
  /* NULL, or why it does not count here. `threads_on_the_way`: how many that pthread_create made
   * have not called thread_began yet. Called by the main thread. */
  const char* (*start)(roof_native_sigaction next, int (*threads_on_the_way)(void));
  void (*team)(uint32_t path, int counted);
  void (*own)(uint32_t path, int counted);
  void (*thread_began)(void);
  void (*thread_ended)(void);
  void (*enter_layer)(uint32_t layer);
  void (*leave_layer)(void);
  /* The sums so far. */
  void (*harvest)(const struct roof_native_sums* to);
  /* From here on everything or nothing is counted, on all threads. */
  void (*count)(int everything);
  /* Libraries were unloaded. */
  void (*files_changed)(void);
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
};

typedef const struct roof_native_calls* (*roof_native_calls_entry)(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_CALLS_H_ */
