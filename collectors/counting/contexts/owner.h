/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose code it is, by the name of the file or the function that it is in. Plain C without libc,
 * for every engine. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_OWNER_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_OWNER_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum roof_owner {
  ROOF_PROGRAM = 0, /* and the libraries that do its work */
  ROOF_SERVICE = 1, /* libc and the like: what they execute belongs to whoever called them */
  ROOF_MPI = 2,     /* an MPI library, what it loads, and the communication libraries below it */
  ROOF_RUNTIME = 3, /* an OpenMP runtime */
  ROOF_OWN = 4      /* roofmark */
};

/* `file`: with or without its folder. An executable is the program's. */
uint32_t roof_owner_of_file(const char* file);
/* The same, if the functions that programs call are in this file: not what lies below MPI. */
uint32_t roof_interface_of_file(const char* file);
int roof_is_library(const char* file);

/* Of a function in an executable into which libraries may be linked. */
uint32_t roof_owner_of_function(const char* function);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_OWNER_H_ */
