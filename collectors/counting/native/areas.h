/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the plug-in: the areas of contexts. With the lock held. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREAS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREAS_H_

#include "collectors/counting/native/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the context that the thread is in now. NULL without memory. */
struct roof_native_area* roof_native_choose_area(struct roof_native_thread* thread);
/* Its thread is in the area, and in this context of it. Uses general registers alone. */
void roof_native_be_in(struct roof_native_area* area, struct roof_context* context);
/* The area in which code of `version` counts what the context does; NULL: there is none yet. */
struct roof_native_area* roof_native_area_with(const struct roof_context* context,
                                               uint32_t* version);
/* What the thread counted goes to its contexts, and its areas to others. */
void roof_native_take_back_areas(struct roof_native_thread* thread);

/* Pages of the kernel, for anybody at any time. */
struct roof_memory roof_native_pages(void);
/* Memory that is never given back, from the kernel, zeroed. */
struct roof_memory roof_native_memory(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREAS_H_ */
