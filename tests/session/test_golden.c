/* Golden sessions: each is played on the scripted machine (session/script.h), and what comes of it must be what is
 * recorded in tests/session/golden, number by number.
 *
 *	test-session-golden               compares all
 *	test-session-golden --record      records them anew: every difference is then named in golden/DIFFERENCES.md
 *	test-session-golden --show NAME   the whole document of one, a key a line, to be compared with another build's
 *
 * A record holds decisions, times, warnings, comparisons and the metric that decides in full; of everything else (the
 * other metrics, samples, trials, progress) a few numbers and a checksum. Numbers have 12 digits: the last bits of
 * logarithms differ between machines. */
#include "exchange/calibration_document.h"
#include "exchange/document.h"
#include "session/builds.h"
#include "session/calibrate.h"
#include "session/golden.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_TRIALS = 3, MOST_RESULTS = 300 };

/* ---- texts ---- */

static uint64_t checksum(const char *text)
{
	uint64_t sum = UINT64_C(14695981039346656037);
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return sum;
}

static void add_json(struct buffer *out, const json_t *value);

static bool is_reason(const char *key)
{
	size_t length = strlen(key);
	return length > 4 && strcmp(key + length - 4, "_why") == 0 && strcmp(key, "metric_why") != 0;
}

static void add_object(struct buffer *out, const json_t *object)
{
	const char *key;
	json_t *value;
	bool first = true;
	buffer_char(out, '{');
	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		if (json_is_null(value) || is_reason(key))
			continue;
		buffer_printf(out, "%s%s: ", first ? "" : ", ", key);
		add_json(out, value);
		first = false;
	}
	buffer_char(out, '}');
}

/* JSON without quotes around keys, without what is not known and the reasons why. */
static void add_json(struct buffer *out, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT: add_object(out, value); return;
	case JSON_ARRAY:
		buffer_char(out, '[');
		for (size_t i = 0; i < json_array_size(value); i++) {
			buffer_text_add(out, i ? ", " : "");
			add_json(out, json_array_get(value, i));
		}
		buffer_char(out, ']');
		return;
	case JSON_STRING: buffer_printf(out, "\"%s\"", json_string_value(value)); return;
	case JSON_INTEGER: buffer_printf(out, "%lld", (long long)json_integer_value(value)); return;
	case JSON_REAL: buffer_printf(out, "%.12g", json_real_value(value)); return;
	default: buffer_text_add(out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null"); return;
	}
}

/* Takes a key off an object; its text becomes a checksum. */
static void add_checksum(struct buffer *out, json_t *object, const char *key)
{
	struct buffer text = {0};
	json_t *value = json_object_get(object, key);
	if (!value || json_is_null(value))
		return;
	add_json(&text, value);
	buffer_printf(out, " %s %zu #%016llx", key, json_array_size(value),
	              (unsigned long long)checksum(buffer_text(&text)));
	buffer_release(&text);
	json_object_del(object, key);
}

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "-";
}

static bool decides(const json_t *document, const json_t *subject, const char *metric)
{
	const json_t *comparisons = json_object_get(document, "comparisons");
	for (size_t i = 0; i < json_array_size(comparisons); i++)
		if (strcmp(text_at(json_array_get(comparisons, i), "metric"), metric) == 0)
			return true;
	if (json_array_size(comparisons) > 0)
		return false;
	const json_t *m = json_object_get(json_object_get(subject, "metrics"), metric);
	return strcmp(text_at(subject, "metric"), metric) == 0 || strcmp(metric, "wall") == 0 ||
	       json_is_number(json_object_get(m, "wanted"));
}

/* What is shown of the metric that decides. */
static void add_metric(struct buffer *out, const char *name, const json_t *metric)
{
	static const char *const shown[] = {"n", "mean", "median", "sd", "ci", "autocorrelation", "skip_runs", "steady"};
	struct buffer text = {0};
	add_json(&text, metric);
	buffer_printf(out, "  %s #%016llx:", name, (unsigned long long)checksum(buffer_text(&text)));
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		const json_t *value = json_object_get(metric, shown[i]);
		if (!value || json_is_null(value))
			continue;
		buffer_printf(out, " %s ", shown[i]);
		add_json(out, value);
	}
	buffer_char(out, '\n');
	buffer_release(&text);
}

static void add_subject(struct buffer *out, const json_t *document, json_t *subject)
{
	struct buffer others = {0};
	size_t count = 0;
	const char *name;
	json_t *metric, *metrics = json_incref(json_object_get(subject, "metrics"));
	json_object_foreach(metrics, name, metric)
	{
		if (decides(document, subject, name)) {
			add_metric(out, name, metric);
			continue;
		}
		buffer_printf(&others, "%s ", name);
		add_json(&others, metric);
		count++;
	}
	buffer_printf(out, "  %zu other metrics #%016llx\n", count, (unsigned long long)checksum(buffer_text(&others)));
	buffer_release(&others);
	json_object_del(subject, "metrics");
	buffer_text_add(out, "  ");
	add_json(out, subject);
	buffer_char(out, '\n');
	json_decref(metrics);
}

static void add_document(struct buffer *out, json_t *document)
{
	json_t *subjects = json_object_get(document, "subjects"), *design = json_object_get(document, "design");
	const char *key;
	json_t *value;
	buffer_text_add(out, "design:");
	add_checksum(out, design, "order");
	buffer_char(out, ' ');
	add_json(out, design);
	buffer_char(out, '\n');
	for (size_t i = 0; i < json_array_size(subjects); i++) {
		buffer_printf(out, "subject %zu:\n", i);
		add_subject(out, document, json_array_get(subjects, i));
	}
	json_object_foreach(document, key, value)
	{
		if (strcmp(key, "subjects") == 0 || strcmp(key, "design") == 0 || strcmp(key, "host") == 0 ||
		    strcmp(key, "version") == 0 || strcmp(key, "schema") == 0 || strcmp(key, "seed") == 0 ||
		    json_is_null(value) || is_reason(key))
			continue;
		for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
			buffer_printf(out, "%s %zu: ", key, i);
			add_json(out, json_array_get(value, i));
			buffer_char(out, '\n');
		}
		if (json_is_array(value))
			continue;
		buffer_printf(out, "%s: ", key);
		add_json(out, value);
		buffer_char(out, '\n');
	}
}

/* Every key on a line of its own. */
static void show(const char *path, const json_t *value)
{
	struct buffer text = {0};
	const char *key;
	json_t *each;
	char longer[1000];
	if (json_is_object(value)) {
		json_object_foreach((json_t *)(uintptr_t)value, key, each)
		{
			snprintf(longer, sizeof(longer), "%s.%s", path, key);
			show(longer, each);
		}
		return;
	}
	for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
		snprintf(longer, sizeof(longer), "%s[%zu]", path, i);
		show(longer, json_array_get(value, i));
	}
	if (json_is_array(value))
		return;
	add_json(&text, value);
	printf("%s = %s\n", path, buffer_text(&text));
	buffer_release(&text);
}

/* ---- what a session tells while it goes on ---- */

struct told {
	struct buffer notes, progress;
	char last[300];
	size_t progress_count, rounds;
};

static void take_progress(void *context, const struct session_progress *now)
{
	struct told *told = context;
	snprintf(
		told->last, sizeof(told->last),
		"%s, %zu runs, %zu pairs, %zu/%zu, %s %s: %.12g [%.12g, %.12g] %d, %.12g of %.12g s, target %.12g, left %.12g",
		now->phase, now->runs, now->pairs, now->done, now->asked, now->most.subject ? now->most.subject : "-",
		now->most.unit ? now->most.unit : "-", now->most.estimate, now->most.low, now->most.high, now->most.is_ratio,
		now->elapsed, now->budget, now->most.target, now->left);
	buffer_printf(&told->progress, "%s\n", told->last);
	told->progress_count++;
}

static void take_note(void *context, const char *text)
{
	struct told *told = context;
	buffer_printf(&told->notes, "note: %s\n", text);
}

static void take_round(void *context, const struct result *result, bool more)
{
	struct told *told = context;
	(void)result;
	(void)more;
	told->rounds++;
}

/* What a build that failed has said. */
static struct told *listener;

static void take_log(const struct buffer *text)
{
	buffer_printf(&listener->notes, "printed: %s", buffer_text(text));
}

/* ---- playing ---- */

static struct {
	const char *name;
	struct result *result;
} results[MOST_RESULTS];
static size_t result_count;

static void set_defaults(struct golden *g)
{
	static const char *const names[] = {"a", "b", "c", "d"}, *const texts[] = {"./a", "./b", "./c", "./d"};
	memset(g, 0, sizeof(*g));
	experiment_init(&g->experiment);
	repeat_plan_init(&g->plan);
	for (size_t i = 0; i < GOLDEN_SUBJECTS; i++)
		g->subjects[i] = (struct experiment_subject){.name = names[i], .command = texts[i]};
	g->experiment.subjects = g->subjects;
	g->experiment.pis = g->pis;
	g->experiment.seed = 7;
	g->script.seed = 1;
	g->plan.confidence = 0.95;
	g->plan.budget = NAN;
	g->plan.subjects = &g->planned;
	g->plan.subject_count = 1;
}

static int play_builds(struct golden *g, const struct session_observer *observer, struct result *out, bool *missing,
                       struct error *err)
{
	static char nobody; /* a spawner that is never asked */
	struct builds use = {
		.wanted = true, .count = g->builds ? g->builds : BUILDS_USUAL, .given = g->builds > 0, .print = take_log};
	int status = session_run_builds(&use, g->kind == GOLDEN_BUILDS ? &instrument_commands : &instrument_programs,
	                                &g->experiment, (struct spawner *)(void *)&nobody, -1, observer, false, out,
	                                missing, err);
	struct buffer text = {0};
	if (use.tree_of)
		builds_describe(&use, &g->experiment, &text);
	buffer_text_add(&listener->notes, buffer_text(&text));
	buffer_release(&text);
	builds_release(&use);
	return status;
}

static int play_calibration(const struct golden *g, const struct session_observer *observer, struct buffer *out,
                            struct error *err)
{
	struct calibrate_program programs[] = {{.name = "cpu", .experiment = &g->experiment},
	                                       {.name = "./b", .command = "./b", .experiment = &g->experiment}};
	struct calibration found;
	calibration_init(&found);
	int status = session_calibrate(programs, 2, g->seconds, g->pairs, NULL, -1, observer, &found, err);
	struct buffer text = {0};
	if (calibration_document_write(&found, &text, NULL) == 0) {
		json_t *document = json_loads(buffer_text(&text), 0, NULL);
		json_object_del(document, "version");
		json_t *each = json_object_get(document, "programs");
		for (size_t i = 0; i < json_array_size(each); i++) {
			add_json(out, json_array_get(each, i));
			buffer_char(out, '\n');
		}
		json_object_del(document, "programs");
		add_json(out, document);
		buffer_char(out, '\n');
		json_decref(document);
	}
	buffer_release(&text);
	calibration_release(&found);
	return status;
}

/* What was played before, for those that go on with it. */
static const struct result *find_result(const char *name)
{
	for (size_t i = 0; i < result_count; i++)
		if (strcmp(results[i].name, name) == 0)
			return results[i].result;
	fprintf(stderr, "there is no result of %s\n", name);
	exit(1);
}

static void add_told(struct buffer *out, const struct told *told)
{
	const char *log = buffer_text(script_log()), *end = log;
	size_t lines = 0;
	buffer_text_add(out, buffer_text(&told->notes));
	buffer_printf(out, "saved: %zu times\nprogress: %zu #%016llx\n", told->rounds, told->progress_count,
	              (unsigned long long)checksum(buffer_text(&told->progress)));
	if (told->progress_count)
		buffer_printf(out, "  last %s\n", told->last);
	for (const char *at = log; *at; at++)
		if (*at == '\n' && lines++ < SHOWN_TRIALS)
			end = at + 1;
	buffer_printf(out, "trials: %zu #%016llx\n%.*s", lines, (unsigned long long)checksum(log), (int)(end - log), log);
	buffer_printf(out, "the clock: %.6f\n", script_now());
}

static void play(const struct golden_case *which, bool shown, struct buffer *out)
{
	static struct golden golden;
	struct golden *g = &golden;
	struct told told = {0};
	struct session_observer observer = {
		.context = &told, .progress = take_progress, .note = take_note, .round_context = &told, .round = take_round};
	struct error err = {0};
	struct result *result = calloc(1, sizeof(*result));
	struct buffer text = {0}, document = {0};
	bool missing = false;
	int status = 0;
	set_defaults(g);
	which->set_up(g);
	listener = &told;
	result_init(result);
	if (g->before && g->experiment.rank)
		g->experiment.rivals = find_result(g->before);
	else if (g->before)
		g->experiment.earlier = find_result(g->before);
	script_begin(&g->script);
	switch (g->kind) {
	case GOLDEN_COMMANDS:
		status = session_run(&instrument_commands, &g->experiment, NULL, -1, &observer, result, &missing, &err);
		break;
	case GOLDEN_PROGRAMS:
		status = session_run(&instrument_programs, &g->experiment, NULL, -1, &observer, result, &missing, &err);
		break;
	case GOLDEN_BUILDS:
	case GOLDEN_BUILDS_OF_PROGRAMS: status = play_builds(g, &observer, result, &missing, &err); break;
	case GOLDEN_DRY_RUN: status = session_dry_run(&instrument_commands, &g->experiment, NULL, -1, &text, &err); break;
	case GOLDEN_DRY_RUN_OF_PROGRAMS:
		status = session_dry_run(&instrument_programs, &g->experiment, NULL, -1, &text, &err);
		break;
	case GOLDEN_LIST: status = session_list(&g->experiment, -1, &text, &err); break;
	case GOLDEN_CALIBRATION: status = play_calibration(g, &observer, &text, &err); break;
	case GOLDEN_LIBRARY: g->library(&text); break;
	}
	if (status != 0) {
		char words[1200];
		error_text(&err, words, sizeof(words));
		buffer_printf(out, "error %d: %s\n", error_exit_code(err.kind), words);
	}
	if (missing)
		buffer_text_add(out, "a benchmark is missing\n");
	buffer_text_add(out, buffer_text(&text));
	if (result->subject_count > 0) {
		json_error_t why;
		if (document_write(result, &document, NULL) != 0)
			exit(1);
		json_t *tree = json_loads(buffer_text(&document), 0, &why);
		if (shown)
			show("", tree);
		add_document(out, tree);
		json_decref(tree);
	}
	add_told(out, &told);
	if (shown)
		printf("%s%s%s", buffer_text(&told.progress), buffer_text(script_log()), buffer_text(out));
	buffer_release(&told.notes);
	buffer_release(&told.progress);
	buffer_release(&text);
	buffer_release(&document);
	script_end();
	results[result_count].name = which->name;
	results[result_count++].result = result;
}

/* ---- comparing ---- */

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	struct buffer text = {0};
	char part[4096];
	size_t n;
	while (file && (n = fread(part, 1, sizeof(part), file)) > 0)
		buffer_add(&text, part, n);
	if (file)
		fclose(file);
	char *copy = file ? strdup(buffer_text(&text)) : NULL;
	buffer_release(&text);
	return copy;
}

static void print_line(const char *head, const char *text)
{
	printf("# %s%.*s\n", head, (int)strcspn(text, "\n"), text);
}

/* The first lines that differ. */
static void print_difference(const char *recorded, const char *now)
{
	enum { SHOWN = 4 };
	int shown = 0;
	while (shown < SHOWN && (*recorded || *now)) {
		size_t a = strcspn(recorded, "\n"), b = strcspn(now, "\n");
		if (a != b || strncmp(recorded, now, a) != 0) {
			print_line("- ", recorded);
			print_line("+ ", now);
			shown++;
		}
		recorded += a + (recorded[a] != '\0');
		now += b + (now[b] != '\0');
	}
}

static bool check(const struct golden_case *which, const char *folder, bool record, struct buffer *now)
{
	char path[1000];
	snprintf(path, sizeof(path), "%s/%s.txt", folder, which->name);
	if (record) {
		FILE *file = fopen(path, "w");
		bool fine = file && fputs(buffer_text(now), file) >= 0;
		return file && fclose(file) == 0 && fine;
	}
	char *recorded = read_all(path);
	bool same = recorded && strcmp(recorded, buffer_text(now)) == 0;
	if (!recorded)
		printf("# %s cannot be read\n", path);
	else if (!same)
		print_difference(recorded, buffer_text(now));
	free(recorded);
	return same;
}

int main(int argc, char **argv)
{
	char folder[900];
	bool record = argc > 1 && strcmp(argv[1], "--record") == 0;
	const char *shown = argc > 2 && strcmp(argv[1], "--show") == 0 ? argv[2] : NULL, *root = getenv("SOURCE_ROOT");
	size_t failed = 0;
	snprintf(folder, sizeof(folder), "%s/tests/session/golden", root ? root : ".");
	if (!shown)
		printf("1..%zu\n", golden_case_count);
	for (size_t i = 0; i < golden_case_count; i++) {
		struct buffer now = {0};
		bool this_one = shown && strcmp(golden_cases[i].name, shown) == 0;
		play(&golden_cases[i], this_one, &now);
		bool fine = shown || check(&golden_cases[i], folder, record, &now);
		if (!shown)
			printf("%sok %zu - %s\n", fine ? "" : "not ", i + 1, golden_cases[i].name);
		failed += !fine;
		buffer_release(&now);
	}
	for (size_t i = 0; i < result_count; i++) {
		result_release(results[i].result);
		free(results[i].result);
	}
	return failed > 0;
}
