// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.h"

namespace roofmark::mpi {

bool SendBytes(Comm& comm, uint32_t to, const std::vector<char>& bytes) {
  const uint64_t size = bytes.size();
  return comm.Send(to, &size, sizeof size) && (size == 0 || comm.Send(to, bytes.data(), size));
}

bool RecvBytes(Comm& comm, uint32_t from, std::vector<char>& bytes) {
  uint64_t size = 0;
  if (!comm.Recv(from, &size, sizeof size)) return false;
  bytes.resize(size);
  return size == 0 || comm.Recv(from, bytes.data(), size);
}

bool BcastBytes(Comm& comm, std::vector<char>& bytes) {
  uint64_t size = bytes.size();
  if (!comm.Bcast(&size, sizeof size)) return false;
  bytes.resize(size);
  return size == 0 || comm.Bcast(bytes.data(), size);
}

}  // namespace roofmark::mpi
