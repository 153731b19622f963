// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA driver and CUPTI as they are installed where roofmark runs.
#ifndef ROOFMARK_COLLECTORS_CUPTI_LIBRARY_H_
#define ROOFMARK_COLLECTORS_CUPTI_LIBRARY_H_

#include <string>

#include "collectors/cupti/abi.h"
#include "lib/core/result.h"

namespace roofmark::cupti {

struct Library {
#define ROOFMARK_CUPTI(library, member, symbol, arguments) int(*member) arguments = nullptr;
#include "collectors/cupti/functions.inc"
#undef ROOFMARK_CUPTI
  std::string file;  // of CUPTI, as it was opened
};

// Only CUPTI: what it needs to answer for a chip by name. Looks where the loader looks, then in
// $CUDA_HOME and /usr/local/cuda. It stays open: its threads and handlers do not expect to go.
Result<Library> OpenCuptiAlone();
// Both. The error says what is missing, and where it comes from.
Result<Library> OpenLibrary();

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_LIBRARY_H_
