#ifndef SETTLE_CBYTESCAN_H
#define SETTLE_CBYTESCAN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Sixteen bytes; a `SIMD16<UInt8>` in Swift.
typedef uint8_t settle_sixteen __attribute__((ext_vector_type(16)));

#pragma clang assume_nonnull begin

/// The first byte of a JSON string that needs attention: a quote, a backslash or a control character. Reads up to 15
/// bytes after it. `high` stays zero as long as all bytes read are ASCII.
static inline const uint8_t *settle_string_stop(const uint8_t *text, uint32_t *high) {
#if defined(__SSE2__)
  __m128i seen = _mm_setzero_si128();
  for (;; text += 16) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)text);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const uint32_t stops = (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control));
    seen = _mm_or_si128(seen, bytes);
    if (stops) {
      *high |= (uint32_t)_mm_movemask_epi8(seen);
      return text + __builtin_ctz(stops);
    }
  }
#else
  for (;; text++) {
    *high |= *text & 0x80;
    if (*text == '"' || *text == '\\' || *text < 0x20) return text;
  }
#endif
}

/// Bit i is set if byte i is not ASCII.
static inline uint32_t settle_not_ascii(settle_sixteen bytes) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8((__m128i)bytes);
#else
  uint32_t answer = 0;
  for (int i = 0; i < 16; i++) answer |= (uint32_t)(bytes[i] >> 7) << i;
  return answer;
#endif
}

/// The position of the first quote among 16 bytes, as the lowest bit set; bit 16 is always set.
static inline uint32_t settle_quote(settle_sixteen bytes) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)bytes, _mm_set1_epi8('"'))) | 0x10000;
#else
  uint32_t answer = 0x10000;
  for (int i = 0; i < 16; i++) answer |= (uint32_t)(bytes[i] == '"') << i;
  return answer;
#endif
}

/// Bit i is set if byte i is equal.
static inline uint32_t settle_equal(settle_sixteen bytes, settle_sixteen others) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)bytes, (__m128i)others));
#else
  uint32_t answer = 0;
  for (int i = 0; i < 16; i++) answer |= (uint32_t)(bytes[i] == others[i]) << i;
  return answer;
#endif
}

/// The classes of sixteen bytes: bit i of each mask is for byte i.
struct settle_account_classes {
  /// The bytes with ASCII letters in lower case.
  settle_sixteen lower;
  uint16_t alphanumeric;
  uint16_t dot;
  uint16_t dash;
  uint16_t underscore;
  uint16_t at;
};

/// Classifies 16 bytes of an account.
static inline struct settle_account_classes settle_classify_account(settle_sixteen bytes) {
  struct settle_account_classes classes;
#if defined(__SSE2__)
  const __m128i text = (__m128i)bytes;
  // Saturating differences are 0 only inside a range of bytes.
  const __m128i zero = _mm_setzero_si128();
#define SETTLE_WITHIN(low, high)                                                                  \
  _mm_cmpeq_epi8(_mm_or_si128(_mm_subs_epu8(text, _mm_set1_epi8(high)), _mm_subs_epu8(_mm_set1_epi8(low), text)), zero)
#define SETTLE_MASK(vector) ((uint16_t)_mm_movemask_epi8(vector))
  const __m128i upper = SETTLE_WITHIN('A', 'Z');
  const __m128i letters = _mm_or_si128(upper, SETTLE_WITHIN('a', 'z'));
  classes.lower = (settle_sixteen)_mm_or_si128(text, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
  classes.alphanumeric = SETTLE_MASK(_mm_or_si128(letters, SETTLE_WITHIN('0', '9')));
  classes.dot = SETTLE_MASK(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')));
  classes.dash = SETTLE_MASK(_mm_cmpeq_epi8(text, _mm_set1_epi8('-')));
  classes.underscore = SETTLE_MASK(_mm_cmpeq_epi8(text, _mm_set1_epi8('_')));
  classes.at = SETTLE_MASK(_mm_cmpeq_epi8(text, _mm_set1_epi8('@')));
#undef SETTLE_WITHIN
#undef SETTLE_MASK
#else
  classes = (struct settle_account_classes){0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 16; i++) {
    const uint8_t byte = bytes[i];
    const int upper = byte >= 'A' && byte <= 'Z';
    const int other = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
    classes.lower[i] = upper ? byte | 0x20 : byte;
    classes.alphanumeric |= (uint16_t)((upper || other) << i);
    classes.dot |= (uint16_t)((byte == '.') << i);
    classes.dash |= (uint16_t)((byte == '-') << i);
    classes.underscore |= (uint16_t)((byte == '_') << i);
    classes.at |= (uint16_t)((byte == '@') << i);
  }
#endif
  return classes;
}

/// Prefetches the cache line of an address.
static inline void settle_prefetch(const void *address) { __builtin_prefetch(address); }

/// The first occurrence of the bytes of `part` in those of `text`, or NULL.
const void *_Nullable settle_find_text(const void *part, size_t partCount, const void *text, size_t count);

#pragma clang assume_nonnull end

#endif
