/* `tare cc`: the compiler as it was asked for, with a random layout where there is a seed for one. */
#ifndef TARE_BUILDS_CC_H
#define TARE_BUILDS_CC_H

#include "base/buffer.h"
#include "builds/compiler.h"
#include "host/host.h"

struct cc {
	struct host host;
	struct arena arena;
	struct compiler compiler;
	char program[4096];    /* of the compiler */
	char linker[4096];     /* the real one */
	char folder[4096];     /* with tare under the linker's name; "": none */
	char name[4096 + 300]; /* tare's file in it */
	unsigned vary;
};

/* `words`: the compiler and its arguments; `vary`: a set of enum vary. -1 and err; released in any case. */
int cc_open(struct cc *cc, const char *const *words, size_t count, unsigned vary, struct error *err);
void cc_release(struct cc *cc);

/* Compiles, and links where that is asked for: becomes the compiler where it can. The exit code, or -1 and err. */
int cc_compile(struct cc *cc, struct error *err);

/* What can vary with this compiler and linker, as text. */
int cc_check(struct cc *cc, struct buffer *out, struct error *err);

#endif
