// SPDX-License-Identifier: BSD-3-Clause
//
// PMI-1, the text in which MPICH and its relatives speak with their launcher over the socket in
// PMI_FD: a line for each request, and one for its answer, of words KEY=VALUE, of which the first
// is "cmd=...". (PMI: A Scalable Parallel Process-Management Interface, Balaji et al., EuroMPI
// 2010, §2 and §4, has the interface; MPICH's src/pmi/simple the words.)
#ifndef ROOFMARK_MPI_STORE_PMI_WIRE_H_
#define ROOFMARK_MPI_STORE_PMI_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace roofmark::mpi {

// The value of a word of a line; nothing without such a word.
std::optional<std::string_view> PmiWord(std::string_view line, std::string_view key);

// All of it. False at the end of the stream.
bool PmiWrite(int socket, std::string_view text);
// A line without its end. Reads no byte beyond it. False at the end of the stream, and for a line
// that is longer than any of PMI's.
bool PmiReadLine(int socket, std::string& line);

// The name of this process's key: PMI-1 has one space of keys for all processes.
std::string PmiKey(uint32_t rank);

// Puts a key; true if the launcher took it.
bool PmiPut(int socket, std::string_view space, std::string_view key);
bool PmiHas(int socket, std::string_view space, std::string_view key);
// The name of the space of keys; empty if the launcher does not say it.
std::string PmiSpace(int socket);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_STORE_PMI_WIRE_H_
