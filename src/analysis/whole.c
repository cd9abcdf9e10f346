#include "analysis/whole.h"

#include <math.h>
#include <string.h>

static const double most_apart = 0.10;          /* shares of runs that are still in like measure */
static const double chance_quantile = 2.575829; /* of the normal distribution, 99 % */

/* What keeps a gate from holding. */
struct flaw {
	enum gate state;   /* GATE_HELD: nothing does; GATE_OPEN or GATE_FAILED */
	const char *about; /* the subject */
	const char *why;
};

static size_t exits_with(const struct subject *subject, int code)
{
	size_t count = 0;
	for (size_t i = 0; i < subject->failure_count; i++)
		count += subject->failures[i].exit_code == code;
	return count;
}

static bool in_like_measure(const struct subject *a, const struct subject *b, int code)
{
	double n = (double)subject_runs(a), m = (double)subject_runs(b);
	double x = (double)exits_with(a, code), y = (double)exits_with(b, code);
	double pooled = (x + y) / (n + m), apart = fabs(x / n - y / m);
	return x > 0 && y > 0 && apart <= most_apart &&
	       apart <= chance_quantile * sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
}

static bool is_welcome(const struct failure *failure, const struct subject *subject, const struct subject *partner,
                       const struct welcome *welcome)
{
	if (failure->exit_code == 0)
		return false;
	for (size_t i = 0; i < welcome->code_count; i++)
		if (welcome->codes[i] == failure->exit_code)
			return true;
	return welcome->alike && partner && in_like_measure(subject, partner, failure->exit_code);
}

static bool has_failed(const struct subject *subject, const struct subject *partner, const struct welcome *welcome)
{
	int last = 0; /* the code that was looked at: runs mostly fail alike */
	for (size_t i = 0; i < subject->failure_count; i++) {
		if (last != 0 && subject->failures[i].exit_code == last)
			continue;
		if (!is_welcome(&subject->failures[i], subject, partner, welcome))
			return true;
		last = subject->failures[i].exit_code;
	}
	return false;
}

static const char *copy(struct result *result, struct buffer *text)
{
	const char *words = buffer_error(text, NULL) == 0 ? arena_strdup(&result->arena, buffer_text(text)) : NULL;
	buffer_release(text);
	return words ? words : "not measured whole";
}

static struct flaw flaw_of_runs(struct result *result, const struct subject *subject, const struct subject *partner,
                                const struct welcome *welcome)
{
	struct flaw flaw = {.state = GATE_HELD, .about = subject_title(subject)};
	struct buffer text = {0};
	if (has_failed(subject, partner, welcome)) {
		buffer_printf(&text, "%s: ", flaw.about);
		subject_failure_words(subject, &text);
		flaw.state = GATE_FAILED;
		flaw.why = copy(result, &text);
	} else if (subject->unfinished) {
		buffer_printf(&text, "%s: its session %s", flaw.about, unfinished_words(subject->unfinished));
		flaw.state = strcmp(subject->unfinished, "failed") == 0 ? GATE_FAILED : GATE_OPEN;
		flaw.why = copy(result, &text);
	}
	return flaw;
}

static struct flaw flaw_of_values(struct result *result, const struct comparison *c)
{
	const struct subject *subject = &result->subjects[c->new_];
	const struct measurement *m = c->metric ? subject_find_metric(subject, c->metric) : NULL;
	struct flaw flaw = {.state = GATE_HELD, .about = subject_title(subject)};
	if (!m)
		return flaw;
	bool time = strcmp(m->metric.unit, "s") == 0;
	size_t strange = m->lost, low = 0, all = m->series.n + m->lost;
	for (size_t i = 0; i < m->series.n; i++) {
		strange += !isfinite(m->series.values[i]);
		low += isfinite(m->series.values[i]) && m->series.values[i] <= 0;
	}
	/* Numbers without a unit may be counts, among which 0 is as good as others. But if every one is 0, and there is no
	 * interval as proportions have, they may as well be times that nobody took. */
	bool nothing = m->metric.unit[0] == '\0' && low == all && c->ratio == 0 && c->ci.high == 0;
	if (!time && !nothing)
		low = 0;
	if (strange + low == 0)
		return flaw;
	struct buffer text = {0};
	buffer_printf(&text, "%s: %zu of %zu values of %s are %s", flaw.about, strange + low, all, c->metric,
	              low == 0       ? "infinite or not numbers"
	              : !time        ? "0"
	              : strange == 0 ? "times of 0 or below"
	                             : "infinite, not numbers, or times of 0 or below");
	flaw.state = strange + low == all && !nothing ? GATE_FAILED : GATE_OPEN;
	flaw.why = copy(result, &text);
	return flaw;
}

static struct flaw worse_of(struct flaw a, struct flaw b)
{
	return b.state == GATE_FAILED && a.state != GATE_FAILED ? b : a.state == GATE_HELD ? b : a;
}

static struct flaw flaw_of_comparison(struct result *result, const struct comparison *c, const struct welcome *welcome)
{
	const struct subject *base = &result->subjects[c->base], *new_ = &result->subjects[c->new_];
	struct flaw runs = worse_of(flaw_of_runs(result, new_, base, welcome), flaw_of_runs(result, base, new_, welcome));
	return worse_of(runs, flaw_of_values(result, c));
}

/* Failed is worse than broken, that worse than open. */
static int badness(enum gate gate)
{
	return gate == GATE_FAILED ? 3 : gate == GATE_BROKEN ? 2 : gate == GATE_HELD ? 0 : 1;
}

static double worse_ratio(const struct result *result, const struct comparison *c)
{
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	if (isnan(c->ratio))
		return 0;
	return m && m->metric.better == BETTER_HIGHER ? 1 / c->ratio : c->ratio;
}

static void find_worst(struct result *result)
{
	struct gate_result *gate = &result->gate;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i], *worst = &result->comparisons[i ? gate->worst : 0];
		int more = badness(c->gate) - badness(worst->gate);
		if (i > 0 && (more < 0 || (more == 0 && worse_ratio(result, c) <= worse_ratio(result, worst))))
			continue;
		gate->worst = i;
		gate->state = c->gate == GATE_NONE ? GATE_OPEN : c->gate;
		gate->why = c->gate_why;
		gate->about = subject_title(&result->subjects[c->new_]);
	}
}

/* What is beside all comparisons: it names no comparison. */
static void add_flaw(struct gate_result *gate, struct flaw flaw)
{
	if (badness(flaw.state) <= badness(gate->state))
		return;
	gate->state = flaw.state;
	gate->about = flaw.about;
	gate->why = flaw.why;
	gate->worst = SIZE_MAX;
}

static struct flaw flaw_of_missing(struct result *result, const char *code, const char *words)
{
	struct flaw flaw = {.state = GATE_HELD};
	size_t count = 0;
	for (size_t i = 0; i < result->warning_count; i++) {
		const struct warning *warning = &result->warnings[i];
		if (strcmp(warning->code, code) != 0)
			continue;
		flaw.about = count++ ? flaw.about : warning->about ? warning->about : warning->text;
	}
	if (count == 0)
		return flaw;
	struct buffer text = {0};
	buffer_text_add(&text, flaw.about);
	if (count > 1)
		buffer_printf(&text, " and %zu more are %s", count - 1, words);
	else
		buffer_printf(&text, " is %s", words);
	return (struct flaw){GATE_OPEN, flaw.about, copy(result, &text)};
}

/* What goes on in processes that were left behind is not measured. */
static struct flaw flaw_of_leftovers(const struct result *result)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, "left-behind") == 0)
			return (struct flaw){GATE_OPEN, NULL, result->warnings[i].text};
	return (struct flaw){.state = GATE_HELD};
}

int whole_settle(struct result *result, const struct whole_options *options, struct error *err)
{
	struct gate_result *gate = &result->gate;
	if (isnan(options->limit))
		return 0;
	*gate = (struct gate_result){.limit = options->limit, .state = GATE_HELD, .worst = SIZE_MAX};
	bool *compared = arena_alloc(&result->arena, result->subject_count, sizeof(*compared));
	if (!compared)
		return error_memory(err);
	memset(compared, 0, result->subject_count * sizeof(*compared));
	for (size_t i = 0; i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		struct flaw flaw = flaw_of_comparison(result, c, &options->welcome);
		compared[c->base] = compared[c->new_] = true;
		if (badness(flaw.state) <= badness(c->gate) && flaw.state != GATE_OPEN)
			continue;
		if (badness(flaw.state) > badness(c->gate))
			c->gate = flaw.state;
		if (c->gate == flaw.state)
			c->gate_why = flaw.why;
	}
	find_worst(result);
	if (result->comparison_count == 0)
		add_flaw(gate, (struct flaw){GATE_OPEN, NULL, "nothing was compared"});
	for (size_t i = 0; i < result->subject_count; i++)
		if (!compared[i])
			add_flaw(gate, flaw_of_runs(result, &result->subjects[i], NULL, &options->welcome));
	const char *missing = options->how_missing
	                          ? arena_printf(&result->arena, "missing in the new data; %s", options->how_missing)
	                          : "missing in the new data; --allow-missing lets it hold";
	if (!missing)
		return error_memory(err);
	if (!options->allow_missing)
		add_flaw(gate, flaw_of_missing(result, "only-old", missing));
	if (!options->allow_missing && options->missing)
		add_flaw(gate, (struct flaw){GATE_OPEN, NULL, "a benchmark of the base was not measured on the new side"});
	add_flaw(gate, flaw_of_leftovers(result));
	add_flaw(gate,
	         flaw_of_missing(result, "name-twice", "in the new data under a name that the old data has less often"));
	return 0;
}

void whole_give_up(struct result *result, double limit, bool interrupted, const char *why)
{
	result->gate = (struct gate_result){.limit = limit,
	                                    .state = interrupted ? GATE_OPEN : GATE_FAILED,
	                                    .worst = SIZE_MAX,
	                                    .interrupted = interrupted,
	                                    .why = arena_strdup(&result->arena, why)};
	for (size_t i = 0; i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		int worse = badness(c->gate) - badness(result->gate.state);
		/* Which failed first is known; what an interrupt left open is open for that reason. */
		if (worse > 0 || (worse == 0 && !interrupted))
			continue;
		c->gate = result->gate.state;
		c->gate_why = result->gate.why;
	}
}

void whole_mark_unfinished(struct result *result)
{
	const char *unfinished = result_unfinished(result);
	for (size_t i = 0; unfinished && i < result->subject_count; i++)
		result->subjects[i].unfinished = unfinished;
}

int whole_warn_failures(struct result *result, struct error *err)
{
	int status = 0;
	for (size_t i = 0; status == 0 && i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		struct buffer text = {0};
		if (subject->failure_count == 0)
			continue;
		subject_failure_words(subject, &text);
		status = text.out_of_memory ||
		                 result_about_warn(result, "failures", subject_title(subject), "%s", buffer_text(&text)) != 0
		             ? error_memory(err)
		             : 0;
		buffer_release(&text);
	}
	return status;
}
