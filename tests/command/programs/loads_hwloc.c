// SPDX-License-Identifier: BSD-3-Clause
//
// loads_hwloc FILE: reads an hwloc XML file without roofmark, and walks through it. 0: hwloc takes
// it; 1: hwloc refuses it. Otherwise hwloc crashes with it.
#include <hwloc.h>

int main(int argc, char** argv) {
  hwloc_topology_t topology;
  if (argc != 2 || hwloc_topology_init(&topology) != 0) return 2;
  if (hwloc_topology_set_xml(topology, argv[1]) != 0) return 1;
  if (hwloc_topology_load(topology) != 0) return 1;
  int seen = 0;
  for (hwloc_obj_type_t type = HWLOC_OBJ_MACHINE; type < HWLOC_OBJ_TYPE_MAX; ++type) {
    hwloc_obj_t obj = NULL;
    while ((obj = hwloc_get_next_obj_by_type(topology, type, obj)) != NULL) {
      for (hwloc_obj_t up = obj; up != NULL; up = up->parent) seen = 1;
      if (obj->cpuset == NULL) continue;
      if (hwloc_get_nbobjs_inside_cpuset_by_type(topology, obj->cpuset, HWLOC_OBJ_CORE) > 0)
        seen = 1;
    }
  }
  hwloc_topology_destroy(topology);
  return seen == 0;
}
