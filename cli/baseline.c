#include "cli/baseline.h"

#include "analysis/against.h"
#include "cli/compare.h"
#include "cli/message.h"
#include "cli/stored.h"
#include "host/info.h"
#include "store/loader.h"
#include "store/maintain.h"
#include "store/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int baseline_find(const char *name, int64_t *id, struct error *err)
{
	SCOPED(stored) struct store *store = stored_open(err);
	return store ? store_baseline_find(store, name, id, err) : -1;
}

/* This machine, as the store calls it. */
static char *own_stratum(struct arena *arena)
{
	struct host host = host_real();
	struct host_description here;
	info_describe(&host, &here);
	struct host_info info = {.cpu = here.cpu[0] ? here.cpu : NULL, .cpus = here.cpus, .virtual_ = here.virtual_};
	return store_stratum(&info, arena);
}

int baseline_check(const char *name, int64_t *id, struct error *err)
{
	SCOPED(arena) struct arena arena = {0};
	struct store_facts facts;
	SCOPED(stored) struct store *store = stored_open(err);
	if (!store || store_baseline_find(store, name, id, err) != 0 || store_facts(store, *id, &arena, &facts, err) != 0)
		return -1;
	const char *here = own_stratum(&arena);
	if (!here)
		return error_memory(err);
	if (strcmp(here, facts.stratum) == 0)
		return 0;
	return error_full(
		err, ERROR_USAGE, "--baseline",
		"measure old and new side by side here ('tare run OLD NEW', or --git BASE), or make a baseline on this machine",
		"the baseline '%.60s' was measured on another machine (%.80s; this is %.80s)", name, facts.stratum, here);
}

int baseline_compare(const struct measure_options *options, const struct experiment *experiment, int64_t baseline,
                     int64_t id, const char *metric, struct result *old, int *code, struct error *err)
{
	struct compare_options compare = {.gate = experiment->gate,
	                                  .allow_missing = options->allow_missing,
	                                  .ascii = options->ascii,
	                                  .color = options->color,
	                                  .out = {.markdown = options->out.markdown, .junit = options->out.junit}};
	struct against_options against = {
		.by_name = true,
		.analysis = analysis_options_of(experiment),
		.whole = {.limit = experiment->gate,
	              .welcome = {experiment->ignore_failure, experiment->expected_exits, experiment->expected_exit_count},
	              .allow_missing = options->allow_missing}};
	SCOPED(result) struct result new_ = result_empty();
	char names[2][32];
	int64_t ids[] = {baseline, id};
	for (int i = 0; i < 2; i++)
		snprintf(names[i], sizeof(names[i]), "@%lld", (long long)ids[i]);
	printf("\nagainst the baseline '%s' (%s), measured at another time:\n", options->baseline, names[0]);
	fflush(stdout);
	int status = stored_read(names[0], old, err) == 0 ? stored_read(names[1], &new_, err) : -1;
	/* What the session decided by; of benchmarks each has its own. */
	if (status == 0 && (new_.stopped.metric || !new_.subjects[0].metric))
		against.analysis.deciding = new_.stopped.metric ? new_.stopped.metric : metric;
	/* Commands may be called what they were called then. */
	if (status == 0 && new_.subject_count > 0 && !new_.subjects[0].benchmark)
		against.whole.how_missing = "-n gives a command that name";
	/* Both mostly have the same name; that of what is new stays, in every run. */
	if (status == 0 && old->subject_count == 1 && new_.subject_count == 1)
		against.labels[0] = arena_printf(&old->arena, "%s (%s)", old->subjects[0].name, options->baseline);
	if (status == 0)
		status = compare_results(&compare, &against, old, &new_, NULL, code, err);
	message_note("old and new side by side ('tare run OLD NEW', or --git BASE) see smaller changes");
	return status;
}

/* As good as the same, or narrow enough around it: within a tenth. */
static bool is_close(const struct comparison *c)
{
	return c->verdict == VERDICT_SAME || (c->ci.low > 0.9 && c->ci.high < 1.1);
}

/* What stands against it that the two are the same; NULL: nothing. */
static const char *difference(const struct result *result, bool *noisy)
{
	*noisy = false;
	for (size_t i = 0; i < result->comparison_count; i++) {
		enum verdict verdict = result->comparisons[i].verdict;
		if (verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER || verdict == VERDICT_MIXED)
			return result->subjects[result->comparisons[i].new_].name;
	}
	*noisy = true;
	for (size_t i = 0; i < result->comparison_count; i++)
		if (!is_close(&result->comparisons[i]))
			return result->subjects[result->comparisons[i].new_].name;
	return NULL;
}

int baseline_agree(struct result *a, struct result *b, char *what, size_t size, struct error *err)
{
	struct against_options against = {.whole = {.limit = NAN}};
	struct suite suite;
	size_t old_count = a->subject_count;
	uint32_t twice;
	bool noisy;
	analysis_options_init(&against.analysis);
	if (against_compare(a, b, &against, &suite, &twice, err) != 0 && err->kind != ERROR_NO_DATA)
		return -1;
	if (a->comparison_count < old_count) {
		snprintf(what, size, "they did not measure the same subjects");
		return 0;
	}
	const char *differs = difference(a, &noisy);
	if (differs)
		snprintf(what, size, noisy ? "'%.100s' scatters too much to tell" : "'%.100s' differs between them", differs);
	return differs ? 0 : 1;
}
