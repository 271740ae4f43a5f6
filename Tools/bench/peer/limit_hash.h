#ifndef TIDEMARK_LIMIT_HASH_H
#define TIDEMARK_LIMIT_HASH_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <stddef.h>

static inline void limit_hash(unsigned char first, const unsigned char *bytes, size_t count,
                              unsigned char *digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, &first, 1);
  SHA256_Update(&context, bytes, count);
  SHA256_Final(digest, &context);
}

// The leaf of an entry, and a node over it: as many as a tree has in the mean. `node` is the left
// child, and becomes the node.
static inline void limit_hash_entry(const unsigned char *entry, size_t count,
                                    unsigned char node[2 * SHA256_DIGEST_LENGTH]) {
  limit_hash(0, entry, count, node + SHA256_DIGEST_LENGTH);
  limit_hash(1, node, 2 * SHA256_DIGEST_LENGTH, node);
}

#endif
