/* SPDX-License-Identifier: BSD-3-Clause
 *
 * closes_plugin LIBRARY: its markers' sites and names are gone when the profile is taken. */
#include <dlfcn.h>
#include <roofmark/roofmark.h>
#include <stdio.h>

int main(int argc, char** argv) {
  ROOF_REGION_BEGIN("main");
  void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (plugin == NULL) return 1;
  void (*work)(void);
  *(void**)&work = dlsym(plugin, "Work");
  work();
  dlclose(plugin);
  if (dlopen(argv[1], RTLD_NOLOAD | RTLD_LAZY) != NULL) return 2; /* still there: no test */
  ROOF_REGION_END("main");
  printf("done\n");
  return 0;
}
