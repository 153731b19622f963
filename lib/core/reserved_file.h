// SPDX-License-Identifier: BSD-3-Clause
//
// An empty file that keeps a name for a process until it writes the file. The process holds a lock
// on it, which ends with the process however that ends, and the sticky bit, which means nothing to
// a file, tells it from an empty file of the user's.
#ifndef ROOFMARK_LIB_CORE_RESERVED_FILE_H_
#define ROOFMARK_LIB_CORE_RESERVED_FILE_H_

namespace roofmark {

// Marks a new file. On file systems without locks or modes it stays an ordinary empty file.
void MarkReserved(int descriptor) noexcept;

// Opens and locks a file of this user's whose process has ended before it wrote it. -1 and EEXIST
// if it is anything else.
int OpenAbandoned(int directory, const char* name) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_RESERVED_FILE_H_
