/* The git checkout that tare is started in: which commit, and whether it was changed since. */
#ifndef TARE_HOST_CHECKOUT_H
#define TARE_HOST_CHECKOUT_H

#include "host/host.h"

#include <stdbool.h>

enum { CHECKOUT_TEXT = 256 };

struct checkout {
	char commit[CHECKOUT_TEXT]; /* "": no checkout, no git, or no answer within 2 s */
	char branch[CHECKOUT_TEXT]; /* "": none, a detached head */
	bool dirty_known, dirty;    /* tracked files differ from the commit */
};

/* Asks git, if a folder above this one is a checkout. Takes a few milliseconds. */
void checkout_describe(const struct host *host, struct checkout *out);

#endif
