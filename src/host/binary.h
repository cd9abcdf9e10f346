/* What a program's file is: its build-id and its hash. */
#ifndef TARE_HOST_BINARY_H
#define TARE_HOST_BINARY_H

#include "base/sha256.h"
#include "host/host.h"

enum { BINARY_BUILD_ID = 129 };

struct binary {
	char build_id[BINARY_BUILD_ID]; /* of an ELF file, hexadecimal; "": it has none */
	char hash[SHA256_TEXT];         /* SHA-256 of all bytes; "": not read, or larger than 512 MiB */
};

/* Looks at a file; what cannot be found out is "". */
void binary_describe(const struct host *host, const char *path, struct binary *out);

#endif
