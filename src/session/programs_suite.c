/* The benchmarks of all sides, matched by name, with what each was told about itself. */
#include "session/guests.h"

#include "base/parse.h"
#include "base/pattern.h"

#include <math.h>
#include <string.h>

static const char *parameter_of(const struct harness_benchmark *benchmark, const char *name, size_t length)
{
	for (size_t i = 0; i < benchmark->parameter_count; i++)
		if (strlen(benchmark->parameters[i].name) == length &&
		    strncmp(benchmark->parameters[i].name, name, length) == 0)
			return benchmark->parameters[i].value;
	return NULL;
}

/* Whether "a,b\\,c" has the value among its two. */
static bool is_listed(const char *list, const char *value)
{
	for (const char *at = list;; at++) {
		const char *rest = value;
		bool same = true;
		for (; *at && *at != ','; at++) {
			at += *at == '\\' && at[1];
			same = same && *rest == *at;
			rest += *rest != '\0';
		}
		if (same && !*rest)
			return true;
		if (!*at)
			return false;
	}
}

/* "NAME=a,b": false when the benchmark has the parameter with another value. */
static bool has_value(const struct harness_benchmark *benchmark, const char *condition)
{
	const char *equals = strchr(condition, '=');
	const char *value = parameter_of(benchmark, condition, (size_t)(equals - condition));
	return !value || is_listed(equals + 1, value);
}

struct chooser {
	const struct experiment_bench *options;
	struct name_filter filter;
	bool by_parameter; /* the sides are values of the parameter options->vary */
};

/* A name that was mistyped would choose every benchmark. */
static int check_condition(const struct session *session, const char *condition, struct error *err)
{
	for (size_t s = 0; s < session->sides; s++) {
		size_t count;
		const struct harness_benchmark *list = programs_list(session, s, &count);
		for (size_t i = 0; i < count; i++)
			if (parameter_of(&list[i], condition, strcspn(condition, "=")))
				return 0;
	}
	error_set(err, ERROR_USAGE, "no benchmark has this parameter");
	error_on(err, "--param %.100s", condition);
	return error_next(err, "--list shows the benchmarks and their parameters");
}

static int chooser_init(struct chooser *chooser, const struct session *session, struct error *err)
{
	const struct experiment_bench *options = &session->experiment->bench;
	*chooser = (struct chooser){.options = options};
	for (size_t i = 0; i < options->value_count; i++) {
		const char *equals = strchr(options->values[i], '=');
		if (!equals || equals == options->values[i] || !equals[1])
			return error_full(err, ERROR_USAGE, "--param", NULL, "'%.100s' is not NAME=VALUE,…", options->values[i]);
		if (check_condition(session, options->values[i], err) != 0)
			return -1;
	}
	for (size_t s = 0; options->vary && s < session->sides; s++) {
		size_t count;
		const struct harness_benchmark *list = programs_list(session, s, &count);
		for (size_t i = 0; i < count; i++)
			chooser->by_parameter |= parameter_of(&list[i], options->vary, strlen(options->vary)) != NULL;
	}
	return name_filter_init(&chooser->filter, options->filter, err);
}

static bool is_chosen(const struct chooser *chooser, const struct harness_benchmark *benchmark, bool *memory)
{
	for (size_t i = 0; i < chooser->options->value_count; i++)
		if (!has_value(benchmark, chooser->options->values[i]))
			return false;
	const struct name_filter *filter = &chooser->filter;
	int keeps = name_filter_keeps(filter, benchmark->name);
	/* Its framework's spelling chooses it too, as does tare's, which has no white space. */
	if (benchmark->key && keeps == filter->without)
		keeps = name_filter_keeps(filter, benchmark->key);
	*memory |= keeps < 0;
	return keeps == 1;
}

/* The name under which the sides meet: without the parameter that they differ in. NULL when this benchmark is not for
 * the side; *memory tells whether that is for want of memory. */
static const char *common_name(struct session *session, const struct chooser *chooser, size_t side,
                               const struct harness_benchmark *benchmark, bool *memory)
{
	const char *vary = chooser->options->vary, *wanted = NULL;
	if (!is_chosen(chooser, benchmark, memory))
		return NULL;
	if (!chooser->by_parameter)
		return benchmark->name;
	const struct experiment_subject *subject = &session->experiment->subjects[side];
	for (size_t i = 0; i < subject->parameter_count; i++)
		if (strcmp(subject->parameters[i].name, vary) == 0)
			wanted = subject->parameters[i].value;
	const char *value = parameter_of(benchmark, vary, strlen(vary));
	if (!value || !wanted || strcmp(value, wanted) != 0)
		return NULL;
	char *part = arena_printf(&session->arena, "/%s=%s", vary, value),
		 *name = arena_strdup(&session->arena, benchmark->name);
	if (!part || !name) {
		*memory = true;
		return NULL;
	}
	char *at = strstr(name, part);
	if (at)
		memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
	return name;
}

/* What a benchmark is told about itself: by its program, where nobody else says otherwise, or by a suite file for it
 * alone. */
struct told_option {
	const char *option, *value;
	bool wins; /* over what all benchmarks have */
};

/* lift, stop and stop-variant. A fixed number of runs wins over any rule. */
static int read_stability(const struct session *session, struct question *b, const struct told_option *told)
{
	const struct experiment *e = session->experiment;
	struct stable_options options;
	stable_options_init(&options);
	if (strcmp(told->option, "lift") == 0) {
		bool no = strcmp(told->value, "false") == 0 || strcmp(told->value, "no") == 0 ||
		          strcmp(told->value, "off") == 0;
		b->stability.lift = told->wins ? !no : b->stability.lift || !no;
		return 0;
	}
	if (strcmp(told->option, "stop") == 0) {
		bool own = strcmp(told->value, "auto") == 0;
		if (!own && stable_options_parse(&options, told->value, NULL) != 0)
			return -1;
		if (told->wins || (e->stop == STOP_AUTO && !e->stop_given))
			b->stability.rule = own ? NULL : told->value;
		return 0;
	}
	if (strcmp(told->option, "stop-variant") != 0 || !stop_variant_by_name(told->value, &options.variant))
		return -1;
	if (told->wins || !e->bench.stability.variant)
		b->stability.variant = told->value;
	return 0;
}

static int read_told(const struct session *session, struct question *b, const struct told_option *told)
{
	const struct experiment *e = session->experiment;
	const struct {
		const char *option;
		size_t *place;
		bool set; /* for all benchmarks */
	} counts[] = {
		{"min-runs", &b->min_runs, e->min_runs > 0},
		{"max-runs", &b->max_runs, e->max_runs > 0},
		{"iterations", &b->iterations, e->bench.iterations > 0},
		{"min-warmup", &b->min_warmup, e->bench.min_warmup_given},
		{"max-warmup", &b->max_warmup, e->bench.max_warmup != SIZE_MAX},
		{"window", &b->stability.window, e->bench.stability.window > 0},
		{"warmup-runs", &b->stability.warmup_runs, e->bench.warmup_runs_given},
		{"stop-values", &b->stability.values, e->bench.stability.values > 0},
	};
	int64_t number;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (strcmp(told->option, counts[i].option) != 0)
			continue;
		if (parse_integer(told->value, 0, INT64_C(1000000000), &number, NULL) != 0)
			return -1;
		if (told->wins || !counts[i].set)
			*counts[i].place = (size_t)number;
		return 0;
	}
	if (strncmp(told->option, "stop", 4) == 0 || strcmp(told->option, "lift") == 0)
		return read_stability(session, b, told);
	if (strcmp(told->option, "iteration-time") != 0 || parse_duration(told->value, &number, NULL) != 0)
		return -1;
	if (told->wins || !e->bench.iteration_time)
		b->iteration_time = number;
	return 0;
}

/* What a suite file says of the benchmarks that match; patterns and values were checked when it was read. */
static int read_specials(struct session *session, struct question *b, struct error *err)
{
	const struct experiment_bench *bench = &session->experiment->bench;
	for (size_t i = 0; i < bench->special_count; i++) {
		const struct experiment_special *special = &bench->specials[i];
		struct told_option told = {special->option, special->value, true};
		regex_t regex;
		if (pattern_compile(&regex, special->pattern, err) != 0)
			return -1;
		int matches = pattern_matches(&regex, b->name);
		regfree(&regex);
		if (matches < 0)
			return error_memory(err);
		if (!matches || read_told(session, b, &told) == 0)
			continue;
		error_set(err, ERROR_USAGE, "%s of the benchmarks '%.100s' cannot be '%.60s'", special->option,
		          special->pattern, special->value);
		return error_at(err, special->file, special->line, special->column);
	}
	return 0;
}

static int set_limits(struct session *session, struct question *b, struct error *err)
{
	const struct experiment *e = session->experiment;
	b->min_runs = e->min_runs;
	b->max_runs = e->max_runs;
	b->iterations = e->bench.iterations;
	b->min_warmup = e->bench.min_warmup;
	b->max_warmup = e->bench.max_warmup;
	b->iteration_time = e->bench.iteration_time;
	b->stability = e->bench.stability;
	for (size_t i = 0; i < b->on[0]->default_count; i++) {
		const struct harness_pair *given = &b->on[0]->defaults[i];
		struct told_option told = {given->name, given->value, false};
		if (read_told(session, b, &told) != 0)
			result_warn(session->result, "default", "%s: its default %s=%s is not understood", b->name, given->name,
			            given->value);
	}
	if (read_specials(session, b, err) != 0)
		return -1;
	if (e->runs)
		b->min_runs = b->max_runs = e->runs;
	if (b->stability.rule && !e->runs)
		return bench_stable_init(session, b, err);
	return 0;
}

static int add_benchmark(struct session *session, const char *name, struct error *err)
{
	if (session_add_questions(session, 1, session->sides, err) != 0)
		return -1;
	struct question *b = &session->questions[session->count - 1];
	b->name = name;
	b->on = arena_alloc(&session->arena, session->sides, sizeof(*b->on));
	b->columns = arena_alloc(&session->arena, session->sides, sizeof(*b->columns));
	return b->on && b->columns ? 0 : error_memory(err);
}

static int gather_side(struct session *session, const struct chooser *chooser, size_t side, struct error *err)
{
	size_t count;
	const struct harness_benchmark *list = programs_list(session, side, &count);
	for (size_t i = 0; i < count; i++) {
		bool memory = false;
		const char *name = common_name(session, chooser, side, &list[i], &memory);
		if (memory)
			return error_memory(err);
		if (!name)
			continue;
		size_t at = side > 0 ? 0 : session->count;
		while (at < session->count && strcmp(session->questions[at].name, name) != 0)
			at++;
		if (at == session->count && add_benchmark(session, name, err) != 0)
			return -1;
		session->questions[at].on[side] = &list[i];
	}
	return 0;
}

/* Keeps those that every side has; the others are named. */
static int drop_lonely(struct session *session, struct error *err)
{
	size_t kept = 0;
	for (const struct question *b = session->questions; b < session->questions + session->count; b++) {
		size_t without = 0;
		while (without < session->sides && b->on[without])
			without++;
		if (without == session->sides) {
			session->questions[kept++] = *b;
			continue;
		}
		const char *side = session->experiment->subjects[without].name;
		session->missing += b->on[0] != NULL;
		result_about_warn(session->result, b->on[0] ? "only-old" : "only-new", b->name, "not in %s", side);
	}
	session->count = kept;
	if (kept > 0)
		return 0;
	size_t count;
	programs_list(session, 0, &count);
	if (count == 0) {
		size_t doubles = 0;
		if (session->guests)
			guest_doubles(session->guests->guests[0], &doubles);
		error_set(err, ERROR_NO_DATA,
		          doubles ? "each of its benchmarks is listed twice" : "this program has no benchmarks");
		error_on(err, "%s", session->experiment->subjects[0].name);
		return doubles ? error_next(err, "measure those that share names one by one, such as packages of Go") : -1;
	}
	return error_full(err, ERROR_NO_DATA, NULL,
	                  "tare bench --list shows what there is; --filter and --param choose from it",
	                  session->sides > 1 ? "no benchmark is on every side" : "no benchmark was chosen");
}

int bench_match(struct session *session, struct error *err)
{
	struct chooser chooser;
	if (chooser_init(&chooser, session, err) != 0)
		return -1;
	int status = 0;
	for (size_t side = 0; side < session->sides && status == 0; side++)
		status = gather_side(session, &chooser, side, err);
	name_filter_release(&chooser.filter);
	if (status == 0)
		status = drop_lonely(session, err);
	for (size_t i = 0; i < session->count && status == 0; i++)
		status = set_limits(session, &session->questions[i], err);
	return status;
}

static int add_parameters(struct session *session, struct subject *subject, const struct harness_benchmark *on,
                          const struct experiment_subject *side)
{
	for (size_t i = 0; i < on->parameter_count; i++)
		if (result_add_parameter(session->result, subject, on->parameters[i].name, on->parameters[i].value) != 0)
			return -1;
	for (size_t i = 0; i < side->parameter_count; i++)
		if (!parameter_of(on, side->parameters[i].name, strlen(side->parameters[i].name)) &&
		    result_add_parameter(session->result, subject, side->parameters[i].name, side->parameters[i].value) != 0)
			return -1;
	return 0;
}

static int add_metrics(struct session *session, struct subject *subject, struct bench_columns *columns,
                       struct error *err)
{
	for (int c = 0; c < COLUMN_COUNT; c++) {
		if (!columns->used[c])
			continue;
		columns->metric[c] = subject->metric_count;
		if (session_add_metric(session, subject, bench_column(columns, c), 0, err) != 0)
			return -1;
	}
	return 0;
}

int bench_add_subjects(struct session *session, struct question *b, struct error *err)
{
	struct arena *arena = &session->result->arena;
	const struct harness_overhead *overhead = bench_source_overhead(session->programs);
	if (b->has_subjects)
		return 0;
	b->has_subjects = true;
	b->subject = session->result->subject_count;
	for (size_t s = 0; s < session->sides; s++) {
		const struct experiment_subject *side = &session->experiment->subjects[s];
		const char *name = session->sides == 1 ? b->name : arena_printf(arena, "%s %s", side->name, b->name);
		struct subject *subject = name ? result_add_subject(session->result, name) : NULL;
		if (!subject)
			return error_memory(err);
		subject->benchmark = arena_strdup(arena, b->name);
		subject->program = arena_strdup(arena, side->command);
		subject->side = s;
		subject->metric = arena_strdup(arena, bench_column(&b->columns[s], b->deciding).name);
		struct benchmark_loop *loop = subject_own_loop(session->result, subject);
		if (!loop)
			return error_memory(err);
		*loop = (struct benchmark_loop){(double)b->invocations, overhead->fixed_wall / 1e9, overhead->loop / 1e9, NULL};
		if (!subject->benchmark || !subject->program || !subject->metric ||
		    add_parameters(session, subject, b->on[s], side) != 0 ||
		    add_metrics(session, subject, &b->columns[s], err) != 0)
			return error_memory(err);
		b->metric[s] = b->columns[s].metric[b->deciding];
	}
	return 0;
}
