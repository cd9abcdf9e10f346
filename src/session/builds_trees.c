/* Which trees are built, and what that will be. */
#include "session/builds.h"

#include "base/random.h"
#include "model/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RUNS = 5 };

static const char *absolute(struct arena *arena, const char *path, struct error *err)
{
	char whole[PATH_MAX];
	if (!realpath(path ? path : ".", whole)) {
		error_set(err, ERROR_USAGE, "there is no such folder");
		error_on(err, "%s", path ? path : ".");
		return NULL;
	}
	const char *copy = arena_strdup(arena, whole);
	if (!copy)
		error_memory(err);
	return copy;
}

static size_t find_tree(const struct builds *builds, const struct build_tree *like)
{
	size_t i = 0;
	while (i < builds->tree_count &&
	       (builds->trees[i].suite != like->suite || strcmp(builds->trees[i].source, like->source) != 0 ||
	        strcmp(builds->trees[i].command, like->command) != 0))
		i++;
	return i;
}

int builds_plan(struct builds *builds, const struct experiment *experiment, const char *command, struct error *err)
{
	if (experiment->min_runs_given || experiment->max_runs || experiment->stop == STOP_VERDICT ||
	    experiment->stop == STOP_STABLE)
		return error_full(err, ERROR_USAGE, NULL,
		                  "-r N says how many runs; --builds N or --stop precision how many builds",
		                  "with builds every build has the same number of runs, and no rule of its own to stop");
	builds->command = command;
	builds->tree_count = 0;
	builds->trees = arena_alloc(&builds->arena, experiment->subject_count, sizeof(*builds->trees));
	builds->tree_of = arena_alloc(&builds->arena, experiment->subject_count, sizeof(*builds->tree_of));
	if (!builds->trees || !builds->tree_of)
		return error_memory(err);
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct experiment_subject *subject = &experiment->subjects[i];
		struct build_tree tree = {.source = absolute(&builds->arena, subject->directory, err),
		                          .command = subject->build ? subject->build : command,
		                          .suite = subject->origin};
		if (!tree.source)
			return -1;
		if (!tree.command)
			return error_full(err, ERROR_USAGE, subject->name,
			                  "--build 'make -j2' says so; in a suite file the key 'build'", "how is it built?");
		size_t found = find_tree(builds, &tree);
		if (found == COPIES_MOST)
			return error_set(err, ERROR_USAGE, "more than %d source trees to build", COPIES_MOST);
		builds->trees[found] = tree;
		builds->tree_count += found == builds->tree_count;
		builds->tree_of[i] = found;
	}
	return 0;
}

/* Another number for every build of every tree, from the seed of the experiment; small enough to be typed. */
uint64_t builds_seed(uint64_t seed, size_t build, size_t tree)
{
	struct random random;
	random_seed(&random, seed ^ (0x9e3779b97f4a7c15 * (build * COPIES_MOST + tree + 1)));
	return random_next(&random) >> 33;
}

/* Runs in every build: as asked for, as the plan says, or a few. */
size_t builds_runs(const struct experiment *experiment)
{
	size_t count = 0;
	for (size_t i = 0; experiment->plan && i < experiment->plan->subject_count; i++) {
		size_t planned = plan_count(&experiment->plan->subjects[i], LEVEL_RUN, experiment->subject_count > 1);
		count = planned > count ? planned : count;
	}
	return experiment->runs ? experiment->runs : count ? count : USUAL_RUNS;
}

void builds_describe(const struct builds *builds, const struct experiment *experiment, struct buffer *out)
{
	size_t runs = builds_runs(experiment);
	buffer_printf(out, "%zu builds, %zu runs of each command in every one\n", builds->count, runs);
	for (size_t t = 0; t < builds->tree_count; t++) {
		buffer_printf(out, "  %s: %s\n   ", builds->trees[t].source, builds->trees[t].command);
		for (size_t s = 0; s < experiment->subject_count; s++)
			if (builds->tree_of[s] == t)
				buffer_printf(out, " %s", experiment->subjects[s].name);
		buffer_text_add(out, "\n    seeds");
		for (size_t build = 0; build < builds->count && build < 8; build++)
			buffer_printf(out, " %llu", (unsigned long long)builds_seed(experiment->seed, build, t));
		buffer_text_add(out, builds->count > 8 ? " \xe2\x80\xa6\n" : "\n");
	}
}

void builds_release(struct builds *builds)
{
	copies_close(&builds->copies);
	arena_release(&builds->arena);
	memset(builds, 0, sizeof(*builds));
}
