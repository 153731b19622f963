/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded: hwloc as it is for a file that it does not survive. */
#include <stdlib.h>

int hwloc_topology_load(void* topology);
int hwloc_topology_load(void* topology) {
  (void)topology;
  abort();
}
