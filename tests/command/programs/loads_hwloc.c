// SPDX-License-Identifier: BSD-3-Clause
//
// loads_hwloc FILE: reads an hwloc XML file without roofmark. 0: hwloc takes it, and it holds
// together; 1: hwloc refuses it. hwloc aborts or crashes with what it does not survive.
#include <hwloc.h>

int main(int argc, char** argv) {
  hwloc_topology_t topology;
  if (argc != 2 || hwloc_topology_init(&topology) != 0) return 2;
  if (hwloc_topology_set_xml(topology, argv[1]) != 0) return 1;
  if (hwloc_topology_load(topology) != 0) return 1;
  hwloc_topology_check(topology);
  hwloc_topology_destroy(topology);
  return 0;
}
