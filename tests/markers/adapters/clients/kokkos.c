/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kokkos [hostile]: a program that loads and calls a tool as Kokkos does (after 3.6, or before),
 * with the types of Kokkos' own header. */
#include <Kokkos_Profiling_C_Interface.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct Kokkos_Profiling_EventSet g_tool;

static void Find(void* library, const char* name, void* function) {
  void* found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
}

static void Load(const char* variable) {
  const char* name = getenv(variable);
  void* library = name == NULL ? NULL : dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) return;
  Find(library, "kokkosp_init_library", &g_tool.init);
  Find(library, "kokkosp_begin_parallel_for", &g_tool.begin_parallel_for);
  Find(library, "kokkosp_end_parallel_for", &g_tool.end_parallel_for);
  Find(library, "kokkosp_begin_parallel_reduce", &g_tool.begin_parallel_reduce);
  Find(library, "kokkosp_end_parallel_reduce", &g_tool.end_parallel_reduce);
  Find(library, "kokkosp_begin_parallel_scan", &g_tool.begin_parallel_scan);
  Find(library, "kokkosp_end_parallel_scan", &g_tool.end_parallel_scan);
  Find(library, "kokkosp_push_profile_region", &g_tool.push_region);
  Find(library, "kokkosp_pop_profile_region", &g_tool.pop_region);
  Find(library, "kokkosp_request_tool_settings", &g_tool.request_tool_settings);
  struct Kokkos_Tools_ToolSettings settings = {.requires_global_fencing = true};
  if (g_tool.request_tool_settings != NULL) g_tool.request_tool_settings(1, &settings);
  if (settings.requires_global_fencing) fputs("the tool wants fences\n", stderr);
  if (g_tool.init != NULL) g_tool.init(0, KOKKOSP_INTERFACE_VERSION, 0, NULL);
}

static void Kernel(Kokkos_Profiling_beginFunction begin, Kokkos_Profiling_endFunction end,
                   const char* label) {
  uint64_t id = 0;
  if (begin != NULL) begin(label, 0, &id);
  if (end != NULL) end(id);
}

static void Work(void) {
  if (g_tool.push_region != NULL) g_tool.push_region("step");
  for (int i = 0; i < 3; ++i) {
    Kernel(g_tool.begin_parallel_for, g_tool.end_parallel_for, "axpy");
    Kernel(g_tool.begin_parallel_reduce, g_tool.end_parallel_reduce, "dot");
  }
  Kernel(g_tool.begin_parallel_scan, g_tool.end_parallel_scan, "offsets");
  if (g_tool.pop_region != NULL) g_tool.pop_region();
#pragma omp parallel num_threads(2)
  Kernel(g_tool.begin_parallel_for, g_tool.end_parallel_for, "worker");
}

static void DoEverythingWrong(void) {
  static char label[5000];
  memset(label, 'n', sizeof label - 1);
  Kernel(g_tool.begin_parallel_for, g_tool.end_parallel_for, label);
  Kernel(g_tool.begin_parallel_for, g_tool.end_parallel_for, NULL);
  if (g_tool.begin_parallel_for == NULL) return;
  g_tool.pop_region();
  g_tool.end_parallel_for(12345);
  g_tool.end_parallel_scan(~UINT64_C(0));
  g_tool.push_region(NULL);
  g_tool.pop_region();
  g_tool.push_region("left open");
}

int main(int argc, char** argv) {
  Load(getenv("OLD_KOKKOS") == NULL ? "KOKKOS_TOOLS_LIBS" : "KOKKOS_PROFILE_LIBRARY");
  argc > 1 && strcmp(argv[1], "hostile") == 0 ? DoEverythingWrong() : Work();
  puts("done");
  return 0;
}
