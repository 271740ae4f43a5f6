// The SHA-256 calls below are marked as deprecated since OpenSSL 3.0. They are used all the same:
// on an entry of 100 bytes they are three times as fast as the calls that look the algorithm up,
// and they are in every OpenSSL since 0.9.8.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

// SHA-256 of one byte and what follows it, in one call: the leaves and nodes of a tree.
static inline void tidemark_sha256(unsigned char first, const void *bytes, size_t count,
                                   unsigned char *digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, &first, 1);
  SHA256_Update(&context, bytes, count);
  SHA256_Final(digest, &context);
}
