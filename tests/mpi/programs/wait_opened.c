/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens MPI as a plug-in of its own, so that only the plug-in's calls find it. */
#include <dlfcn.h>
#include <roofmark/roofmark.h>
#include <stdio.h>

int main(void) {
  void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 5;
  }
  int (*job)(void);
  *(void**)&job = dlsym(plugin, "Job");
  /* Everybody sees roofmark. */
  return job == NULL || roofmark_version() == NULL ? 6 : job();
}
