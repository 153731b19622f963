/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marked code of which a part is recorded; the first argument chooses what happens. */
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <string.h>

static void Pack(int flops) {
  ROOF_REGION_BEGIN("pack");
  ROOF_REGION_WORK(flops, 0);
  ROOF_REGION_END("pack");
}

static void Multiply(int flops) {
  ROOF_REGION_BEGIN("mul");
  ROOF_REGION_WORK(flops, 0);
  if (flops == 100) Pack(3);
  ROOF_REGION_END("mul");
}

/* solve/halo/pack, solve/mul/pack, setup/mul: FLOPs 10, 1, 2, 100, 3 and 1000. */
static void Tree(void) {
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("solve");
    ROOF_REGION_WORK(10, 0);
    roofmark_begin("halo");
    ROOF_REGION_WORK(1, 0);
    Pack(2);
    roofmark_end("halo");
    Multiply(100);
    ROOF_REGION_END("solve");
  }
  ROOF_REGION_BEGIN("setup");
  Multiply(1000);
  ROOF_REGION_END("setup");
}

static void Mismatched(void) {
  ROOF_REGION_BEGIN("solve");
  ROOF_REGION_BEGIN("halo");
  ROOF_REGION_END("mul");   /* is not open: ignored */
  ROOF_REGION_END("solve"); /* closes halo */
  ROOF_REGION_END("halo");  /* is not open any more */
}

/* Declares operations of another kind than the region around it. */
static void Kinds(void) {
  ROOF_REGION_BEGIN("solve");
  ROOF_REGION_BEGIN("halo");
  ROOF_REGION_OPERATIONS("messages", 2);
  ROOF_REGION_END("halo");
  ROOF_REGION_OPERATIONS("updates", 5);
  ROOF_REGION_END("solve");
}

static void* OnThread(void* name) {
  for (int i = 0; i < 10; ++i) {
    roofmark_begin(name);
    ROOF_REGION_BEGIN("inside");
    ROOF_REGION_WORK(1, 0);
    ROOF_REGION_END("inside");
    roofmark_end(name);
  }
  return NULL;
}

/* A team region that is left out, and threads' own regions in it. */
static void Threads(void) {
  static char mine[] = "mine";
  ROOF_REGION_BEGIN("step");
  ROOF_REGION_BEGIN("team");
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, OnThread, mine);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  ROOF_REGION_END("team");
  ROOF_REGION_END("step");
}

/* 1 if a marker of "halo" is not off after its first visit. */
static int IsOn(void) {
  static roofmark_site site = ROOFMARK_SITE_("halo"), end = ROOFMARK_SITE_("halo");
  roofmark_site_begin(&site, -1);
  roofmark_site_end(&end);
  return site.state != ROOFMARK_SITE_OFF || end.state != ROOFMARK_SITE_OFF;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "tree")) Tree();
  if (!strcmp(mode, "mismatched")) Mismatched();
  if (!strcmp(mode, "kinds")) Kinds();
  if (!strcmp(mode, "threads")) Threads();
  const int status = !strcmp(mode, "site") ? IsOn() : 0;
  printf("done\n");
  return status;
}
