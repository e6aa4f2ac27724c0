// GMP's low-level `mpn` functions under names Swift can see: in <gmp.h> they are macros.
//
// A number is an array of 64-bit limbs, least significant first. Sizes are in limbs. Unless a
// comment says otherwise sizes are at least 1 and a result may be written over an operand.
#ifndef CGMP_H
#define CGMP_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

/// result = a + b, where aCount >= bCount; result has aCount limbs; returns the carry (0 or 1).
static inline uint64_t cgmp_add(
    uint64_t *_Nonnull result, const uint64_t *_Nonnull a, long aCount, const uint64_t *_Nonnull b, long bCount) {
  return mpn_add(result, a, aCount, b, bCount);
}

/// result = a - b, where aCount >= bCount; returns the borrow (0 if a >= b).
static inline uint64_t cgmp_sub(
    uint64_t *_Nonnull result, const uint64_t *_Nonnull a, long aCount, const uint64_t *_Nonnull b, long bCount) {
  return mpn_sub(result, a, aCount, b, bCount);
}

/// result = a * b, where aCount >= bCount; result has aCount + bCount limbs and overlaps neither operand.
static inline void cgmp_mul(
    uint64_t *_Nonnull result, const uint64_t *_Nonnull a, long aCount, const uint64_t *_Nonnull b, long bCount) {
  mpn_mul(result, a, aCount, b, bCount);
}

/// result = a * b for a single limb b; returns the most significant limb of the product.
static inline uint64_t cgmp_mul_limb(
    uint64_t *_Nonnull result, const uint64_t *_Nonnull a, long aCount, uint64_t b) {
  return mpn_mul_1(result, a, aCount, b);
}

/// quotient and remainder of a / b, where aCount >= bCount and b has no leading zero limb. quotient has
/// aCount - bCount + 1 limbs, remainder bCount; nothing overlaps.
static inline void cgmp_divide(
    uint64_t *_Nonnull quotient, uint64_t *_Nonnull remainder, const uint64_t *_Nonnull a, long aCount,
    const uint64_t *_Nonnull b, long bCount) {
  mpn_tdiv_qr(quotient, remainder, 0, a, aCount, b, bCount);
}

/// quotient of a / b for a single limb b != 0; returns the remainder.
static inline uint64_t cgmp_divide_limb(
    uint64_t *_Nonnull quotient, const uint64_t *_Nonnull a, long aCount, uint64_t b) {
  return mpn_divrem_1(quotient, 0, a, aCount, b);
}

/// Sign of a - b for two numbers of `count` limbs; count may be 0.
static inline int cgmp_compare(const uint64_t *_Nonnull a, const uint64_t *_Nonnull b, long count) {
  return mpn_cmp(a, b, count);
}

/// The decimal digits of a as values 0...9, most significant first, possibly with leading zeros; returns their
/// number. Destroys a, whose top limb must not be 0.
static inline size_t cgmp_get_digits(uint8_t *_Nonnull digits, uint64_t *_Nonnull a, long aCount) {
  return mpn_get_str(digits, 10, a, aCount);
}

/// The number whose decimal digits are given as values 0...9, most significant first; digitCount is at
/// least 1. Returns its limb count; its top limbs may be 0.
static inline long cgmp_set_digits(uint64_t *_Nonnull result, const uint8_t *_Nonnull digits, size_t digitCount) {
  return mpn_set_str(result, digits, digitCount, 10);
}

#endif
