// SPDX-License-Identifier: BSD-3-Clause
//
// The core's clock at this moment, without counters.
#ifndef ROOFMARK_LIB_CORE_FREQUENCY_H_
#define ROOFMARK_LIB_CORE_FREQUENCY_H_

namespace roofmark {

// GHz of the calling core: a chain of dependent register-register additions, one cycle each on
// every known CPU (with an immediate operand some fold several into one cycle). Takes about
// 30 us; called within microseconds of a burst it still sees the burst's clock, which wide vector
// units lower. The best of three short chains, so an interrupt in one of them does no harm.
double CoreGhz();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FREQUENCY_H_
