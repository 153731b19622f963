/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C functions of LIKWID 5's marker API and the macros by which programs call them: their names
 * and types as LIKWID publishes them, for machines without its header (GPL-3.0-or-later). */
#ifndef LIKWID_MARKER_H
#define LIKWID_MARKER_H

#ifdef __cplusplus
extern "C" {
#endif

void likwid_markerInit(void);
void likwid_markerThreadInit(void);
void likwid_markerNextGroup(void);
void likwid_markerClose(void);
int likwid_markerRegisterRegion(const char* regionTag);
int likwid_markerStartRegion(const char* regionTag);
int likwid_markerStopRegion(const char* regionTag);
int likwid_markerResetRegion(const char* regionTag);
void likwid_markerGetRegion(const char* regionTag, int* nr_events, double* events, double* time,
                            int* count);

#ifdef __cplusplus
}
#endif

#define LIKWID_MARKER_INIT likwid_markerInit()
#define LIKWID_MARKER_THREADINIT likwid_markerThreadInit()
#define LIKWID_MARKER_SWITCH likwid_markerNextGroup()
#define LIKWID_MARKER_REGISTER(tag) likwid_markerRegisterRegion(tag)
#define LIKWID_MARKER_START(tag) likwid_markerStartRegion(tag)
#define LIKWID_MARKER_STOP(tag) likwid_markerStopRegion(tag)
#define LIKWID_MARKER_CLOSE likwid_markerClose()
#define LIKWID_MARKER_RESET(tag) likwid_markerResetRegion(tag)
#define LIKWID_MARKER_GET(tag, nevents, events, time, count) \
  likwid_markerGetRegion(tag, nevents, events, time, count)

#endif
