/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofmark.h"
