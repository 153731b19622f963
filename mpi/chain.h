// SPDX-License-Identifier: BSD-3-Clause
//
// The MPI that is loaded in this process, found without linking it.
#ifndef ROOFMARK_MPI_CHAIN_H_
#define ROOFMARK_MPI_CHAIN_H_

namespace roofmark::mpi {

// What a call of `name` would have reached without us: the next definition after libroofmark.so, so
// that other tools keep working, or, where libmpi was loaded privately (a Python module, say), that
// of the loaded libmpi. Null if there is none. Takes the dynamic loader's locks: not for hot paths.
void* NextSymbol(const char* name);

// Makes a privately loaded libmpi visible to the plug-in's undefined symbols.
void ExposeMpi();

template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(NextSymbol(name));
}

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_CHAIN_H_
