/* Looking through the store: which experiments there are, and the history of a metric over them. */
#ifndef TARE_STORE_QUERY_H
#define TARE_STORE_QUERY_H

#include "store/store.h"

#include <stddef.h>

/* What to look at; NULL means anything. */
struct store_filter {
	const char *subject;     /* a part of the name, or a pattern with * and ? */
	const char *metric;      /* its name; NULL: the one that each subject was judged by */
	const char *host;        /* a part of the machine's description */
	bool exact;              /* subject and host are whole: neither parts nor patterns */
	const char *name;        /* of the experiment: a part or a pattern */
	const char *const *tags; /* all of them */
	size_t tag_count;
	bool has_since, has_until;
	int64_t since, until; /* ms since 1970, both inclusive; where there is one */
	int64_t limit;        /* the newest so many; 0: all */
};

struct store_row {
	int64_t id, started;
	const char *name, *state, *design, *metric, *commit, *tags, *stratum; /* "" where not known; tags joined by ", " */
	const char *subject;                                                  /* name of the first */
	int64_t subjects, rounds;
	bool orphaned; /* "running", and its process is gone */
};

/* Experiments, newest first. `take` returns 0 to go on; the texts are valid during the call. */
int store_list(struct store *store, const struct store_filter *filter,
               int (*take)(void *context, const struct store_row *row, struct error *err), void *context,
               struct error *err);

/* One estimate in a history. */
struct store_point {
	int64_t id, started;
	const char *subject, *metric, *unit, *better, *stratum, *commit;
	double mean, low, high, level; /* NaN where not known */
	int64_t n;
};

/* Estimates of finished experiments, by subject, metric, unit and machine, and oldest first in each. */
int store_points(struct store *store, const struct store_filter *filter,
                 int (*take)(void *context, const struct store_point *point, struct error *err), void *context,
                 struct error *err);

#endif
