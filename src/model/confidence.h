/* An interval as results have it. */
#ifndef TARE_MODEL_CONFIDENCE_H
#define TARE_MODEL_CONFIDENCE_H

#include <stdbool.h>

struct confidence {
	double level;     /* 0.99; NaN: no interval, see why */
	double low, high; /* NaN when unbounded */
	bool unbounded;
	const char *method; /* "t", "t x sqrt(1+5/R)", "anytime", "fieller", … */
	const char *why;    /* why there is none, or NULL */
};

#endif
