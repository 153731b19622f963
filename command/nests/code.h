// SPDX-License-Identifier: BSD-3-Clause
//
// Executed code, with what its files say of it: functions, source lines, loop nests.
#ifndef ROOFMARK_COMMAND_NESTS_CODE_H_
#define ROOFMARK_COMMAND_NESTS_CODE_H_

#include <string>
#include <vector>

#include "lib/core/source_frame.h"
#include "lib/found/executed.h"
#include "lib/loops/choose.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

struct FoundCode {
  std::vector<std::string> files;                // of the modules
  std::vector<loops::ModuleNests> modules;       // the same
  std::vector<std::vector<SourceFrame>> places;  // where the functions of each stand in the source
  std::vector<std::string> notes;        // what is not known of each, a clause; empty: nothing
  std::vector<std::vector<bool>> begun;  // which functions of each were executed from their begin
  std::vector<bool> works;               // what was executed of each was not only MPI or a runtime
};

inline double PercentOf(double part, double all) { return all > 0 ? 100 * part / all : 0; }

// Files that cannot be read have neither functions nor nests, and a note. `with_inlined`: functions
// are those of the source, inlined ones too.
FoundCode FindCode(const Executed& executed, bool with_inlined);

// What is not known of modules that have a hundredth of the samples or more.
std::vector<std::string> NotesOf(const FoundCode& code, const std::vector<loops::Sample>& samples);

// Samples of time as the choice wants them; `code` is FindCode() of `executed`. Modules that did no
// work get no number of `code`, nor does the share that MPI and runtimes have in executions of code
// that works, too, as malloc() does. Where calls of MPI were timed, the samples in them stand where
// MPI was called from a module that works.
std::vector<loops::Sample> SamplesIn(const Samples& samples, const Executed& executed,
                                     const FoundCode& code);
// Without samples: executed instructions.
std::vector<loops::Sample> InstructionsIn(const Executed& executed);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_NESTS_CODE_H_
