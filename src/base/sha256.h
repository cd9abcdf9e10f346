/* SHA-256 (FIPS 180-4), to tell files apart: the same digits as sha256sum prints. */
#ifndef TARE_BASE_SHA256_H
#define TARE_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT = 65 };

struct sha256 {
	uint32_t state[8];
	uint64_t length; /* bytes so far */
	unsigned char block[64];
};

void sha256_init(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *bytes, size_t size);

/* 64 hexadecimal digits and NUL. The state is used up. */
void sha256_end(struct sha256 *sha, char text[SHA256_TEXT]);

#endif
