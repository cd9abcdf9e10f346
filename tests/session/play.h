/* Playing a session on the scripted machine, for tests of single files. */
#ifndef TARE_TESTS_SESSION_PLAY_H
#define TARE_TESTS_SESSION_PLAY_H

#include "session/script.h"
#include "session/session.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct play {
	struct experiment experiment;
	struct experiment_subject subjects[3];
	struct script script;
	struct result result;
	struct error err;
	struct buffer notes; /* that were said, a line each */
	struct session_progress last;
	char phase[64]; /* of `last`, which is gone once the session has ended */
	size_t saved, told;
	const char *stop_in; /* the user wants no more from this phase on; NULL: never */
	size_t told_since;   /* how often something was told then */
	bool stopped;
	bool missing;
	int status;
};

static inline void play_note(void *context, const char *text)
{
	buffer_printf(&((struct play *)context)->notes, "%s\n", text);
}

static inline void play_progress(void *context, const struct session_progress *now)
{
	struct play *play = context;
	play->last = *now;
	snprintf(play->phase, sizeof(play->phase), "%s", now->phase ? now->phase : "");
	play->last.phase = play->phase;
	play->told++;
	play->told_since += play->stopped;
}

static inline void play_saved(void *context, const struct result *result, bool more)
{
	(void)result;
	(void)more;
	((struct play *)context)->saved++;
}

static inline bool play_enough(void *context)
{
	struct play *play = context;
	play->stopped |= play->stop_in && strcmp(play->phase, play->stop_in) == 0;
	return play->stopped;
}

static inline struct session_observer play_observer(struct play *play)
{
	return (struct session_observer){.context = play,
	                                 .progress = play_progress,
	                                 .note = play_note,
	                                 .enough = play_enough,
	                                 .round_context = play,
	                                 .round = play_saved};
}

/* `count` commands of 20 ms each, 1 % of noise, in turns. */
static inline void play_init(struct play *play, size_t count)
{
	static const char *const names[] = {"a", "b", "c"}, *const texts[] = {"./a", "./b", "./c"};
	memset(play, 0, sizeof(*play));
	experiment_init(&play->experiment);
	result_init(&play->result);
	for (size_t i = 0; i < 3; i++) {
		play->subjects[i] = (struct experiment_subject){.name = names[i], .command = texts[i]};
		play->script.actors[i] = (struct script_actor){.time = 0.02, .noise = 0.01};
	}
	play->experiment.subjects = play->subjects;
	play->experiment.subject_count = count;
	play->experiment.seed = 7;
	play->experiment.design = count > 1 ? "turns" : "auto";
	play->script.seed = 1;
}

/* The same for programs with `benchmarks` benchmarks of 2 µs, 4 µs, … */
static inline void play_init_programs(struct play *play, size_t sides, size_t benchmarks)
{
	static const char *const names[] = {"sort/size=8", "hash", "parse", "copy"};
	play_init(play, sides);
	play->experiment.design = "auto";
	play->experiment.max_time = INT64_C(10000000000);
	play->script.benchmark_count = benchmarks;
	for (size_t i = 0; i < benchmarks; i++)
		play->script.benchmarks[i] = names[i];
	for (size_t i = 0; i < sides * benchmarks; i++)
		play->script.actors[i] = (struct script_actor){.time = 2e-6 * (double)(1 + i % benchmarks),
		                                               .noise = 0.01,
		                                               .run_noise = 0.002,
		                                               .warm = 3,
		                                               .warm_times = 1.5};
}

static inline void play_fixed(struct play *play, size_t runs)
{
	play->experiment.stop = STOP_FIXED;
	play->experiment.runs = runs;
}

static inline void play_fault(struct play *play, size_t actor, enum script_fault_kind kind, size_t from, size_t to)
{
	play->script.actors[actor].faults[0] = (struct script_fault){kind, from, to};
}

static inline void play_run(struct play *play, const struct instrument *instrument)
{
	struct session_observer observer = play_observer(play);
	script_begin(&play->script);
	memset(&play->err, 0xa5, sizeof(play->err)); /* nothing may read it before it is set */
	play->status = session_run(instrument, &play->experiment, NULL, -1, &observer, &play->result, &play->missing,
	                           &play->err);
}

static inline void play_end(struct play *play)
{
	buffer_release(&play->notes);
	result_release(&play->result);
	experiment_release(&play->experiment);
	script_end();
}

static inline const struct measurement *play_metric(const struct play *play, size_t subject, const char *name)
{
	const struct measurement *m = subject_find_metric(&play->result.subjects[subject], name);
	assert_non_null(m);
	return m;
}

/* The text of the first warning of this code; NULL: there is none. */
static inline const char *play_warning(const struct play *play, const char *code)
{
	for (size_t i = 0; i < play->result.warning_count; i++)
		if (strcmp(play->result.warnings[i].code, code) == 0)
			return play->result.warnings[i].text;
	return NULL;
}

static inline bool play_warned(const struct play *play, const char *code)
{
	return play_warning(play, code) != NULL;
}

#endif
