// SPDX-License-Identifier: BSD-3-Clause
//
// Without code: the headers that tests share are compiled with it.
