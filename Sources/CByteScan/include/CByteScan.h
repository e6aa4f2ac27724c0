#ifndef SETTLE_CBYTESCAN_H
#define SETTLE_CBYTESCAN_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Looks at 16 bytes of a JSON string. In the lower half of the answer bit i is set where byte i needs a look: a quote,
/// a backslash or a control character; in the upper half where byte i is not ASCII.
static inline uint32_t settle_scan_string(const uint8_t *bytes) {
#if defined(__SSE2__)
  const __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  const __m128i quote = _mm_cmpeq_epi8(text, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'));
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1F)), text);
  const uint32_t stops = (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control));
  return stops | (uint32_t)_mm_movemask_epi8(text) << 16;
#else
  uint32_t answer = 0;
  for (int i = 0; i < 16; i++) {
    const uint8_t byte = bytes[i];
    answer |= (uint32_t)(byte == '"' || byte == '\\' || byte < 0x20) << i | (uint32_t)(byte >> 7) << (16 + i);
  }
  return answer;
#endif
}

/// Where the first quote stands among 16 bytes, as the lowest bit that is set; bit 16 is set in any case.
static inline uint32_t settle_quote(const uint8_t *bytes) {
#if defined(__SSE2__)
  const __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('"'))) | 0x10000;
#else
  uint32_t answer = 0x10000;
  for (int i = 0; i < 16; i++) answer |= (uint32_t)(bytes[i] == '"') << i;
  return answer;
#endif
}

/// Bit i is set where byte i of the two times 16 bytes differs.
static inline uint32_t settle_differences(const void *bytes, const void *others) {
#if defined(__SSE2__)
  const __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  const __m128i other = _mm_loadu_si128((const __m128i *)others);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(text, other)) ^ 0xFFFF;
#else
  uint32_t answer = 0;
  for (int i = 0; i < 16; i++) answer |= (uint32_t)(((const uint8_t *)bytes)[i] != ((const uint8_t *)others)[i]) << i;
  return answer;
#endif
}

/// Asks for the cache line of an address ahead of its use.
static inline void settle_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
