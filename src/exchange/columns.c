/* Roles by the names of a header. */
#include "exchange/columns_plan.h"

#include "base/array.h"

#include "base/parse.h"
#include "exchange/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Headers as they are found, in lower case and without blanks, '_' and '-'. */
static const struct {
	const char *name;
	enum role role;
} known_names[] = {
	{"subject", ROLE_SUBJECT},  {"name", ROLE_SUBJECT},      {"benchmark", ROLE_BENCHMARK},
	{"program", ROLE_PROGRAM},  {"executor", ROLE_PROGRAM},  {"exe", ROLE_PROGRAM},
	{"variant", ROLE_PROGRAM},  {"version", ROLE_PROGRAM},   {"side", ROLE_PROGRAM},
	{"metric", ROLE_METRIC},    {"criterion", ROLE_METRIC},  {"measure", ROLE_METRIC},
	{"machine", ROLE_MACHINE},  {"host", ROLE_MACHINE},      {"build", ROLE_BUILD},
	{"run", ROLE_RUN},          {"runid", ROLE_RUN},         {"process", ROLE_RUN},
	{"fork", ROLE_RUN},         {"execution", ROLE_RUN},     {"iteration", ROLE_ITERATION},
	{"iter", ROLE_ITERATION},   {"pair", ROLE_PAIR},         {"pairid", ROLE_PAIR},
	{"order", ROLE_ORDER},      {"value", ROLE_VALUE},       {"unit", ROLE_UNIT},
	{"units", ROLE_UNIT},       {"cold", ROLE_SKIP},         {"iswarmup", ROLE_SKIP},
	{"warmup", ROLE_SKIP},      {"better", ROLE_BETTER},     {"type", ROLE_PARAMETER},
	{"judged", ROLE_JUDGED},    {"failures", ROLE_FAILURES}, {"exit", ROLE_EXIT},
	{"exitcode", ROLE_EXIT},    {"exitcodes", ROLE_EXIT},    {"exitstatus", ROLE_EXIT},
	{"returncode", ROLE_EXIT},  {"status", ROLE_STATUS},     {"state", ROLE_STATUS},
	{"outcome", ROLE_STATUS},   {"result", ROLE_STATUS},     {"retcode", ROLE_EXIT},
	{"rc", ROLE_EXIT},          {"success", ROLE_STATUS},    {"succeeded", ROLE_STATUS},
	{"passed", ROLE_STATUS},    {"ok", ROLE_STATUS},         {"failed", ROLE_STATUS},
	{"crashed", ROLE_STATUS},   {"timedout", ROLE_STATUS},   {"killed", ROLE_STATUS},
	{"aborted", ROLE_STATUS},   {"error", ROLE_STATUS},      {"iserror", ROLE_STATUS},
	{"timeout", ROLE_STATUS},   {"oomkilled", ROLE_STATUS},  {"completed", ROLE_STATUS},
	{"valid", ROLE_STATUS},     {"signal", ROLE_STATUS},     {"errormessage", ROLE_STATUS},
	{"exception", ROLE_STATUS}, {"failure", ROLE_STATUS},    {"exitval", ROLE_EXIT},
	{"exitvalue", ROLE_EXIT},   {"retval", ROLE_EXIT},       {"ret", ROLE_EXIT},
};

static const struct column_flag flags[] = {
	{.name = "success", .good = true},
	{.name = "succeeded", .good = true},
	{.name = "passed", .good = true},
	{.name = "ok", .good = true},
	{.name = "completed", .good = true, .in_words = true},
	{.name = "valid", .good = true, .in_words = true},
	{.name = "failed", .tells_why = true},
	{.name = "crashed", .tells_why = true},
	{.name = "signal", .tells_why = true},
	{.name = "timedout"},
	{.name = "killed"},
	{.name = "aborted"},
	{.name = "oomkilled"},
	{.name = "iserror"},
	{.name = "timeout", .in_words = true},
	{.name = "error", .in_words = true, .tells_why = true},
	{.name = "errormessage", .in_words = true, .tells_why = true},
	{.name = "exception", .in_words = true, .tells_why = true},
	{.name = "failure", .in_words = true, .tells_why = true},
};

const struct column_flag *columns_flag(const char *name)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(name, flags[i].name) == 0)
			return &flags[i];
	return NULL;
}

enum yes_or_no columns_yes_or_no(const char *word)
{
	static const char *const words[] = {"no", "false", "n", "f", "yes", "true", "y", "t"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(word, words[i]) == 0)
			return i < 4 ? IS_NO : IS_YES;
	return IS_NEITHER;
}

void planning_normalise(const char *name, char *normal)
{
	size_t n = 0;
	for (; *name && n + 1 < NORMAL_MAX; name++)
		if (*name != ' ' && *name != '_' && *name != '-')
			normal[n++] = (char)tolower((unsigned char)*name);
	normal[n] = '\0';
}

bool planning_idle(const struct planning *p, size_t column)
{
	static const char *const names[] = {"", "index", "seq", "row", "no", "n", "id"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(p->normal[column], names[i]) == 0)
			return true;
	return false;
}

struct column_source *planning_add(struct planning *p, enum role role, size_t column)
{
	if (array_add_in(p->arena, &p->sources, p->source_count) != 0)
		return NULL;
	struct column_source *source = &p->sources[p->source_count++];
	*source = (struct column_source){.role = role, .column = column, .name = p->names[column], .side = -1};
	p->used[column] = true;
	return source;
}

/* A value column: its metric is the name without the unit. */
int planning_add_value(struct planning *p, size_t column, const char *metric, int side)
{
	struct column_source *source = planning_add(p, ROLE_VALUE, column);
	size_t stem;
	if (!source)
		return error_memory(p->err);
	source->side = side;
	if (!metric)
		metric = p->headerless ? "value" : p->names[column];
	if (units_in_name(metric, source->unit, sizeof(source->unit), &stem))
		source->name = stem > 0 ? arena_strndup(p->arena, metric, stem) : strchr(metric, '/') ? metric : "value";
	else
		source->name = arena_strdup(p->arena, metric);
	if (!units_in_name(metric, source->unit, sizeof(source->unit), &stem))
		source->unit[0] = '\0';
	return source->name ? 0 : error_memory(p->err);
}

/* ---- names ---- */

static bool has(const struct planning *p, const char *normal, size_t *column)
{
	for (size_t c = 0; c < p->count; c++) {
		if (!p->used[c] && strcmp(p->normal[c], normal) == 0) {
			*column = c;
			return true;
		}
	}
	return false;
}

static int use(struct planning *p, enum role role, const char *normal)
{
	size_t column;
	if (!p->decided[role] && has(p, normal, &column) && !planning_add(p, role, column))
		return error_memory(p->err);
	return 0;
}

/* ReBench: an invocation is a process; `run` numbers the benchmarks, or experiments of one. */
static int plan_rebench(struct planning *p)
{
	static const char *const parameters[] = {"suite",     "extraargs", "cores", "inputsize",
	                                         "varvalues", "varvalue",  "tag"};
	size_t column;
	if (!has(p, "invocation", &column) || !has(p, "iteration", &column) || !has(p, "suite", &column) ||
	    !has(p, "benchmark", &column))
		return 0;
	if (use(p, ROLE_RUN, "run") != 0 || use(p, ROLE_RUN, "invocation") != 0 || use(p, ROLE_PROGRAM, "executor") != 0 ||
	    use(p, ROLE_PROGRAM, "exe") != 0 || use(p, ROLE_PROGRAM, "commit") != 0)
		return -1;
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (use(p, ROLE_PARAMETER, parameters[i]) != 0)
			return -1;
	p->decided[ROLE_RUN] = p->decided[ROLE_PROGRAM] = true;
	return 0;
}

/* criterion's raw.csv: samples of one process, each a number of iterations. */
static int plan_criterion(struct planning *p)
{
	size_t column;
	bool old = has(p, "sampletimenanos", &column);
	if (!has(p, "iterationcount", &column) || !(old || has(p, "samplemeasuredvalue", &column)) ||
	    !has(p, "group", &column))
		return 0;
	if (use(p, ROLE_DIVISOR, "iterationcount") != 0 || use(p, ROLE_BENCHMARK, "group") != 0 ||
	    use(p, ROLE_BENCHMARK, "function") != 0 || use(p, ROLE_BENCHMARK, "value") != 0 ||
	    use(p, ROLE_UNIT, "unit") != 0)
		return -1;
	has(p, old ? "sampletimenanos" : "samplemeasuredvalue", &column);
	if (!p->decided[ROLE_VALUE] && planning_add_value(p, column, old ? "time_ns" : "time", -1) != 0)
		return -1;
	for (column = 0; column < p->count; column++)
		p->used[column] = true;
	for (int role = 0; role < ROLE_COUNT; role++)
		p->decided[role] = true;
	p->one_run = true;
	return 0;
}

/* JMH's CSV: a row is the mean of a benchmark in a mode, with its parameters. */
static int plan_jmh(struct planning *p)
{
	static const char *const columns[] = {"benchmark", "mode", "threads", "samples", "score", "unit"};
	static const char prefix[] = "Param: ";
	size_t column;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (!has(p, columns[i], &column))
			return 0;
	if (use(p, ROLE_METRIC, "mode") != 0 || use(p, ROLE_PARAMETER, "threads") != 0)
		return -1;
	for (column = 0; column < p->count; column++) {
		if (p->used[column] || strncmp(p->names[column], prefix, sizeof(prefix) - 1) != 0)
			continue;
		struct column_source *source = planning_add(p, ROLE_PARAMETER, column);
		if (!source)
			return error_memory(p->err);
		source->name = p->names[column] + sizeof(prefix) - 1;
	}
	p->decided[ROLE_METRIC] = true;
	return 0;
}

/* Some call the side of a pair, A or B, its pair. */
static bool names_side(const struct planning *p, size_t column)
{
	const char *cell = p->cells ? p->cells[column] : "";
	return strcmp(cell, "A") == 0 || strcmp(cell, "B") == 0;
}

/* "warmup" may as well be the number of warm-up iterations, a setting. */
static bool is_setting(const struct planning *p, size_t column)
{
	static const char *const answers[] = {"true", "false", "yes", "no"};
	const char *cell = p->cells ? p->cells[column] : "";
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		if (strcasecmp(cell, answers[i]) == 0)
			return false;
	return strcmp(p->normal[column], "warmup") == 0;
}

/* A column of numbers with such a name is a measurement or a code of its own meaning, unless it is called status; 0 is how
 * shells say success. */
static bool tells_no_status(const struct planning *p, size_t column)
{
	if (!p->cells)
		return true;
	const char *cell = p->cells[column];
	if (columns_flag(p->normal[column]))
		return columns_yes_or_no(cell) == IS_NEITHER;
	size_t length = strlen(cell);
	double value;
	if (strcmp(p->normal[column], "result") == 0 && (length == 0 || strcmp(cell, "0") == 0))
		return true;
	return strcmp(p->normal[column], "status") != 0 && strcmp(cell, "0") != 0 && length > 0 &&
	       parse_number_prefix(cell, length, &value) == length;
}

/* R-S-I, a key spelled out: run, suite and iteration of a pair. */
static int plan_spelled_key(struct planning *p)
{
	static const struct {
		enum role role;
		unsigned first, count; /* parts; all: the whole key */
	} parts[] = {{ROLE_RUN, 0, 2}, {ROLE_ITERATION, 2, 1}, {ROLE_PAIR, 0, 0}};
	size_t column;
	if (!has(p, "rsi", &column) || strcmp(p->names[column], "R-S-I") != 0)
		return 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (p->decided[parts[i].role])
			continue;
		struct column_source *source = planning_add(p, parts[i].role, column);
		if (!source)
			return error_memory(p->err);
		source->first_part = parts[i].first;
		source->part_count = parts[i].count;
		p->decided[parts[i].role] = true;
	}
	return 0;
}

/* Iterations of the same number in the same run of two sides were made together. */
static int pair_sides(struct planning *p)
{
	const struct column_source *iteration = NULL;
	bool run = false, side = false;
	for (size_t i = 0; i < p->source_count; i++) {
		const struct column_source *source = &p->sources[i];
		run |= source->role == ROLE_RUN;
		iteration = source->role == ROLE_ITERATION ? source : iteration;
		side |= source->role == ROLE_PROGRAM && strcmp(p->normal[source->column], "pair") == 0;
	}
	if (!side || !run || !iteration || p->decided[ROLE_PAIR])
		return 0;
	return planning_add(p, ROLE_PAIR, iteration->column) ? 0 : error_memory(p->err);
}

/* Where runs, iterations and invocations have columns, each is one level further in than it would be without the last. */
static int plan_invocations(struct planning *p)
{
	struct column_source *run = NULL, *iteration = NULL;
	size_t column;
	bool build = false;
	for (size_t i = 0; i < p->source_count; i++) {
		run = p->sources[i].role == ROLE_RUN ? &p->sources[i] : run;
		iteration = p->sources[i].role == ROLE_ITERATION ? &p->sources[i] : iteration;
		build |= p->sources[i].role == ROLE_BUILD;
	}
	if (!run || !iteration || build || !has(p, "invocation", &column))
		return 0;
	run->role = ROLE_BUILD;
	iteration->role = ROLE_RUN;
	p->invocations = true;
	return planning_add(p, ROLE_ITERATION, column) ? 0 : error_memory(p->err);
}

static int plan_by_name(struct planning *p)
{
	for (size_t c = 0; c < p->count; c++) {
		for (size_t i = 0; i < sizeof(known_names) / sizeof(known_names[0]) && !p->used[c]; i++) {
			enum role role = known_names[i].role;
			if (role == ROLE_PAIR && names_side(p, c))
				role = ROLE_PROGRAM;
			if (p->decided[role] || strcmp(p->normal[c], known_names[i].name) != 0 || is_setting(p, c) ||
			    (role == ROLE_STATUS && tells_no_status(p, c)))
				continue;
			if (role == ROLE_VALUE ? planning_add_value(p, c, NULL, -1) != 0 : !planning_add(p, role, c))
				return error_memory(p->err);
			if (role != ROLE_SKIP && role != ROLE_STATUS && role != ROLE_EXIT)
				p->decided[role] = true;
		}
	}
	/* parameter:size, as tare writes it */
	for (size_t c = 0; c < p->count; c++) {
		if (p->used[c] || strncmp(p->names[c], "parameter:", 10) != 0)
			continue;
		struct column_source *source = planning_add(p, ROLE_PARAMETER, c);
		if (!source)
			return error_memory(p->err);
		source->name = p->names[c] + 10;
	}
	/* package.BenchmarkFunction */
	for (size_t c = 0; c < p->count && !p->decided[ROLE_BENCHMARK]; c++) {
		if (p->used[c] || !strstr(p->normal[c], "benchmark"))
			continue;
		if (!planning_add(p, ROLE_BENCHMARK, c))
			return error_memory(p->err);
		p->decided[ROLE_BENCHMARK] = true;
	}
	if (!p->decided[ROLE_RUN] && use(p, ROLE_RUN, "invocation") != 0)
		return -1;
	return plan_invocations(p) == 0 ? pair_sides(p) : -1;
}

static bool is_named_status(const char *normal)
{
	for (size_t i = 0; i < sizeof(known_names) / sizeof(known_names[0]); i++)
		if (known_names[i].role == ROLE_STATUS && strcmp(normal, known_names[i].name) == 0)
			return true;
	return false;
}

/* What else is called so tells how runs ended where other columns hold the values: the first row may have a blank there,
 * and 0 and 1 say no and yes. Alone the numbers are the values. */
static int plan_flags(struct planning *p)
{
	for (size_t c = 0; c < p->count && p->cells && !p->decided[ROLE_STATUS]; c++) {
		const struct column_flag *flag = columns_flag(p->normal[c]);
		double value = 0;
		size_t length = strlen(p->cells[c]);
		bool number = length > 0 && parse_number_prefix(p->cells[c], length, &value) == length && isfinite(value);
		if (p->used[c] || !is_named_status(p->normal[c]) ||
		    (flag && !flag->in_words && number && (value < 0 || value != floor(value))))
			continue;
		if (!planning_add(p, ROLE_STATUS, c))
			return error_memory(p->err);
	}
	return 0;
}

/* ---- putting together ---- */

static int no_values(struct planning *p)
{
	char list[200] = "";
	for (size_t c = 0; c < p->count && strlen(list) + strlen(p->names[c]) + 4 < sizeof(list); c++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", c ? ", " : "", p->names[c]);
	return error_full(p->err, ERROR_INPUT, NULL,
	                  "say which one: --columns value=COLUMN (and subject=, run=, … where there are such)",
	                  "no column is known to hold the values: %s", list);
}

/* Two columns of one name, of which one holds values: which is meant cannot be known. */
static int check_twins(const struct planning *p)
{
	for (size_t i = 0; i < p->source_count; i++) {
		size_t c = p->sources[i].column;
		for (size_t other = 0; p->sources[i].role == ROLE_VALUE && other < p->count; other++) {
			if (other == c || strcmp(p->names[other], p->names[c]) != 0)
				continue;
			error_set(p->err, ERROR_INPUT, "two columns are called '%.60s'", p->names[c]);
			return error_next(p->err, "rename one, or give the number of the one that is meant: --columns value=%zu",
			                  (c < other ? c : other) + 1);
		}
	}
	return 0;
}

static int finish(struct planning *p, struct columns *out)
{
	struct column_source *sorted = arena_alloc(p->arena, p->source_count + 1, sizeof(*sorted));
	out->unused = arena_alloc(p->arena, p->count + 1, sizeof(*out->unused));
	if (!sorted || !out->unused)
		return error_memory(p->err);
	for (int role = 0; role < ROLE_COUNT; role++) {
		out->first[role] = out->count;
		for (size_t i = 0; i < p->source_count; i++)
			if (p->sources[i].role == (enum role)role)
				sorted[out->count++] = p->sources[i];
	}
	out->first[ROLE_COUNT] = out->count;
	out->sources = sorted;
	out->sides[0] = p->sides[0];
	out->sides[1] = p->sides[1];
	out->one_run = p->one_run;
	out->invocations = p->invocations;
	out->pair_asked = p->pair_asked;
	out->unit_asked = p->unit_asked;
	out->headerless = p->headerless;
	for (size_t c = 0; c < p->count && !p->headerless; c++)
		if (!p->used[c] && !planning_idle(p, c))
			out->unused[out->unused_count++] = p->names[c];
	return 0;
}

static bool looks_like_data(const char *const *names, size_t count)
{
	double value;
	for (size_t c = 0; c < count; c++) {
		size_t length = strlen(names[c]);
		if (length > 0 && parse_number_prefix(names[c], length, &value) == length)
			return true;
	}
	return false;
}

int columns_plan(const char *const *names, size_t count, const char *const *cells, const char *option,
                 struct arena *arena, struct columns *out, struct error *err)
{
	struct planning p = {.names = names, .cells = cells, .count = count, .arena = arena, .err = err};
	memset(out, 0, sizeof(*out));
	p.used = arena_alloc(arena, count + 1, sizeof(*p.used));
	p.normal = arena_alloc(arena, count + 1, sizeof(*p.normal));
	p.headerless = looks_like_data(names, count);
	if (!p.used || !p.normal)
		return error_memory(err);
	for (size_t c = 0; c < count; c++)
		planning_normalise(names[c], p.normal[c]);
	if (p.headerless && (!option || !*option))
		return error_full(
			err, ERROR_INPUT, NULL,
			"name the columns in a first line, or say --columns value=2,subject=1; write decimals with a dot",
			"a table without a header line, or decimal commas");
	if (planning_option(&p, option) != 0)
		return -1;
	bool asked = p.decided[ROLE_VALUE];
	if (!p.headerless &&
	    (plan_criterion(&p) != 0 || plan_rebench(&p) != 0 || plan_jmh(&p) != 0 || plan_spelled_key(&p) != 0 ||
	     plan_by_name(&p) != 0 || planning_values(&p) != 0 || plan_flags(&p) != 0))
		return -1;
	if (finish(&p, out) != 0 || (!asked && check_twins(&p) != 0))
		return -1;
	return columns_of(out, ROLE_VALUE) == 0 ? no_values(&p) : 0;
}
