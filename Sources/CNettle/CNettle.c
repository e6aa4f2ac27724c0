#include "CNettle.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/// A state in the order that the processor's SHA instructions take: A B E F, and C D G H.
typedef struct {
  __m128i abef, cdgh;
} state;

#define SHA_TARGET __attribute__((target("sha,sse4.1")))

SHA_TARGET static inline state load(const uint32_t *words) {
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)words), 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(words + 4)), 0x1B);
  return (state){_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xF0)};
}

SHA_TARGET static inline void store(state from, uint32_t *words) {
  const __m128i feba = _mm_shuffle_epi32(from.abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(from.cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Four rounds, and the words of the block four quarters on.
SHA_TARGET static inline void rounds(state *s, __m128i block[4], int quarter) {
  const __m128i words = block[quarter & 3];
  const __m128i first = _mm_add_epi32(words, _mm_load_si128((const __m128i *)(constants + 4 * quarter)));
  s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, first);
  s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(first, 0x0E));
  if (quarter >= 12) return;
  const __m128i last = block[(quarter + 3) & 3];
  const __m128i sum = _mm_add_epi32(
      _mm_sha256msg1_epu32(words, block[(quarter + 1) & 3]), _mm_alignr_epi8(last, block[(quarter + 2) & 3], 4));
  block[quarter & 3] = _mm_sha256msg2_epu32(sum, last);
}

SHA_TARGET static void compress_two(
    uint32_t *words, const uint8_t *text, uint32_t *other_words, const uint8_t *other_text, size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  state one = load(words), two = load(other_words);
  for (; blocks > 0; blocks--, text += 64, other_text += 64) {
    const state one_before = one, two_before = two;
    __m128i block[4], other_block[4];
    for (int i = 0; i < 4; i++) {
      block[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)text + i), big_endian);
      other_block[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)other_text + i), big_endian);
    }
#pragma clang loop unroll(full)
    for (int quarter = 0; quarter < 16; quarter++) {
      rounds(&one, block, quarter);
      rounds(&two, other_block, quarter);
    }
    one.abef = _mm_add_epi32(one.abef, one_before.abef);
    one.cdgh = _mm_add_epi32(one.cdgh, one_before.cdgh);
    two.abef = _mm_add_epi32(two.abef, two_before.abef);
    two.cdgh = _mm_add_epi32(two.cdgh, two_before.cdgh);
  }
  store(one, words);
  store(two, other_words);
}

/// Whether the processor has SHA instructions, and those up to SSE 4.1.
static int has_sha(void) {
  unsigned int a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_SSE4_1) == 0 || (c & bit_SSSE3) == 0) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}
/// Takes bytes until the context holds no part of a block, or all of them; returns their number.
static size_t complete_block(struct sha256_ctx *context, const uint8_t *text, size_t count) {
  if (context->index == 0) return 0;
  const size_t missing = SHA256_BLOCK_SIZE - context->index;
  const size_t taken = count < missing ? count : missing;
  sha256_update(context, taken, text);
  return taken;
}

#endif

void cnettle_sha256_update_two(
    struct sha256_ctx *one, const uint8_t *text, size_t count,  //
    struct sha256_ctx *two, const uint8_t *other_text, size_t other_count) {
#if defined(__x86_64__)
  static int support = -1;  // Threads that race store the same.
  int sha = __atomic_load_n(&support, __ATOMIC_RELAXED);
  if (sha < 0) __atomic_store_n(&support, sha = has_sha(), __ATOMIC_RELAXED);
  if (sha) {
    size_t done = complete_block(one, text, count);
    size_t other_done = complete_block(two, other_text, other_count);
    const size_t shorter = count - done < other_count - other_done ? count - done : other_count - other_done;
    const size_t blocks = shorter / SHA256_BLOCK_SIZE;
    compress_two(one->state, text + done, two->state, other_text + other_done, blocks);
    one->count += blocks;
    two->count += blocks;
    done += blocks * SHA256_BLOCK_SIZE;
    other_done += blocks * SHA256_BLOCK_SIZE;
    text += done, count -= done;
    other_text += other_done, other_count -= other_done;
  }
#endif
  sha256_update(one, count, text);
  sha256_update(two, other_count, other_text);
}
