/* Runs that were ordered ahead: where a run is shorter than it takes to wake up the process that asks for it, most of the
 * time would go into asking. */
#include "measure/source_internal.h"

#include <string.h>

_Static_assert((int)SOURCE_AHEAD <= (int)SERIES_MAX, "a lane takes them all at once");

bool source_may_run_ahead(const struct source *source)
{
	const struct experiment *e = source->experiment;
	for (size_t i = 0; i < e->subject_count; i++) {
		const char *output = source_output(e, i);
		if (source->commands[i].numbered || (output && strcmp(output, "null") != 0))
			return false;
	}
	return e->pi_count == 0 && !e->check && !e->input && e->expected_exit_count == 0 && !source_cancelled(source);
}

int source_run_ahead(struct source *source, const struct source_step *steps, size_t count, struct error *err)
{
	struct trial_request requests[SOURCE_AHEAD];
	struct cpuset cpus[SOURCE_AHEAD];
	struct sample ignored;
	source->ahead_next = source->ahead_count = 0;
	for (size_t i = 0; i < count; i++) {
		source->ahead_steps[i] = steps[i];
		if (source_request(source, &steps[i], 0, &cpus[i], &requests[i], &ignored) != 0)
			return 0; /* who measures it is told why */
	}
	source_watch_clock(source, true);
	int status = trial_run_series(source->spawner, requests, count, source->cancel, source->ahead, &source->ahead_count,
	                              err);
	source_watch_clock(source, false);
	return status;
}

size_t source_ahead(const struct source *source)
{
	return source->ahead_count - source->ahead_next;
}

bool source_take_ahead(struct source *source, const struct source_step *step, struct outcome *out)
{
	const struct source_step *next = &source->ahead_steps[source->ahead_next];
	bool same = source_ahead(source) > 0 && next->subject == step->subject && next->cpu == step->cpu;
	if (same)
		*out = source->ahead[source->ahead_next++];
	else
		source->ahead_next = source->ahead_count = 0;
	return same;
}
