#include "CGMP.h"

// The Swift side keeps limbs as UInt64; GMP must have been built with the same limb.
_Static_assert(sizeof(mp_limb_t) == sizeof(uint64_t), "ExactArithmetic needs a GMP with 64-bit limbs");
_Static_assert(GMP_NAIL_BITS == 0, "ExactArithmetic needs a GMP without nails");
_Static_assert(sizeof(mp_size_t) == sizeof(long), "sizes are passed as long");
