// SPDX-License-Identifier: BSD-3-Clause
//
// A program that executes itself by /proc/self/exe. Under Valgrind the kernel's /proc/self/exe is
// the tool; Valgrind answers readlink() and open() of it with the program, but not execve().
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/counting/valgrind/protocol.h"
#include "lib/core/descriptor.h"

#ifdef I_WRAP_SONAME_FNNAME_ZU

namespace {

constexpr char kSelf[] = "/proc/self/exe";

// Whatever it is called.
bool IsTheTool(const char* path) {
  struct stat tool, file;
  return path != nullptr && stat(kSelf, &tool) == 0 && stat(path, &file) == 0 &&
         roofmark::OpenFile::Of(tool) == roofmark::OpenFile::Of(file);
}

}  // namespace

// Valgrind calls it in place of libc's execve, which it finds by the name of this function: exec*()
// and posix_spawn() are covered. Natively nobody calls it. As safe as execve: no memory, no lock.
extern "C" __attribute__((visibility("default"))) int I_WRAP_SONAME_FNNAME_ZU(libcZdsoZa, execve)(
    const char* path, char* const argv[], char* const envp[]) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  char program[4096];
  if (IsTheTool(path)) {
    const ssize_t length = readlink(kSelf, program, sizeof program - 1);
    if (length > 0) {
      program[length] = '\0';
      path = program;
    }
  }
  unsigned long result;
  CALL_FN_W_WWW(result, original, path, argv, envp);
  return static_cast<int>(result);
}

#endif
