/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private: addresses and tags become records. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_READ_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_READ_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Records of `count` accesses whose lines are sampled; those that cross lines are taken as well,
 * because the model looks at each of their lines. Reads up to 7 places beyond `count`, writes none
 * that it does not return. */
uint32_t roof_native_sample_base(const uint64_t* address, const uint64_t* tag, uint32_t count,
                                 uint32_t shift, uint64_t* out);
uint32_t roof_native_sample_avx2(const uint64_t* address, const uint64_t* tag, uint32_t count,
                                 uint32_t shift, uint64_t* out);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_READ_H_ */
