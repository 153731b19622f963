// SPDX-License-Identifier: BSD-3-Clause
//
// Which nests and functions become regions, by the samples of time that fell on their code. Pure.
#ifndef ROOFMARK_LIB_LOOPS_CHOOSE_H_
#define ROOFMARK_LIB_LOOPS_CHOOSE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lib/binary/functions.h"
#include "lib/loops/inlined.h"
#include "lib/loops/nests.h"

namespace roofmark::loops {

// What was sampled at one place.
struct Sample {
  uint32_t module = 0;  // index in the list of modules; any other number: code of no known module
  uint64_t offset = 0;
  uint64_t times = 0;
};

// A call that was executed: from an instruction to where a function begins. Where the body of an
// OpenMP construct is called by the runtime, from what was inlined around it.
struct Call {
  uint64_t from = 0, to = 0;
  uint64_t times = 0;
  std::optional<uint32_t> to_module = {};  // nothing: the same
};

struct ModuleNests {
  std::vector<binary::Function> functions;
  Nests nests;
  std::vector<Call> calls;
  Inlined inlined = {};  // nothing: functions are those of the machine code
};

struct ChooseOptions {
  double least_share = 0.01;    // of all samples,
  double least_samples = 3;     // and so many: fewer fall anywhere by chance
  uint32_t most = 50;           // nests and functions together
  uint32_t depth = UINT32_MAX;  // of nests; 1: only the outermost
  double least_each_entry = 0;  // samples
  bool functions_only = false;
  // Whether a function of the source has floating-point arithmetic outside of its nests, that was
  // executed. Asked of those with nests that are chosen; empty: of none it is known.
  std::function<bool(uint32_t module, uint32_t function)> computes_beside = {};
};

// A nest with the nests inside it, or a function of the source with its parts, its bodies of OpenMP
// constructs, and with `functions_only` what was inlined of it into others.
struct Chosen {
  uint32_t module = 0;
  // Index in ModuleNests::functions; behind these, if all of its code was inlined.
  uint32_t function = 0;
  std::optional<uint32_t> nest;          // index in Nests::nests; nothing: the function
  uint64_t samples = 0;                  // in all of its code, but in nothing that it calls
  double with_calls = 0;                 // in what it calls, too
  uint64_t own_samples = 0;              // in no chosen nest inside it
  std::optional<uint32_t> inlined = {};  // index in Inlined::functions

  bool operator==(const Chosen&) const = default;
};

struct Choice {
  std::vector<Chosen> chosen;  // most `with_calls` first; a nest before the nests inside it
  uint64_t samples = 0;        // all
  uint64_t in_nests = 0;       // in any nest, chosen or not
  uint64_t elsewhere = 0;      // in nothing that was chosen
};

// A nest is chosen if it has the least share with what it calls, unless one nest inside it has that
// as well and it says nothing beside: its own code has too little, or its lines are not known and
// it enters the other one hardly more often than it is entered (interpreters have dozens of both).
// A nest that
// is entered so often that each entry takes next to nothing belongs to the one around it: following
// it would take an engine longer than counting it. A function is chosen if its code outside of
// nests has it, or with `functions_only` if all of its code has it with what that calls. One whose
// inlined code is entered that often is not: neither that, nor what else is left of it, for that
// would be a part of its work. A function that computes beside a chosen nest of it (in the tail of
// a reduction, say) is chosen, too, however little time that takes: it has all FLOPs of markers
// around the loop. main is not, for it is the program. If there are more than allowed, those with
// most samples are taken; since a nest has all samples of those inside, none is chosen without the
// nests around it.
//
// Samples say where a function spends its time, not for whom: each call of it gets an equal share.
// Source: S. L. Graham, P. B. Kessler, M. K. McKusick, "gprof: a Call Graph Execution Profiler",
// SIGPLAN Notices 17(6), 1982, section 4. Of recursion the calls that come back are left out.
Choice Choose(std::span<const Sample> samples, std::span<const ModuleNests> modules,
              const ChooseOptions& options);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_CHOOSE_H_
