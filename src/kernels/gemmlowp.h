// gemmlowp's fixed-point arithmetic. It negates the least integer, which wraps
// as the reference's does: clang's check of truncations leaves it out.

#ifndef ARENALITE_KERNELS_GEMMLOWP_H_
#define ARENALITE_KERNELS_GEMMLOWP_H_

#ifdef __clang__
#pragma clang attribute push(                                    \
    __attribute__((no_sanitize("implicit-integer-truncation"))), \
    apply_to = function)
#endif
#include "gemmlowp/fixedpoint/fixedpoint.h"
#ifdef __clang__
#pragma clang attribute pop
#endif

#endif  // ARENALITE_KERNELS_GEMMLOWP_H_
