/* sha256.h - the hash that names and guards what the kernel cache keeps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_SHA256_H
#define SPCC_JIT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);

/* A file's name, and what tells it from one that takes its place: device, inode, size and time.
 * Nothing if it is not there. */
void sha256_add_file(struct sha256 *hash, const char *path);

void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_SIZE]);

/* Of these bytes alone. */
void sha256_of(const void *data, size_t size, unsigned char digest[SHA256_SIZE]);

#endif
