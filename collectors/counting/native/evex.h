/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to evex_*.c: what both ask of an instruction of AVX-512. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_EVEX_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_EVEX_H_

#include "collectors/counting/native/instruction.h"

/* Names from `first` to `last`, in the order of the alphabet as Zydis has them. */
struct roof_names {
  ZydisMnemonic first, last;
};
#define ROOF_NAMES(first, last) \
  { ZYDIS_MNEMONIC_##first, ZYDIS_MNEMONIC_##last }

static inline int roof_is_among(ZydisMnemonic mnemonic, const struct roof_names* names) {
  return mnemonic >= names->first && mnemonic <= names->last;
}

static inline int roof_has_evex_mask(const struct roof_native_instruction* in) {
  return in->zydis.avx.mask.mode != ZYDIS_MASK_MODE_INVALID &&
         in->zydis.avx.mask.mode != ZYDIS_MASK_MODE_DISABLED;
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_EVEX_H_ */
