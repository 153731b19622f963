/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In place of LIKWID's library: what its functions return in a program that likwid-perfctr did not
 * start, and how often they were called. Like LIKWID's, those for Fortran call those for C. */
#include <likwid-marker.h>
#include <stdatomic.h>
#include <stdio.h>

enum { kInactive = -14 };
static atomic_int g_starts, g_stops;

void likwid_markerInit(void) { puts("inactive"); }
void likwid_markerThreadInit(void) {}
void likwid_markerNextGroup(void) {}
void likwid_markerClose(void) { printf("%d starts, %d stops\n", g_starts, g_stops); }
int likwid_markerRegisterRegion(const char* tag) { return tag == NULL ? 0 : kInactive; }
int likwid_markerStartRegion(const char* tag) {
  ++g_starts;
  return tag == NULL ? 0 : kInactive;
}
int likwid_markerStopRegion(const char* tag) {
  ++g_stops;
  return tag == NULL ? 0 : kInactive;
}
int likwid_markerResetRegion(const char* tag) { return tag == NULL ? 0 : kInactive; }
void likwid_markerGetRegion(const char* tag, int* events, double* values, double* time,
                            int* count) {
  (void)tag, (void)events, (void)values, (void)time;
  *count = 7;
}

void likwid_markerinit_(void) { likwid_markerInit(); }
void likwid_markerthreadinit_(void) {}
void likwid_markernextgroup_(void) {}
void likwid_markerclose_(void) { likwid_markerClose(); }
void likwid_markerregisterregion_(char* tag, int length) { (void)tag, (void)length; }
void likwid_markerstartregion_(char* tag, int length) {
  (void)length;
  likwid_markerStartRegion(tag);
}
void likwid_markerstopregion_(char* tag, int length) {
  (void)length;
  likwid_markerStopRegion(tag);
}
void likwid_markerresetregion_(char* tag, int length) { (void)tag, (void)length; }
void likwid_markergetregion_(char* tag, int* events, double* values, double* time, int* count,
                             int length) {
  (void)length;
  likwid_markerGetRegion(tag, events, values, time, count);
}
