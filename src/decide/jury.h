/* All comparisons of an experiment looked at together: is everything decided, and told well? */
#ifndef TARE_DECIDE_JURY_H
#define TARE_DECIDE_JURY_H

#include "decide/gate.h"
#include "decide/judge.h"

struct jury {
	struct judge *judges;            /* one per comparison; ours */
	struct verdict_numbers *numbers; /* of the last look; among several, those of the selection */
	bool *decided;                   /* after the last look: nothing more is needed of it */
	double *missing;                 /* about how many more pairs each open one needs, relative to those so far;
	                                    INFINITY: not known; 0 when decided */
	size_t *decided_at;              /* pairs at the look that first had a verdict; 0: none had */
	double *p;                       /* room for the selection */
	enum gate *gates;
	enum better *better;
	size_t count;
	bool until_total; /* "same" must hold in total */
	double gate;      /* NaN: verdicts decide; else: until the gate is broken or held */
	double precision; /* NaN: verdicts decide; else: until every ratio is this precise */
	double told; /* NaN: a verdict is enough; else: it is to be told with this half-width, or a fifth of the effect,
	                     or after as many pairs again as it took */
};

/* `count` judges with these options, all empty. */
int jury_init(struct jury *jury, size_t count, const struct judge_options *options, struct error *err);
void jury_release(struct jury *jury);

struct jury_look {
	size_t open;    /* comparisons that are not decided */
	size_t worst;   /* the open one that needs most, or the first */
	double missing; /* about how many more pairs it needs, relative to those so far; INFINITY: not known */
};

/* Whether a judge has reached a number of pairs or units that is worth a look. */
bool jury_is_due(const struct jury *jury);

/* Looks at every judge; Benjamini and Hochberg over them. -1 when out of memory. */
int jury_look(struct jury *jury, struct jury_look *out, struct error *err);

/* The same as a forecast that may be told. From half of the needed pairs on it is right within a factor of three in 7 of
 * 10 experiments; before that nobody can tell, and *least says that it takes at least as many pairs as there are. NaN: not known. */
double jury_forecast(const struct jury *jury, size_t i, bool *least);

#endif
