/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Latencies as text, "dp_add=4,load_dram=320,...", which is how a process hands them to an engine.
 */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_LATENCY_TEXT_H_
#define ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_LATENCY_TEXT_H_

#include <stddef.h>

#include "collectors/counting/dataflow/latencies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One row: its name in texts, its place in struct roof_latencies, and a short value that current
 * x86-64 cores have, for what was not measured. These values are estimates and of no one CPU: only
 * where the core is not faster is a time made of them a lower bound. */
struct roof_latency_row {
  const char* name;
  uint16_t offset; /* in bytes */
  uint16_t usual;
};
/* Rows in the order of the structure; a row without name ends them. */
const struct roof_latency_row* roof_latency_rows(void);

/* Sets all to what is usual, then those that the text names; "units_dp_add=12,busy_dp_div=5" are of
 * the classes of operations that have these rows. Returns NULL, or where the text cannot
 * be read: at an unknown name, or a value that is no number from 0 to 65535 (from 1 for width,
 * window and misses of either kind). */
const char* roof_latencies_parse(const char* text, struct roof_latencies* out);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_LATENCY_TEXT_H_ */
