/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Valgrind reads the lines of the source where a file of code is mapped. It ends the program where
 * it meets a form of DWARF that it does not know (GCC's -gsplit-dwarf and -gdwarf64), and prints a
 * line for each attribute that it skips (clang's DWARF 5). Lines are worth neither: here it reads
 * in silence, and goes on without the lines that it cannot read. Nor is it said that memory which
 * is shared in huge pages (MPICH's) is so in others: this changes nothing that is counted. The
 * linker gives these functions the calls that Valgrind's core makes (--wrap). */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsetjmp.h"

#define WRAPPED(name) __wrap_vgPlain_##name
#define REAL(name) __real_vgPlain_##name

/* Valgrind's core has it; its headers for tools do not. A section of a file. Newer versions of
 * Valgrind have other sections; what is behind those that it takes is not looked at. */
typedef struct {
  void* image;
  ULong offset, bytes;
} Section;
typedef struct {
  Section section[12];
} Sections;
void __real_vgModuleLocal_read_debuginfo_dwarf3(void* info, Sections sections);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void* info, Sections sections);
__attribute__((noreturn)) void REAL(exit)(Int status);
__attribute__((noreturn)) void WRAPPED(exit)(Int status);
UInt WRAPPED(printf)(const HChar* format, ...);
UInt WRAPPED(umsg)(const HChar* format, ...);
UInt WRAPPED(message)(VgMsgKind kind, const HChar* format, ...);
UInt VG_(vmessage)(VgMsgKind kind, const HChar* format, va_list arguments);

/* One thread of Valgrind runs at a time. */
static Bool reads;
static VG_MINIMAL_JMP_BUF(behind);

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void* info, Sections sections) {
  reads = True;
  if (VG_MINIMAL_SETJMP(behind) == 0) __real_vgModuleLocal_read_debuginfo_dwarf3(info, sections);
  reads = False;
}

void WRAPPED(exit)(Int status) {
  if (reads) VG_MINIMAL_LONGJMP(behind);
  REAL(exit)(status);
}

UInt WRAPPED(printf)(const HChar* format, ...) {
  if (reads) return 0;
  va_list arguments;
  va_start(arguments, format);
  UInt printed = VG_(vprintf)(format, arguments);
  va_end(arguments);
  return printed;
}

static Bool SaysNothing(const HChar* format) {
  static const HChar kIgnored[] = "WARNING: valgrind ignores shmget(shmflg) SHM_HUGETLB";
  return reads || VG_(strncmp)(format, kIgnored, sizeof kIgnored - 1) == 0;
}

UInt WRAPPED(umsg)(const HChar* format, ...) {
  if (SaysNothing(format)) return 0;
  va_list arguments;
  va_start(arguments, format);
  UInt printed = VG_(vmessage)(Vg_UserMsg, format, arguments);
  va_end(arguments);
  return printed;
}

UInt WRAPPED(message)(VgMsgKind kind, const HChar* format, ...) {
  if (SaysNothing(format)) return 0;
  va_list arguments;
  va_start(arguments, format);
  UInt printed = VG_(vmessage)(kind, format, arguments);
  va_end(arguments);
  return printed;
}
