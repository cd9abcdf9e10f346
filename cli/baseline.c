#include "cli/baseline.h"

#include "analysis/analysis.h"
#include "base/format.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/stored.h"
#include "host/info.h"
#include "report/overview.h"
#include "store/loader.h"
#include "store/maintain.h"
#include "store/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int baseline_find(const char *name, int64_t *id, struct error *err)
{
	struct store *store = stored_open(err);
	int status = store ? store_baseline_find(store, name, id, err) : -1;
	store_close(store);
	return status;
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

static int refuse_machine(const char *name, const char *there, const char *here, struct error *err)
{
	error_set(err, ERROR_USAGE, "the baseline '%.60s' was measured on another machine (%.80s; this is %.80s)", name,
	          there, here);
	error_on(err, "--baseline");
	return error_next(
		err,
		"measure old and new side by side here ('tare run OLD NEW', or --git BASE), or make a baseline on this machine");
}

int baseline_check(const char *name, int64_t *id, struct error *err)
{
	struct arena arena = {0};
	struct store_facts facts;
	struct store *store = stored_open(err);
	int status = store ? store_baseline_find(store, name, id, err) : -1;
	if (status == 0)
		status = store_facts(store, *id, &arena, &facts, err);
	if (status == 0) {
		const char *here = own_stratum(&arena);
		if (!here)
			status = error_memory(err);
		else if (strcmp(here, facts.stratum) != 0)
			status = refuse_machine(name, facts.stratum, here, err);
	}
	arena_release(&arena);
	store_close(store);
	return status;
}

/* The words of a command line that tare gives itself. */
struct baseline_words {
	struct arena arena;
	char *argv[16];
	int argc;
};

static void add_word(struct baseline_words *words, const char *word)
{
	/* The words are not changed by who reads them. */
	words->argv[words->argc++] = (char *)(uintptr_t)word;
}

/* --NAME=VALUE in per cent; NaN: it is left out. */
static int add_percent(struct baseline_words *words, const char *name, double fraction)
{
	char number[FORMAT_MAX];
	if (isnan(fraction))
		return 0;
	char *word = arena_printf(&words->arena, "--%s=%s%%", name, format_exact(number, sizeof(number), 100 * fraction));
	if (!word)
		return -1;
	add_word(words, word);
	return 0;
}

/* --NAME=FILE; NULL: it is left out. */
static int add_file(struct baseline_words *words, const char *name, const char *path)
{
	char *word = path ? arena_printf(&words->arena, "--%s=%s", name, path) : NULL;
	if (word)
		add_word(words, word);
	return path && !word ? -1 : 0;
}

/* What was asked for of the measurement holds for the comparison too. */
static int add_options(struct baseline_words *words, const struct measure_options *options,
                       const struct experiment *experiment)
{
	if (add_percent(words, "gate", experiment->gate) != 0 ||
	    add_percent(words, "confidence", experiment->confidence) != 0 ||
	    add_percent(words, "margin", experiment->margin) != 0 ||
	    add_percent(words, "share-margin", experiment->share_margin) != 0 ||
	    add_file(words, "markdown", options->markdown) != 0 || add_file(words, "junit", options->junit) != 0)
		return -1;
	if (options->allow_missing)
		add_word(words, "--allow-missing");
	if (options->ascii)
		add_word(words, "--ascii");
	if (options->color) {
		add_word(words, "--color");
		add_word(words, options->color);
	}
	return 0;
}

int baseline_compare(const struct measure_options *options, const struct experiment *experiment, int64_t baseline,
                     int64_t id, const char *metric)
{
	char old[32], new_[32];
	struct baseline_words words = {0};
	struct error err;
	snprintf(old, sizeof(old), "@%lld", (long long)baseline);
	snprintf(new_, sizeof(new_), "@%lld", (long long)id);
	add_word(&words, "compare");
	add_word(&words, old);
	add_word(&words, new_);
	add_word(&words, "--metric");
	add_word(&words, metric);
	if (add_options(&words, options, experiment) != 0) {
		arena_release(&words.arena);
		error_memory(&err);
		return message_error(&err);
	}
	printf("\nagainst the baseline '%s' (%s), measured at another time:\n", options->baseline, old);
	fflush(stdout);
	int code = command_compare.main(&command_compare, words.argc, words.argv);
	message_note(
		"what changed between the two times is in this too; old and new side by side ('tare run OLD NEW', or --git BASE) see smaller changes");
	arena_release(&words.arena);
	return code;
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
	struct analysis_options options;
	const char *metric = overview_metric(a);
	size_t old_count = a->subject_count, count = 0;
	struct couple *couples = mem_alloc(old_count, sizeof(*couples));
	if (!couples)
		return error_memory(err);
	a->comparison_count = 0;
	int status = result_adopt(a, b) == 0 ? 0 : error_memory(err);
	for (size_t i = 0; status == 0 && i < old_count; i++)
		for (size_t j = old_count; j < a->subject_count; j++)
			if (strcmp(a->subjects[i].name, a->subjects[j].name) == 0) {
				couples[count++] = (struct couple){.base = i, .new_ = j};
				break;
			}
	analysis_options_init(&options);
	options.deciding = metric;
	if (status == 0 && count < old_count) {
		snprintf(what, size, "they did not measure the same subjects");
		mem_free(couples);
		return 0;
	}
	if (status == 0)
		status = analyse_couples(a, couples, count, &options, err);
	mem_free(couples);
	if (status != 0)
		return -1;
	bool noisy;
	const char *differs = difference(a, &noisy);
	if (differs)
		snprintf(what, size, noisy ? "'%.100s' scatters too much to tell" : "'%.100s' differs between them", differs);
	return differs ? 0 : 1;
}
