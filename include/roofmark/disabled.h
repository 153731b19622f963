/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What roofmark.h includes with ROOFMARK_DISABLE: the same macros and functions, which do nothing
 * and need no library. Names are still checked to be literals, and arguments count as used but are
 * not evaluated. */
#ifndef ROOFMARK_DISABLED_H_
#define ROOFMARK_DISABLED_H_

#ifndef ROOFMARK_DISABLE
#error "include <roofmark/roofmark.h> instead, with ROOFMARK_DISABLE defined"
#endif

static inline void roofmark_begin(const char* name) { (void)name; }
static inline void roofmark_end(const char* name) { (void)name; }
static inline void roofmark_work(uint64_t flops, uint64_t bytes) {
  (void)flops;
  (void)bytes;
}
static inline void roofmark_operations(const char* kind, uint64_t count) {
  (void)kind;
  (void)count;
}
static inline void roofmark_pause(void) {}
static inline void roofmark_resume(void) {}
static inline int roofmark_active(void) { return 0; }

#define ROOFMARK_TEXT2_(text) #text
#define ROOFMARK_TEXT_(text) ROOFMARK_TEXT2_(text)
static inline const char* roofmark_version(void) {
  return ROOFMARK_TEXT_(ROOFMARK_VERSION_MAJOR) "." ROOFMARK_TEXT_(
      ROOFMARK_VERSION_MINOR) "." ROOFMARK_TEXT_(ROOFMARK_VERSION_PATCH);
}

static inline void roofmark_site_begin(roofmark_site* site, int level) {
  (void)site;
  (void)level;
}
static inline void roofmark_site_end(roofmark_site* site) { (void)site; }
static inline void roofmark_site_work(roofmark_site* site, uint64_t flops, uint64_t bytes) {
  (void)site;
  (void)flops;
  (void)bytes;
}
static inline void roofmark_site_operations(roofmark_site* site, uint64_t count) {
  (void)site;
  (void)count;
}

#define ROOF_REGION_BEGIN(name) \
  ((void)sizeof(ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name)))
#define ROOF_REGION_END(name) \
  ((void)sizeof(ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name)))
#define ROOF_REGION_WORK(flops, bytes) \
  do {                                 \
    if (0) {                           \
      (void)(flops);                   \
      (void)(bytes);                   \
    }                                  \
  } while (0)
#define ROOF_REGION_OPERATIONS(kind, count)                          \
  do {                                                               \
    (void)sizeof(ROOFMARK_NO_LITERAL_USE_roofmark_operations(kind)); \
    if (0) (void)(count);                                            \
  } while (0)

#define ROOF_FUNCTION ((void)0)

#endif /* ROOFMARK_DISABLED_H_ */
