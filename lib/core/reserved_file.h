// SPDX-License-Identifier: BSD-3-Clause
//
// An empty file that keeps the name of another file for a process until it writes that one. The
// process holds a lock on it, which ends with the process however that ends, and the sticky bit,
// which means nothing to a file, tells it from an empty file of the user's. On file systems without
// locks or modes it is an ordinary empty file.
#ifndef ROOFMARK_LIB_CORE_RESERVED_FILE_H_
#define ROOFMARK_LIB_CORE_RESERVED_FILE_H_

#include "lib/core/file.h"

namespace roofmark {

// Makes the keeper of `path`, or takes over one of this user's whose process has ended before it
// wrote the file, and fills in what `reserved` says of it. False with EEXIST in errno where the
// file is there, or another process or the user has the keeper's name.
bool TakeKeeper(const FilePath& path, ReservedName& reserved);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_RESERVED_FILE_H_
