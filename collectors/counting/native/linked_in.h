// SPDX-License-Identifier: BSD-3-Clause
//
// MPI or an OpenMP runtime in the executable itself.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_LINKED_IN_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_LINKED_IN_H_

#include <string>

namespace roofmark::counting {

// A function of it that is defined in this file, by the file's symbols; empty: there is none, or
// the file cannot be read.
std::string FindLinkedIn(const std::string& executable);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_LINKED_IN_H_
