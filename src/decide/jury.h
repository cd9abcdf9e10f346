/* All comparisons of an experiment looked at together: is everything decided? */
#ifndef TARE_DECIDE_JURY_H
#define TARE_DECIDE_JURY_H

#include "decide/gate.h"
#include "decide/judge.h"

struct jury {
	struct judge *judges;            /* one per comparison; ours */
	struct verdict_numbers *numbers; /* of the last look */
	bool *decided;                   /* after the last look */
	double *missing;                 /* about how many more units each open one needs, relative to those so far;
	                                    INFINITY: not known; 0 when decided */
	double *p, *p_same;              /* room for Holm */
	enum gate *gates;
	enum better *better;
	size_t count;
	bool until_total; /* "same" must hold in total */
	double gate;      /* NaN: verdicts decide; else: until the gate is broken or held */
	double precision; /* NaN: verdicts decide; else: until every ratio is this precise */
};

/* `count` judges with these options, all empty. */
int jury_init(struct jury *jury, size_t count, const struct judge_options *options, struct error *err);
void jury_release(struct jury *jury);

struct jury_look {
	size_t open;    /* comparisons that are not decided */
	size_t worst;   /* the open one that needs most, or the first */
	double missing; /* about how many more units it needs, relative to those so far; INFINITY: not known */
};

/* Looks at every judge; Holm over them. -1 when out of memory. */
int jury_look(struct jury *jury, struct jury_look *out, struct error *err);

/* About how many more units comparison i needs, relative to those so far; INFINITY: not known. */
double jury_missing(const struct jury *jury, size_t i);

#endif
