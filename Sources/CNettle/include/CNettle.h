#ifndef CNETTLE_H
#define CNETTLE_H

#include <nettle/aes.h>
#include <nettle/ctr.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

// From version 4 on, digest functions do not take a length.
#if NETTLE_VERSION_MAJOR < 4
#define CNETTLE_SHA256_LENGTH SHA256_DIGEST_SIZE,
#else
#define CNETTLE_SHA256_LENGTH
#endif

/// Writes the 32 bytes of the digest, and resets the context.
static inline void cnettle_sha256_digest(struct sha256_ctx *_Nonnull context, uint8_t *_Nonnull digest) {
  sha256_digest(context, CNETTLE_SHA256_LENGTH digest);
}

/// Writes the 32 bytes of the authentication code, and resets the context; the key stays.
static inline void cnettle_hmac_sha256_digest(struct hmac_sha256_ctx *_Nonnull context, uint8_t *_Nonnull digest) {
  hmac_sha256_digest(context, CNETTLE_SHA256_LENGTH digest);
}

/// Takes the next bytes of two texts into their digests. If the processor has SHA instructions, this takes little more
/// than half the time of two separate calls, as far as the texts are equally long: each such instruction waits for the
/// one before it on its text.
void cnettle_sha256_update_two(
    struct sha256_ctx *_Nonnull one, const uint8_t *_Nonnull text, size_t count,  //
    struct sha256_ctx *_Nonnull two, const uint8_t *_Nonnull other_text, size_t other_count);

/// Enciphers or deciphers bytes in place by AES-256 in counter mode, and advances the counter: 16 bytes, big-endian.
///
/// Only the last call with a counter may have a `count` that is not a multiple of 16.
static inline void cnettle_aes256_ctr(
    const struct aes256_ctx *_Nonnull context, uint8_t *_Nonnull counter, void *_Nonnull bytes, size_t count) {
  ctr_crypt(context, (nettle_cipher_func *)aes256_encrypt, AES_BLOCK_SIZE, counter, count, bytes, bytes);
}

#endif
