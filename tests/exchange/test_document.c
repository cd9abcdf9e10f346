/* The result document: its contract as jansson reads it, and the way back. */
#include "exchange/document.h"

#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum level two[] = {LEVEL_RUN, LEVEL_ITERATION};
static const enum level three[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};

/* A result with every field set to something of its own. */
static void fill(struct result *r)
{
	struct error err;
	static const char *argv[] = {"tare", "run", "a \"b\""};
	static int cpus[] = {2, 3};
	static const char *order[] = {"AB", "BA", "AB"};
	result_init(r);
	r->name = "experiment";
	r->version = "0.9";
	r->started = "2026-01-02T03:04:05Z";
	r->elapsed = 12.5;
	r->seed = 18446744073709551557u;
	r->argv = argv;
	r->argc = 3;
	r->host = (struct host_info){"0123456789abcdef", "n1", "CPU", "Linux", "6.1", "kvm", "performance", 4, 0.25, 0.01};
	r->calibration = (struct calibration_quote){0.004, 10, "cpu", "turns", "2026-01-02T03:04:05Z", NULL};
	r->disturbance = (struct disturbance){
		true,     1.5,  2.5,  NULL, 0.125, NULL,       0.5,    0.25, NAN,
		"no PSI", 3,    0.75, NULL, NAN,   "cold",     1e9,    2e9,  NULL,
		0.75,     NULL, 0.5,  NULL, NAN,   "not told", 0.0625, NULL, "the load was 1.5 and is 9"};
	r->design = (struct design_info){.name = "turns",
	                                 .why = "because",
	                                 .levels = {LEVEL_RUN, LEVEL_ITERATION},
	                                 .level_count = 2,
	                                 .cpus = cpus,
	                                 .cpu_count = 2,
	                                 .paired = true,
	                                 .order = order,
	                                 .order_count = 3,
	                                 .metric_why = "asked for"};
	r->stopped = (struct stopped){"precision", "rciw", 7, 0.0001, "verdict", 0.01, 0.75, "wall", 20, 0};
	result_warn(r, "few-runs", "only %d runs", 3);
	for (int s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(r, s ? "new" : "old");
		subject->command = s ? NULL : "./old \x01\"x\"";
		subject->benchmark = s ? "fib/10" : NULL;
		subject->program = s ? "./suite" : NULL;
		result_add_parameter(r, subject, "size", s ? "20" : "10");
		result_add_parameter(r, subject, "mode", "\xc2\xb5");
		result_add_failure(r, subject, (struct failure){"exit 1", 4, 1});
		if (s == 0)
			subject_own_loop(r, subject)->hash = "abc def";
		static const struct build_made builds[] = {{12345, 1.5, "0102", "abcd"},
		                                           {(UINT64_C(1) << 62) + 1, 2, "03", "ef"}};
		for (size_t i = 0; i < 2; i++)
			result_add_build(r, subject, &builds[i]);
		struct measurement *m = result_add_metric(r, subject, "wall", "s", BETTER_LOWER, two, 2);
		struct description *described = measurement_own_description(r, m);
		assert_non_null(described);
		for (int i = 0; i < 6; i++)
			assert_int_equal(series_append(&m->series, i % 2, i == 3 ? NAN : 0.1 * (i + 1) + s, &err), 0);
		m->mean_kind = s ? MEAN_HARMONIC : MEAN_ARITHMETIC;
		m->quantum = 1e-6;
		described->ties = 0.125;
		m->n = 5;
		m->mean = 1.0 / 3;
		m->median = 0.3;
		m->min = 0.1;
		m->max = 0.6;
		if (s)
			m->sd = 0.01;
		else
			m->sd_why = "one value";
		m->ci = (struct confidence){0.95, 0.2, 0.4, false, "t", NULL};
		described->median_ci = (struct confidence){NAN, NAN, NAN, false, NULL, "too few runs"};
		described->pooled_sd = 0.02;
		*measurement_own_slope(r, m) = (struct iteration_slope){
			s ? 0.4 : NAN, s ? NULL : "no counts", {0.95, 0.3, 0.5, false, "t", NULL}};
		described->pooled_ci = (struct confidence){0.95, NAN, NAN, true, "t", NULL};
		*description_add_level(r, described) = (struct level_share){
			LEVEL_RUN, 3, 0.5, 2.5, NULL, {0.95, 0.6, 0.8, false, "chi-squared", NULL}, {0.95, 1, 2, false, "t", NULL}};
		*description_add_level(r, described) = (struct level_share){
			LEVEL_ITERATION, 2, NAN, NAN, "one value", described->median_ci, described->median_ci};
		m->evidence = arena_alloc(&r->arena, 1, sizeof(*m->evidence));
		*m->evidence = (struct steady_evidence){.runs = 3,
		                                        .moving = 1,
		                                        .effect = 0.02,
		                                        .dependent = 2,
		                                        .ljung_box_p = 0.001,
		                                        .autocorrelation = 0.4,
		                                        .lag = 7,
		                                        .later_level = true,
		                                        .all_runs = 10,
		                                        .never = 1,
		                                        .warmup = {9, 40, 44, 0.7, true, false},
		                                        .late = {1, 250, 251, 1.2, false, false}};
		m->iteration = s ? 12 : 0;
		if (s)
			*measurement_own_all(r, m) = (struct all_iterations){0.5, {0.95, 0.4, 0.6, false, "t", NULL}};
		m->unit = LEVEL_RUN;
		m->units = 3;
		described->unseen_mode = 0.63;
		described->effective_size = 1.5;
		described->outliers = 2;
		described->far_outliers = 1;
		static struct mode modes[] = {{0.1, 2}, {0.5, 1}};
		described->modes = modes;
		described->mode_count = 2;
		described->inner_modes = 1;
		described->autocorrelation = s ? 0.2 : NAN;
		described->autocorrelation_why = s ? NULL : "constant";
		described->subsession = 4;
		m->steady = s ? STEADY_NEVER : STEADY_INITIALISED;
		m->skip = 2;
		for (size_t run = 0; run < 3 && s == 0; run++) /* each run has its own */
			assert_int_equal(measurement_add_skip(r, m, run, 1 + run), 0);
		m->steady_why = s ? "it drifts" : NULL;
		subject = &r->subjects[s];
		m = result_add_metric(r, subject, "rate", "ops/s", BETTER_HIGHER, three, 3);
		for (int i = 0; i < 4; i++)
			assert_int_equal(series_append(&m->series, (unsigned)i % 3, i, &err), 0);
	}
	static const struct interference interference = {1.1, 1.2, {.level = NAN}, {.level = NAN}};
	static const struct pair_findings paired = {.share_base = 0.01,
	                                            .share_new = 0.02,
	                                            .share_difference = 0.01,
	                                            .share_ci = {0.99, -0.01, 0.03, false, "t", NULL},
	                                            .order_effect = 0.001,
	                                            .total_over_typical = 7.5,
	                                            .shuffle_width_ratio = NAN,
	                                            .shuffle_why = "not asked"};
	static struct ratio_estimate total = {NAN, "unbounded", {0.99, NAN, NAN, true, "fieller", NULL}};
	struct comparison *c = result_add_comparison(r);
	*c = (struct comparison){.metric = "wall",
	                         .base = 0,
	                         .new_ = 1,
	                         .ratio = 1.018,
	                         .ci = {0.99, 1.016, 1.02, false, "anytime", NULL},
	                         .total = &total,
	                         .paired = &paired,
	                         .gated = &gate_findings_none,
	                         .verdict = VERDICT_SLOWER,
	                         .scope = SCOPE_TYPICAL,
	                         .decided_by = "typical+total",
	                         .unresolved = "share",
	                         .margin = 0.01,
	                         .pairs = 60,
	                         .units = 3,
	                         .block = 20,
	                         .design = "turns",
	                         .p_difference = 0.001,
	                         .p_same_typical = 0.5,
	                         .p_same_total = 0.6,
	                         .p_value = NAN,
	                         .interference = &interference,
	                         .gate = GATE_BROKEN,
	                         .quick = true};
	result_add_comparison(r)->metric = "rate";
}

static void read_back(const char *text, size_t length, struct result *out)
{
	struct input input;
	struct json_tree tree;
	struct error err;
	char message[1024];
	result_init(out);
	assert_int_equal(input_open_memory(&input, text, length, "test", &err), 0);
	assert_int_equal(json_read(&input, &tree, &err), 0);
	assert_true(document_matches(&tree.root));
	if (document_read(&tree.root, "test", out, &err) != 0) {
		error_text(&err, message, sizeof(message));
		fail_msg("%s", message);
	}
	json_tree_release(&tree);
	input_release(&input);
}

#define SAME_NUMBER(a, b) assert_true((a) == (b) || (isnan(a) && isnan(b)))
#define SAME_TEXT(a, b) \
	do { \
		assert_true(!(a) == !(b)); \
		if (a) \
			assert_string_equal(a, b); \
	} while (0)

static void same_confidence(const struct confidence *a, const struct confidence *b)
{
	SAME_NUMBER(a->level, b->level);
	SAME_NUMBER(a->low, b->low);
	SAME_NUMBER(a->high, b->high);
	assert_int_equal(a->unbounded, b->unbounded);
	SAME_TEXT(a->method, b->method);
	SAME_TEXT(a->why, b->why);
}

static void same_measurement(const struct measurement *a, const struct measurement *b)
{
	SAME_TEXT(a->metric.name, b->metric.name);
	SAME_TEXT(a->metric.unit, b->metric.unit);
	assert_int_equal(a->metric.better, b->metric.better);
	assert_int_equal(a->series.depth, b->series.depth);
	assert_memory_equal(a->series.levels, b->series.levels, a->series.depth * sizeof(enum level));
	assert_int_equal(a->series.n, b->series.n);
	for (size_t i = 0; i < a->series.n; i++)
		SAME_NUMBER(a->series.values[i], b->series.values[i]);
	for (unsigned k = 0; k + 1 < a->series.depth; k++) {
		assert_int_equal(a->series.groups[k], b->series.groups[k]);
		assert_memory_equal(a->series.starts[k], b->series.starts[k], (a->series.groups[k] + 1) * sizeof(uint32_t));
	}
	assert_int_equal(a->mean_kind, b->mean_kind);
	SAME_NUMBER(a->quantum, b->quantum);
	SAME_NUMBER(a->described->ties, b->described->ties);
	assert_int_equal(a->n, b->n);
	SAME_NUMBER(a->mean, b->mean);
	SAME_NUMBER(a->median, b->median);
	SAME_NUMBER(a->sd, b->sd);
	SAME_NUMBER(a->min, b->min);
	SAME_NUMBER(a->max, b->max);
	SAME_TEXT(a->sd_why, b->sd_why);
	same_confidence(&a->ci, &b->ci);
	same_confidence(&a->described->median_ci, &b->described->median_ci);
	SAME_NUMBER(a->described->pooled_sd, b->described->pooled_sd);
	same_confidence(&a->described->pooled_ci, &b->described->pooled_ci);
	SAME_NUMBER(a->slope->value, b->slope->value);
	SAME_TEXT(a->slope->why, b->slope->why);
	same_confidence(&a->slope->ci, &b->slope->ci);
	assert_int_equal(a->described->level_count, b->described->level_count);
	for (size_t i = 0; i < a->described->level_count; i++) {
		assert_int_equal(a->described->levels[i].level, b->described->levels[i].level);
		SAME_NUMBER(a->described->levels[i].n, b->described->levels[i].n);
		SAME_NUMBER(a->described->levels[i].variance, b->described->levels[i].variance);
		SAME_NUMBER(a->described->levels[i].cost, b->described->levels[i].cost);
		SAME_TEXT(a->described->levels[i].variance_why, b->described->levels[i].variance_why);
		same_confidence(&a->described->levels[i].sd_ci, &b->described->levels[i].sd_ci);
		same_confidence(&a->described->levels[i].ignored, &b->described->levels[i].ignored);
	}
	assert_int_equal(a->evidence != NULL, b->evidence != NULL);
	if (a->evidence) {
		assert_int_equal(a->evidence->runs, b->evidence->runs);
		assert_int_equal(a->evidence->moving, b->evidence->moving);
		assert_int_equal(a->evidence->dependent, b->evidence->dependent);
		assert_int_equal(a->evidence->lag, b->evidence->lag);
		assert_int_equal(a->evidence->later_level, b->evidence->later_level);
		SAME_NUMBER(a->evidence->effect, b->evidence->effect);
		SAME_NUMBER(a->evidence->ljung_box_p, b->evidence->ljung_box_p);
		SAME_NUMBER(a->evidence->autocorrelation, b->evidence->autocorrelation);
	}
	assert_int_equal(a->iteration, b->iteration);
	SAME_NUMBER(a->all->mean, b->all->mean);
	same_confidence(&a->all->ci, &b->all->ci);
	assert_int_equal(a->units, b->units);
	if (a->units)
		assert_int_equal(a->unit, b->unit);
	SAME_NUMBER(a->described->unseen_mode, b->described->unseen_mode);
	SAME_NUMBER(a->described->effective_size, b->described->effective_size);
	assert_int_equal(a->described->outliers, b->described->outliers);
	assert_int_equal(a->described->far_outliers, b->described->far_outliers);
	assert_int_equal(a->described->mode_count, b->described->mode_count);
	for (size_t i = 0; i < a->described->mode_count; i++) {
		SAME_NUMBER(a->described->modes[i].center, b->described->modes[i].center);
		assert_int_equal(a->described->modes[i].count, b->described->modes[i].count);
	}
	assert_int_equal(a->described->inner_modes, b->described->inner_modes);
	SAME_NUMBER(a->described->autocorrelation, b->described->autocorrelation);
	SAME_TEXT(a->described->autocorrelation_why, b->described->autocorrelation_why);
	assert_int_equal(a->described->subsession, b->described->subsession);
	assert_int_equal(a->steady, b->steady);
	assert_int_equal(a->skip, b->skip);
	assert_int_equal(a->skip_count, b->skip_count);
	for (size_t i = 0; i < a->skip_count; i++)
		assert_int_equal(a->skips[i], b->skips[i]);
	SAME_TEXT(a->steady_why, b->steady_why);
}

static void same_comparison(const struct comparison *a, const struct comparison *b)
{
	SAME_TEXT(a->metric, b->metric);
	assert_int_equal(a->base, b->base);
	assert_int_equal(a->new_, b->new_);
	SAME_NUMBER(a->ratio, b->ratio);
	SAME_TEXT(a->ratio_why, b->ratio_why);
	same_confidence(&a->ci, &b->ci);
	SAME_NUMBER(comparison_total(a)->ratio, comparison_total(b)->ratio);
	SAME_TEXT(comparison_total(a)->why, comparison_total(b)->why);
	same_confidence(&comparison_total(a)->ci, &comparison_total(b)->ci);
	SAME_NUMBER(a->paired->share_base, b->paired->share_base);
	SAME_NUMBER(a->paired->share_new, b->paired->share_new);
	SAME_NUMBER(a->paired->share_difference, b->paired->share_difference);
	SAME_TEXT(a->paired->share_why, b->paired->share_why);
	same_confidence(&a->paired->share_ci, &b->paired->share_ci);
	assert_int_equal(a->verdict, b->verdict);
	assert_int_equal(a->scope, b->scope);
	SAME_TEXT(a->decided_by, b->decided_by);
	SAME_TEXT(a->unresolved, b->unresolved);
	SAME_NUMBER(a->margin, b->margin);
	assert_int_equal(a->pairs, b->pairs);
	assert_int_equal(a->units, b->units);
	assert_int_equal(a->block, b->block);
	SAME_TEXT(a->design, b->design);
	SAME_NUMBER(a->paired->order_effect, b->paired->order_effect);
	SAME_TEXT(a->paired->order_effect_why, b->paired->order_effect_why);
	SAME_NUMBER(a->paired->total_over_typical, b->paired->total_over_typical);
	SAME_NUMBER(a->paired->shuffle_width_ratio, b->paired->shuffle_width_ratio);
	SAME_TEXT(a->paired->shuffle_why, b->paired->shuffle_why);
	SAME_NUMBER(a->p_difference, b->p_difference);
	SAME_NUMBER(a->p_same_typical, b->p_same_typical);
	SAME_NUMBER(a->p_same_total, b->p_same_total);
	SAME_NUMBER(a->p_value, b->p_value);
	SAME_NUMBER(a->interference->base, b->interference->base);
	SAME_NUMBER(a->interference->new_, b->interference->new_);
	assert_int_equal(a->gate, b->gate);
	assert_int_equal(a->quick, b->quick);
}

static void same_disturbance(const struct disturbance *a, const struct disturbance *b)
{
	assert_int_equal(a->recorded, b->recorded);
	SAME_NUMBER(a->load_start, b->load_start);
	SAME_NUMBER(a->load_end, b->load_end);
	SAME_NUMBER(a->steal, b->steal);
	SAME_NUMBER(a->pressure_cpu, b->pressure_cpu);
	SAME_NUMBER(a->pressure_io, b->pressure_io);
	SAME_NUMBER(a->pressure_memory, b->pressure_memory);
	SAME_TEXT(a->pressure_why, b->pressure_why);
	SAME_NUMBER(a->throttled_periods, b->throttled_periods);
	SAME_NUMBER(a->throttled_seconds, b->throttled_seconds);
	SAME_NUMBER(a->slowed_by_heat, b->slowed_by_heat);
	SAME_TEXT(a->heat_why, b->heat_why);
	SAME_NUMBER(a->frequency_start, b->frequency_start);
	SAME_NUMBER(a->frequency_end, b->frequency_end);
	SAME_NUMBER(a->disturbed, b->disturbed);
	SAME_NUMBER(a->preempted, b->preempted);
	SAME_NUMBER(a->migrated, b->migrated);
	SAME_TEXT(a->migrated_why, b->migrated_why);
	SAME_NUMBER(a->frequency_changed, b->frequency_changed);
	SAME_TEXT(a->changed, b->changed);
}

static void same_result(const struct result *a, const struct result *b)
{
	SAME_TEXT(a->name, b->name);
	SAME_TEXT(a->version, b->version);
	SAME_TEXT(a->started, b->started);
	SAME_NUMBER(a->elapsed, b->elapsed);
	assert_true(a->seed == b->seed);
	assert_int_equal(a->argc, b->argc);
	for (size_t i = 0; i < a->argc; i++)
		SAME_TEXT(a->argv[i], b->argv[i]);
	SAME_TEXT(a->host.cpu, b->host.cpu);
	SAME_TEXT(a->host.os, b->host.os);
	SAME_TEXT(a->host.kernel, b->host.kernel);
	SAME_TEXT(a->host.virtual_, b->host.virtual_);
	SAME_TEXT(a->host.governor, b->host.governor);
	assert_int_equal(a->host.cpus, b->host.cpus);
	SAME_NUMBER(a->host.load, b->host.load);
	SAME_NUMBER(a->host.steal, b->host.steal);
	same_disturbance(&a->disturbance, &b->disturbance);
	SAME_NUMBER(a->calibration.change, b->calibration.change);
	SAME_NUMBER(a->calibration.seconds, b->calibration.seconds);
	SAME_TEXT(a->calibration.program, b->calibration.program);
	SAME_TEXT(a->calibration.design, b->calibration.design);
	SAME_TEXT(a->calibration.made, b->calibration.made);
	SAME_TEXT(a->calibration.why, b->calibration.why);
	SAME_TEXT(a->design.name, b->design.name);
	SAME_TEXT(a->design.why, b->design.why);
	assert_int_equal(a->design.level_count, b->design.level_count);
	assert_memory_equal(a->design.levels, b->design.levels, a->design.level_count * sizeof(enum level));
	assert_int_equal(a->design.cpu_count, b->design.cpu_count);
	for (size_t i = 0; i < a->design.cpu_count; i++)
		assert_int_equal(a->design.cpus[i], b->design.cpus[i]);
	assert_int_equal(a->design.paired, b->design.paired);
	assert_int_equal(a->design.order_count, b->design.order_count);
	for (size_t i = 0; i < a->design.order_count; i++)
		SAME_TEXT(a->design.order[i], b->design.order[i]);
	assert_int_equal(a->subject_count, b->subject_count);
	for (size_t s = 0; s < a->subject_count; s++) {
		const struct subject *x = &a->subjects[s], *y = &b->subjects[s];
		SAME_TEXT(x->name, y->name);
		SAME_TEXT(x->command, y->command);
		SAME_TEXT(x->benchmark, y->benchmark);
		SAME_TEXT(x->program, y->program);
		SAME_TEXT(x->loop->hash, y->loop->hash);
		assert_int_equal(x->parameter_count, y->parameter_count);
		for (size_t i = 0; i < x->parameter_count; i++) {
			SAME_TEXT(x->parameters[i].name, y->parameters[i].name);
			SAME_TEXT(x->parameters[i].value, y->parameters[i].value);
		}
		assert_int_equal(x->failure_count, y->failure_count);
		for (size_t i = 0; i < x->failure_count; i++) {
			SAME_TEXT(x->failures[i].what, y->failures[i].what);
			assert_int_equal(x->failures[i].run, y->failures[i].run);
		}
		assert_int_equal(x->build_count, y->build_count);
		for (size_t i = 0; i < x->build_count; i++) {
			assert_true(x->builds[i].seed == y->builds[i].seed);
			SAME_NUMBER(x->builds[i].seconds, y->builds[i].seconds);
			SAME_TEXT(x->builds[i].build_id, y->builds[i].build_id);
			SAME_TEXT(x->builds[i].hash, y->builds[i].hash);
		}
		assert_int_equal(x->metric_count, y->metric_count);
		for (size_t m = 0; m < x->metric_count; m++)
			same_measurement(&x->metrics[m], &y->metrics[m]);
	}
	assert_int_equal(a->comparison_count, b->comparison_count);
	for (size_t i = 0; i < a->comparison_count; i++)
		same_comparison(&a->comparisons[i], &b->comparisons[i]);
	SAME_TEXT(a->stopped.reason, b->stopped.reason);
	SAME_TEXT(a->stopped.rule, b->stopped.rule);
	assert_int_equal(a->stopped.checks, b->stopped.checks);
	SAME_TEXT(a->stopped.looks, b->stopped.looks);
	SAME_TEXT(a->stopped.metric, b->stopped.metric);
	assert_int_equal(a->stopped.block, b->stopped.block);
	assert_true(a->stopped.alpha == b->stopped.alpha);
	assert_int_equal(a->warning_count, b->warning_count);
	for (size_t i = 0; i < a->warning_count; i++) {
		SAME_TEXT(a->warnings[i].code, b->warnings[i].code);
		SAME_TEXT(a->warnings[i].text, b->warnings[i].text);
	}
}

static void test_every_field_comes_back(void **state)
{
	(void)state;
	struct result result, back;
	struct buffer text = {0}, again = {0};
	struct error err;
	fill(&result);
	assert_int_equal(document_write(&result, &text, &err), 0);
	read_back(buffer_text(&text), text.length, &back);
	same_result(&result, &back);
	assert_int_equal(document_write(&back, &again, &err), 0);
	assert_string_equal(buffer_text(&text), buffer_text(&again));
	result_release(&result);
	result_release(&back);
	buffer_release(&text);
	buffer_release(&again);
}

static void test_empty_result(void **state)
{
	(void)state;
	struct result result, back;
	struct buffer text = {0};
	struct error err;
	result_init(&result);
	assert_int_equal(document_write(&result, &text, &err), 0);
	read_back(buffer_text(&text), text.length, &back);
	assert_int_equal(back.subject_count, 0);
	assert_true(isnan(back.elapsed));
	result_release(&back);
	buffer_release(&text);
}

/* Every null of the document has its reason, and nothing is NaN. */
static void check_nulls(const json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;
	if (json_is_array(value)) {
		json_array_foreach(value, i, member) check_nulls(member);
		return;
	}
	json_object_foreach((json_t *)value, key, member)
	{
		char why[128];
		snprintf(why, sizeof(why), "%s_why", key);
		static const char *const texts[] = {"name",   "command", "benchmark",  "program",    "why",
		                                    "scope",  "method",  "decided_by", "unresolved", "gate",
		                                    "design", "reason",  "rule",       "cpu",        "os",
		                                    "kernel", "virtual", "governor",   "metric",     "changed"};
		int is_text = 0;
		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
			is_text |= strcmp(texts[t], key) == 0;
		int unbounded = json_is_true(json_object_get(value, "unbounded"));
		if (json_is_null(member) && !is_text && !unbounded && !json_is_string(json_object_get(value, why)))
			fail_msg("%s is null without a reason", key);
		if (strcmp(key, "samples") != 0)
			check_nulls(member);
	}
}

static void test_contract(void **state)
{
	(void)state;
	static const char *const top[] = {"schema",  "version",  "started",     "elapsed",    "seed",
	                                  "argv",    "host",     "design",      "subjects",   "comparisons",
	                                  "stopped", "warnings", "disturbance", "calibration"};
	static const char *const metric_keys[] = {"unit",   "better", "n",  "mean",   "median",          "sd",
	                                          "min",    "max",    "ci", "levels", "autocorrelation", "subsession",
	                                          "steady", "samples"};
	static const char *const comparison_keys[] = {"metric", "base",    "new",    "ratio",        "ci",     "total",
	                                              "share",  "verdict", "scope",  "decided_by",   "margin", "pairs",
	                                              "units",  "block",   "design", "order_effect", "shuffle"};
	struct result result;
	struct buffer text = {0};
	struct error err;
	json_error_t problem;
	fill(&result);
	result.seed = 12345; /* jansson stops at 2^63 */
	assert_int_equal(document_write(&result, &text, &err), 0);
	json_t *root = json_loads(buffer_text(&text), JSON_REJECT_DUPLICATES, &problem);
	if (!root)
		fail_msg("%s at %d", problem.text, problem.line);
	for (size_t i = 0; i < sizeof(top) / sizeof(top[0]); i++)
		if (!json_object_get(root, top[i]))
			fail_msg("no key %s", top[i]);
	assert_string_equal(json_string_value(json_object_get(root, "schema")), "tare/1");
	json_t *wall = json_object_get(json_object_get(json_array_get(json_object_get(root, "subjects"), 0), "metrics"),
	                               "wall");
	for (size_t i = 0; i < sizeof(metric_keys) / sizeof(metric_keys[0]); i++)
		if (!json_object_get(wall, metric_keys[i]))
			fail_msg("no key %s in a metric", metric_keys[i]);
	char *samples = json_dumps(json_object_get(wall, "samples"), JSON_COMPACT | JSON_REAL_PRECISION(3));
	assert_string_equal(samples, "[[0.1,0.2],[0.3,null],[0.5,0.6]]");
	free(samples);
	json_t *comparison = json_array_get(json_object_get(root, "comparisons"), 0);
	for (size_t i = 0; i < sizeof(comparison_keys) / sizeof(comparison_keys[0]); i++)
		if (!json_object_get(comparison, comparison_keys[i]))
			fail_msg("no key %s in a comparison", comparison_keys[i]);
	assert_string_equal(json_string_value(json_object_get(comparison, "base")), "old");
	assert_true(
		json_is_true(json_object_get(json_object_get(json_object_get(comparison, "total"), "ci"), "unbounded")));
	assert_true(json_is_null(json_object_get(json_object_get(json_object_get(comparison, "total"), "ci"), "low")));
	check_nulls(root);
	json_decref(root);
	result_release(&result);
	buffer_release(&text);
}

static void test_save(void **state)
{
	(void)state;
	struct result result, back;
	struct error err;
	char *root = fake_root(), path[4096];
	fill(&result);
	struct measurement *m = &result.subjects[0].metrics[0];
	for (int i = 0; i < 200000; i++) /* more than one flush */
		assert_int_equal(series_append(&m->series, 0, i * 0.1, &err), 0);
	snprintf(path, sizeof(path), "%s/result.json", root);
	assert_int_equal(document_save(&result, path, &err), 0);
	struct input input;
	struct json_tree tree;
	result_init(&back);
	assert_int_equal(input_open_file(&input, path, &err), 0);
	assert_int_equal(json_read(&input, &tree, &err), 0);
	assert_int_equal(document_read(&tree.root, path, &back, &err), 0);
	same_result(&result, &back);
	json_tree_release(&tree);
	input_release(&input);
	result_release(&back);
	snprintf(path, sizeof(path), "%s/no/such/folder/x.json", root);
	assert_int_equal(document_save(&result, path, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_string_equal(err.on, path);
	result_release(&result);
	fake_remove(root);
	free(root);
}

static void test_nonsense_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} cases[] = {
		{"{\"schema\":\"tare/2\",\"subjects\":[]}", "tare/2"},
		{"{\"schema\":\"tare/1\"}", "without subjects"},
		{"{\"schema\":\"tare/1\",\"design\":{\"levels\":[\"run\",\"galaxy\"]},\"subjects\":[]}", "level"},
		{"{\"schema\":\"tare/1\",\"design\":{\"levels\":[\"iteration\",\"run\"]},\"subjects\":[]}", "level"},
		{"{\"schema\":\"tare/1\",\"subjects\":[{\"name\":\"a\",\"metrics\":{\"wall\":{\"samples\":[1,2]}}}]}",
	     "nested"},
		{"{\"schema\":\"tare/1\",\"subjects\":[{\"name\":\"a\",\"metrics\":{\"wall\":{\"samples\":[[[1]]]}}}]}",
	     "nested"},
		{"{\"schema\":\"tare/1\",\"subjects\":[{\"name\":\"a\",\"metrics\":{\"t.units\":"
	     "{\"phases\":[[0,3]],\"samples\":[[1,2]]}}}]}",
	     "after its run"},
		{"{\"schema\":\"tare/1\",\"subjects\":[],\"comparisons\":[{\"metric\":\"wall\"}]}", "not there"},
		{"{\"schema\":\"tare/1\",\"subjects\":[{\"name\":\"a\",\"failures\":3,\"metrics\":{}}]}", "not a list"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct input input;
		struct json_tree tree;
		struct error err = {0};
		struct result out;
		result_init(&out);
		assert_int_equal(input_open_memory(&input, cases[i].text, strlen(cases[i].text), "test", &err), 0);
		assert_int_equal(json_read(&input, &tree, &err), 0);
		assert_int_equal(document_read(&tree.root, "test", &out, &err), -1);
		if (!strstr(err.what, cases[i].words) || err.kind != ERROR_INPUT)
			fail_msg("case %zu: %s", i, err.what);
		json_tree_release(&tree);
		input_release(&input);
	}
}

static int read_text(const char *text, struct error *err)
{
	struct result out;
	result_init(&out);
	int status = document_read_text(text, strlen(text), "test", &out, err);
	if (status == 0)
		result_release(&out);
	return status;
}

/* Whoever uses an enum does not look whether it is one: a word that is none is refused, wherever it stands. */
static void test_unknown_words_are_refused(void **state)
{
	(void)state;
	static const char head[] = "{\"schema\":\"tare/1\",";
	static const char *const cases[] = {
		"\"design\":{\"name\":%s},\"subjects\":[]}",
		"\"design\":{\"order_level\":%s},\"subjects\":[]}",
		"\"design\":{\"levels\":[%s,\"iteration\"]},\"subjects\":[]}",
		"\"stopped\":{\"reason\":%s},\"subjects\":[]}",
		"\"monitoring\":{\"verdict\":%s},\"subjects\":[]}",
		"\"subjects\":[{\"metrics\":{\"m\":{\"better\":%s}}}]}",
		"\"subjects\":[{\"metrics\":{\"m\":{\"unit_level\":%s}}}]}",
		"\"subjects\":[{\"metrics\":{\"m\":{\"sample_levels\":[%s,\"iteration\"]}}}]}",
		"\"subjects\":[{\"metrics\":{\"m\":{\"levels\":[{\"name\":%s}]}}}]}",
		"\"subjects\":[{\"metrics\":{\"m\":{\"steady\":{\"state\":%s}}}}]}",
		"\"subjects\":[{\"metrics\":{\"m\":{\"index\":{\"mean\":%s}}}}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"comparisons\":[{\"base_index\":0,\"new_index\":0,\"verdict\":%s}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"comparisons\":[{\"base_index\":0,\"new_index\":0,\"scope\":%s}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"comparisons\":[{\"base_index\":0,\"new_index\":0,\"gate\":%s}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"comparisons\":[{\"base_index\":0,\"new_index\":0,\"design\":%s}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"comparisons\":[{\"base\":%s,\"new\":\"a\"}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"comparisons\":[{\"base\":\"a\",\"new_index\":0,\"new\":%s}]}",
		"\"subjects\":[{\"name\":\"a\"}],\"ranking\":[%s]}",
	};
	static const char *const values[] = {"\"zigzag\"", "\"\"", "\"solo \""};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			struct buffer text = {0};
			struct error err = {0};
			const char *place = strstr(cases[i], "%s");
			buffer_printf(&text, "%s%.*s%s%s", head, (int)(place - cases[i]), cases[i], values[v], place + 2);
			if (read_text(buffer_text(&text), &err) == 0 || err.kind != ERROR_INPUT || !err.what[0])
				fail_msg("was taken: %s", buffer_text(&text));
			buffer_release(&text);
		}
}

static void test_words_that_are_no_texts_are_refused(void **state)
{
	(void)state;
	static const char *const values[] = {"5", "true", "[]", "{}", "[\"solo\"]"};
	for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
		char text[128];
		struct error err = {0};
		snprintf(text, sizeof(text), "{\"schema\":\"tare/1\",\"design\":{\"name\":%s},\"subjects\":[]}", values[v]);
		assert_int_equal(read_text(text, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
	}
	struct error err;
	assert_int_equal(read_text("{\"schema\":\"tare/1\",\"design\":{\"name\":null},\"subjects\":[]}", &err), 0);
	assert_int_equal(read_text("{\"schema\":\"tare/1\",\"design\":{\"name\":\"shared\"},\"subjects\":[]}", &err), 0);
}

static void test_out_of_memory_unwinds(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	struct error err;
	fill(&result);
	assert_int_equal(document_write(&result, &text, &err), 0);
	result_release(&result);
	struct input input;
	struct json_tree tree;
	assert_int_equal(input_open_memory(&input, buffer_text(&text), text.length, "test", &err), 0);
	assert_int_equal(json_read(&input, &tree, &err), 0);
	for (long nth = 1;; nth++) {
		struct result out;
		result_init(&out);
		mem_fail_at(nth);
		int status = document_read(&tree.root, "test", &out, &err);
		bool happened = mem_failed();
		mem_fail_at(0);
		if (status != 0)
			assert_int_equal(err.kind, ERROR_MEMORY);
		result_release(&out);
		if (!happened) {
			assert_int_equal(status, 0);
			break;
		}
	}
	json_tree_release(&tree);
	input_release(&input);
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field_comes_back),
		cmocka_unit_test(test_empty_result),
		cmocka_unit_test(test_contract),
		cmocka_unit_test(test_save),
		cmocka_unit_test(test_nonsense_is_refused),
		cmocka_unit_test(test_unknown_words_are_refused),
		cmocka_unit_test(test_words_that_are_no_texts_are_refused),
		cmocka_unit_test(test_out_of_memory_unwinds),
	};
	return cmocka_run_group_tests_name("exchange/document", tests, NULL, NULL);
}
