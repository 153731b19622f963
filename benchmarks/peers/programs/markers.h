/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The markers of one tool, chosen by -DPEER_<TOOL>, under names that all programs of this folder
 * use:
 *
 * - PEER_START, PEER_STOP: at the begin and the end of main.
 * - PEER_THREAD: at the begin of each other thread.
 * - PEER_BEGIN, PEER_END: a region whose name is a literal; both in one block.
 * - PEER_NAMED_BEGIN, PEER_NAMED_END: a region whose name is made at run time, where the tool has
 *   such regions. */
#ifndef ROOFMARK_BENCHMARKS_PEERS_MARKERS_H_
#define ROOFMARK_BENCHMARKS_PEERS_MARKERS_H_

#define PEER_START() ((void)0)
#define PEER_STOP() ((void)0)
#define PEER_THREAD() ((void)0)

#if defined(PEER_ROOFMARK)
#include <roofmark/roofmark.h>
#define PEER_BEGIN(name) ROOF_REGION_BEGIN(name)
#define PEER_END(name) ROOF_REGION_END(name)
#define PEER_NAMED_BEGIN(name) roofmark_begin(name)
#define PEER_NAMED_END(name) roofmark_end(name)

#elif defined(PEER_CALIPER)
#include <caliper/cali.h>
/* Before threads that might all be the first one to use it. */
#undef PEER_START
#define PEER_START() cali_init()
#define PEER_BEGIN(name) CALI_MARK_BEGIN(name)
#define PEER_END(name) CALI_MARK_END(name)
#define PEER_NAMED_BEGIN(name) cali_begin_region(name)
#define PEER_NAMED_END(name) cali_end_region(name)

#elif defined(PEER_PAPI)
#include <papi.h>
#define PEER_BEGIN(name) ((void)PAPI_hl_region_begin(name))
#define PEER_END(name) ((void)PAPI_hl_region_end(name))

#elif defined(PEER_LIKWID)
#define LIKWID_PERFMON
#include <likwid-marker.h>
#undef PEER_START
#undef PEER_STOP
#undef PEER_THREAD
#define PEER_START() LIKWID_MARKER_INIT
#define PEER_STOP() LIKWID_MARKER_CLOSE
#define PEER_THREAD() LIKWID_MARKER_THREADINIT
#define PEER_BEGIN(name) LIKWID_MARKER_START(name)
#define PEER_END(name) LIKWID_MARKER_STOP(name)

#elif defined(PEER_NVTX)
#include <nvtx3/nvToolsExt.h>
#define PEER_BEGIN(name) ((void)nvtxRangePushA(name))
#define PEER_END(name) ((void)nvtxRangePop())

#elif defined(PEER_TRACY)
#include <tracy/TracyC.h>
#define PEER_BEGIN(name) TracyCZoneN(peer_zone, name, 1)
#define PEER_END(name) TracyCZoneEnd(peer_zone)

#else /* what the program does without any tool */
#define PEER_BEGIN(name) ((void)(name))
#define PEER_END(name) ((void)(name))
#define PEER_NAMED_BEGIN(name) ((void)(name))
#define PEER_NAMED_END(name) ((void)(name))
#endif

#endif /* ROOFMARK_BENCHMARKS_PEERS_MARKERS_H_ */
