/* What watching costs, by rounds with and without a monitor in random order, none of them kept; and from that the
 * rate. */
#ifndef TARE_SESSION_RATE_H
#define TARE_SESSION_RATE_H

#include "model/experiment.h"
#include "monitor/watch.h"

/* The rounds of a session, whatever they measure. */
struct rate_rounds {
	void *context;
	double round_time; /* seconds that a round takes */
	double budget;     /* seconds of the session; INFINITY: no limit */
	double (*elapsed)(const void *context);
	/* A round that is not kept: the seconds that it took, NaN when it was lost. -1: the session ends. */
	int (*round)(void *context, double *seconds, struct error *err);
	void (*tell)(void *context);
	bool (*cancelled)(const void *context);
};

/* Looks for the highest rate within the overhead that was asked for, or measures that of the rate that was asked for,
 * within a part of the budget; then begins the kept runs at it. Nothing where no thread watches beside the runs. */
int rate_find(struct watch *monitor, const struct experiment *experiment, const struct rate_rounds *rounds,
              struct monitoring *out, struct error *err);

#endif
