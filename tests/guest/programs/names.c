/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions: many, deep, oddly named, not closed. */
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

static void VisitNames(int names) {
  char name[32];
  for (int i = 0; i < names; ++i) {
    snprintf(name, sizeof name, "name %d", i);
    roofmark_begin(name);
    roofmark_end(name);
  }
  printf("%d names\n", names);
}

void Guest_some_names(void) { VisitNames(2000); }
void Guest_many_names(void) { VisitNames(66000); }

static int Descend(int depth) {
  ROOF_REGION_BEGIN("level");
  const int reached = depth == 0 ? 0 : 1 + Descend(depth - 1);
  ROOF_REGION_END("level");
  return reached;
}

static int DescendNamed(int depth) {
  char name[32];
  snprintf(name, sizeof name, "level %d", depth);
  roofmark_begin(name);
  const int reached = depth == 0 ? 0 : 1 + DescendNamed(depth - 1);
  roofmark_end(name);
  return reached;
}

void Guest_deep_regions(void) {
  printf("depth %d\n", Descend(10000));
  printf("depth of names %d\n", DescendNamed(300));
}

void Guest_odd_names(void) {
  static char longest[1 << 20];
  memset(longest, 'x', sizeof longest - 1);
  const char* const kNames[] = {"", "/", "//", "a/b", "\\", "\n", "\xff\xfe", "\"", longest};
  for (size_t i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) {
    roofmark_begin(kNames[i]);
    roofmark_end(kNames[i]);
  }
  puts("done");
}

void Guest_unbalanced(void) {
  ROOF_REGION_END("never begun");
  for (int i = 0; i < 1000; ++i) ROOF_REGION_BEGIN("never ended");
  ROOF_REGION_END("another");
  puts("done");
}
