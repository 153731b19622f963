/* SPDX-License-Identifier: BSD-3-Clause
 *
 * caliper [hostile]: a program with Caliper's annotations of many kinds. */
#include <caliper/cali.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Of the headers of Caliper 1 and 2, whose macros they were part of. */
extern cali_id_t cali_function_attr_id;
int cali_safe_end_string(cali_id_t attr, const char* value);

static void OldFunction(void) {
  if (cali_function_attr_id == CALI_INV_ID) cali_init();
  cali_begin_string(cali_function_attr_id, __func__);
  cali_safe_end_string(cali_function_attr_id, __func__);
}

static void Work(void) {
  CALI_MARK_FUNCTION_BEGIN;
  CALI_MARK_LOOP_BEGIN(steps, "steps");
  for (int i = 0; i < 3; ++i) {
    CALI_MARK_ITERATION_BEGIN(steps, i);
    CALI_WRAP_STATEMENT("sum", OldFunction());
    CALI_MARK_ITERATION_END(steps);
  }
  CALI_MARK_LOOP_END(steps);
  CALI_MARK_FUNCTION_END;
}

static void ByName(void) {
  cali_begin_string_byname("kernel", "stencil");
  cali_begin_int_byname("level", 3);
  cali_end_byname("level");
  cali_end_byname("kernel");
  cali_begin_byname("flag");
  cali_end_byname("flag");
  const cali_id_t stage = cali_create_attribute("stage", CALI_TYPE_STRING, CALI_ATTR_NESTED);
  const cali_id_t file = cali_create_attribute("file", CALI_TYPE_STRING, CALI_ATTR_ASVALUE);
  printf("found %d\n", cali_find_attribute("stage") == stage);
  cali_begin_string(stage, "assembly");
  cali_begin_string(file, "mesh.dat");
  cali_end(file);
  cali_end_byname("stage");
}

static void OtherKinds(void) {
  cali_begin_phase("phase");
  cali_begin_comm_region("exchange");
  cali_end_comm_region("exchange");
  cali_end_phase("phase");
  const cali_id_t flags = cali_create_attribute("switch", CALI_TYPE_BOOL, CALI_ATTR_NESTED);
  const cali_id_t step = cali_create_attribute("dt", CALI_TYPE_DOUBLE, CALI_ATTR_ASVALUE);
  cali_begin(flags);
  cali_begin_double(step, 0.5);
  cali_begin_region("within");
  cali_end_region("within");
  cali_end(step);
  cali_begin_double_byname("dt", 0.25);
  cali_end_byname("dt");
  cali_end(flags);
}

static void DoEverythingWrong(void) {
  cali_end(12345);
  cali_end_byname("never");
  cali_end_region("never");
  char name[5000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  cali_begin_region(name);
  cali_end_region(name);
  cali_begin_string(999, "unknown attribute");
  cali_begin_region("inside");
  cali_end(999);
  cali_end_region("inside");
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < 1000; ++i) cali_begin_string_byname("deep", "deep");
    for (int i = 0; i < 1100; ++i) cali_end_byname("deep");
    CALI_MARK_BEGIN("crowd");
    CALI_MARK_END("crowd");
  }
  cali_begin_region("left open");
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "hostile") == 0) {
    DoEverythingWrong();
  } else {
    CALI_MARK_BEGIN("main");
    Work();
    ByName();
    OtherKinds();
    CALI_MARK_END("main");
#pragma omp parallel num_threads(2)
    {
      CALI_MARK_BEGIN("worker");
      CALI_MARK_END("worker");
    }
  }
  puts("done");
  return 0;
}
