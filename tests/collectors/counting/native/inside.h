/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the translator keeps to itself, for tests: its header is C alone. */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_INSIDE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_INSIDE_H_

#include "collectors/counting/native/native.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lowest address of the file of the only module; 0: there is none, or more than one. */
uint64_t roof_test_only_base(const struct roof_native* native);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_INSIDE_H_ */
