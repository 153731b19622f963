/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/owner.h"

/* One row per beginning of a name. A library's name may go on with what `more` says. */
enum more {
  kVersion, /* nothing but digits, '.', '-' or '_' and what follows them */
  kAnything
};
struct row {
  const char* beginning;
  uint32_t owner;
  enum more more;
  int below; /* the functions that programs call are in another library */
};

static const struct row kLibraries[] = {
    {"libmpi", ROOF_MPI, kVersion, 0},
    {"libmpich", ROOF_MPI, kAnything, 0},
    {"libmpicxx", ROOF_MPI, kVersion, 0},
    {"libmpifort", ROOF_MPI, kVersion, 0},
    {"libpmpi", ROOF_MPI, kVersion, 1},
    {"libopen-pal", ROOF_MPI, kVersion, 1},
    {"libopen-rte", ROOF_MPI, kVersion, 1},
    {"libprrte", ROOF_MPI, kVersion, 1},
    {"libpmix", ROOF_MPI, kVersion, 1},
    {"libpmi", ROOF_MPI, kVersion, 1},
    {"libmca_", ROOF_MPI, kAnything, 1}, /* Open MPI's and PMIx's parts */
    {"mca_", ROOF_MPI, kAnything, 1},
    {"libevent", ROOF_MPI, kVersion, 1}, /* the threads of PMIx wait in it */
    {"libmpl", ROOF_MPI, kVersion, 1},
    {"libucp", ROOF_MPI, kVersion, 1},
    {"libuct", ROOF_MPI, kVersion, 1},
    {"libucs", ROOF_MPI, kVersion, 1},
    {"libucm", ROOF_MPI, kVersion, 1},
    {"libucc", ROOF_MPI, kVersion, 1},
    {"libfabric", ROOF_MPI, kVersion, 1},
    {"libpsm2", ROOF_MPI, kVersion, 1},
    {"libhcoll", ROOF_MPI, kVersion, 1},
    {"libibverbs", ROOF_MPI, kVersion, 1},
    {"librdmacm", ROOF_MPI, kVersion, 1},
    {"libgomp", ROOF_RUNTIME, kVersion, 0},
    {"libomp", ROOF_RUNTIME, kVersion, 0},
    {"libiomp", ROOF_RUNTIME, kVersion, 0},
    {"libnvomp", ROOF_RUNTIME, kVersion, 0},
    {"libcraymp", ROOF_RUNTIME, kVersion, 0},
    {"libroofmark", ROOF_OWN, kAnything, 0},
    {"libc", ROOF_SERVICE, kVersion, 0},
    {"ld", ROOF_SERVICE, kVersion, 0},
    {"libpthread", ROOF_SERVICE, kVersion, 0},
    {"libdl", ROOF_SERVICE, kVersion, 0},
    {"librt", ROOF_SERVICE, kVersion, 0},
    {"libgcc_s", ROOF_SERVICE, kVersion, 0},
    {"libhwloc", ROOF_SERVICE, kVersion, 0},
    {"libnuma", ROOF_SERVICE, kVersion, 0},
    {"libjemalloc", ROOF_SERVICE, kVersion, 0},
    {"libtcmalloc", ROOF_SERVICE, kAnything, 0},
    {"libmimalloc", ROOF_SERVICE, kVersion, 0},
};

/* The names that the interfaces reserve. Functions that these call are of no interest. */
static const struct row kFunctions[] = {
    {"MPI_", ROOF_MPI, kAnything, 0},      {"PMPI_", ROOF_MPI, kAnything, 0},
    {"GOMP_", ROOF_RUNTIME, kAnything, 0}, {"gomp_", ROOF_RUNTIME, kAnything, 0},
    {"__kmp", ROOF_RUNTIME, kAnything, 0}, {"roofmark_", ROOF_OWN, kAnything, 0},
};

/* What follows `beginning` in `name`, or NULL. */
__attribute__((nonnull)) static const char* after(const char* name, const char* beginning) {
  while (*beginning && *name == *beginning) ++name, ++beginning;
  return *beginning ? 0 : name;
}

static int is_version(const char* rest) {
  return !*rest || *rest == '.' || *rest == '-' || *rest == '_' || (*rest >= '0' && *rest <= '9');
}

static const struct row* find(const struct row* rows, unsigned count, const char* name) {
  for (unsigned i = 0; i < count; ++i) {
    const char* rest = after(name, rows[i].beginning);
    if (rest && (rows[i].more == kAnything || is_version(rest))) return rows + i;
  }
  return 0;
}

static const char* without_folder(const char* file) {
  const char* name = file;
  for (; *file; ++file)
    if (*file == '/') name = file + 1;
  return name;
}

int roof_is_library(const char* file) {
  for (file = without_folder(file); *file; ++file) {
    const char* rest = after(file, ".so");
    if (rest && (!*rest || *rest == '.')) return 1;
  }
  return 0;
}

static const struct row* find_library(const char* file) {
  if (!roof_is_library(file)) return 0;
  return find(kLibraries, sizeof kLibraries / sizeof *kLibraries, without_folder(file));
}

uint32_t roof_owner_of_file(const char* file) {
  const struct row* row = find_library(file);
  return row ? row->owner : ROOF_PROGRAM;
}

uint32_t roof_interface_of_file(const char* file) {
  const struct row* row = find_library(file);
  return row && !row->below ? row->owner : ROOF_PROGRAM;
}

uint32_t roof_owner_of_function(const char* function) {
  const struct row* row = find(kFunctions, sizeof kFunctions / sizeof *kFunctions, function);
  return row ? row->owner : ROOF_PROGRAM;
}
