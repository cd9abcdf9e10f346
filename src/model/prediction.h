/* How long future work will take, and by what that is known. */
#ifndef TARE_MODEL_PREDICTION_H
#define TARE_MODEL_PREDICTION_H

#include <stdbool.h>
#include <stddef.h>

enum prediction_source { PREDICT_BY_LINE, PREDICT_BY_UNITS };

struct prediction {
	double work;
	double seconds, low, high;        /* of one more run with that work, in the basis' metric */
	double wall, wall_low, wall_high; /* the same in wall time, where that is another metric; NaN: not known */
	bool beyond;                      /* more than twice the largest amount measured: the line may not go on so far */
};

struct prediction_basis {
	enum prediction_source source;
	const char *unit;    /* of work; "" a count of units */
	const char *metric;  /* the time that is predicted: "wall", "cpu", … */
	const char *index;   /* of PREDICT_BY_UNITS */
	double speed, alpha; /* work per second in the stable phase; seconds besides; NaN: not known */
	bool stable_only;    /* set-up and warm-up are not in it: their time is not known */
	size_t rounds;
};

/* Predictions of several amounts of work. */
struct prediction_list {
	const struct prediction *items;
	size_t count;
	const struct prediction_basis *basis;
	double level; /* of the intervals */
};

#endif
