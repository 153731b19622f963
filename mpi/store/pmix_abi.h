// SPDX-License-Identifier: BSD-3-Clause
//
// What is needed of PMIx's binary interface, which is the same from version 2 on (PMIx Standard
// 4.1, chapter 3 and appendix on constants): so roofmark needs neither its headers nor its library.
#ifndef ROOFMARK_MPI_STORE_PMIX_ABI_H_
#define ROOFMARK_MPI_STORE_PMIX_ABI_H_

#include <cstdint>

namespace roofmark::mpi::pmix {

inline constexpr int kSuccess = 0;                    // PMIX_SUCCESS
inline constexpr int kNotThere = -31;                 // PMIX_ERR_INIT
inline constexpr uint16_t kBool = 1;                  // PMIX_BOOL
inline constexpr uint16_t kUint32 = 14;               // PMIX_UINT32
inline constexpr uint8_t kGlobal = 3;                 // PMIX_GLOBAL: for processes of all nodes
inline constexpr char kOptional[] = "pmix.optional";  // look in what this process has only

struct Proc {
  char nspace[256];
  uint32_t rank;
};

struct Value {
  uint16_t type;
  union {
    bool flag;
    uint32_t number;
    void* all[3];  // as large as any
  } data;
};

struct Info {
  char key[512];
  uint32_t flags;
  Value value;
};

using Put = int(uint8_t scope, const char* key, Value* value);
using Commit = int();
using Get = int(const Proc* proc, const char* key, const Info* info, size_t infos, Value** value);

}  // namespace roofmark::mpi::pmix

#endif  // ROOFMARK_MPI_STORE_PMIX_ABI_H_
