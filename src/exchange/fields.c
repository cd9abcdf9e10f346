#include "exchange/fields.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Stands in for a reason that nobody gave; it is not kept when read. */
static const char no_reason[] = "not known";

#define FIELD(type, name, kind, member) \
	{ \
		name, kind, offsetof(type, member), FIELD_NO_WHY, 0 \
	}
#define FIELD_WHY(type, name, kind, member, reason) \
	{ \
		name, kind, offsetof(type, member), offsetof(type, reason), 0 \
	}
/* A member of the struct that a pointer of the record points to. */
#define FIELD_OF(type, pointer, part, name, kind, member) \
	{ \
		name, kind, offsetof(part, member), FIELD_NO_WHY, offsetof(type, pointer) \
	}
#define FIELD_OF_WHY(type, pointer, part, name, kind, member, reason) \
	{ \
		name, kind, offsetof(part, member), offsetof(part, reason), offsetof(type, pointer) \
	}
#define FIELDS_END \
	{ \
		NULL, FIELD_TEXT, 0, 0, 0 \
	}

#define M(name, kind, member)        FIELD(struct measurement, name, kind, member)
#define M_OF(name, kind, member)     FIELD_OF(struct measurement, described, struct description, name, kind, member)
#define M_STATED(name, kind, member) FIELD_OF(struct measurement, stated, struct stated_runs, name, kind, member)
#define M_INDEX(name, kind, member)  FIELD_OF(struct measurement, index, struct index_goal, name, kind, member)
const struct field measurement_fields[] = {
	M("n", FIELD_COUNT, n),
	M("mean", FIELD_NUMBER, mean),
	M("median", FIELD_NUMBER, median),
	FIELD_WHY(struct measurement, "sd", FIELD_NUMBER, sd, sd_why),
	M("min", FIELD_NUMBER, min),
	M("max", FIELD_NUMBER, max),
	M("ci", FIELD_CONFIDENCE, ci),
	M_OF("median_ci", FIELD_CONFIDENCE, median_ci),
	M_OF("pooled_sd", FIELD_NUMBER, pooled_sd),
	M_OF("pooled_ci", FIELD_CONFIDENCE, pooled_ci),
	FIELD_OF_WHY(struct measurement, slope, struct iteration_slope, "slope", FIELD_NUMBER, value, why),
	FIELD_OF(struct measurement, slope, struct iteration_slope, "slope_ci", FIELD_CONFIDENCE, ci),
	M("units", FIELD_KNOWN_COUNT, units),
	M_OF("unseen_mode", FIELD_NUMBER, unseen_mode),
	M_OF("effective_size", FIELD_NUMBER, effective_size),
	M_OF("outliers", FIELD_COUNT, outliers),
	M_OF("far_outliers", FIELD_COUNT, far_outliers),
	M_OF("inner_modes", FIELD_KNOWN_COUNT, inner_modes),
	FIELD_OF_WHY(struct measurement, described, struct description, "autocorrelation", FIELD_NUMBER, autocorrelation,
                 autocorrelation_why),
	M_OF("subsession", FIELD_KNOWN_COUNT, subsession),
	M("quantum", FIELD_POSITIVE, quantum),
	M_OF("ties", FIELD_NUMBER, ties),
	FIELDS_END,
};

const struct field lost_fields[] = {
	M("lost", FIELD_COUNT, lost),
	FIELDS_END,
};

const struct field pair_fields[] = {
	M("pair_set", FIELD_SHORT_COUNT, pair_set),
	FIELDS_END,
};

/* Of runs whose values were not kept. */
const struct field stated_fields[] = {
	M_STATED("stated_runs", FIELD_COUNT, n),
	M_STATED("stated_mean", FIELD_NUMBER, mean),
	M_STATED("stated_sem", FIELD_NUMBER, sem),
	FIELDS_END,
};

/* Of a performance index alone. */
const struct field index_fields[] = {
	M_INDEX("wanted", FIELD_NUMBER, wanted),
	M_INDEX("autocorrelation_limit", FIELD_NUMBER, autocorrelation_limit),
	M_INDEX("skip_runs", FIELD_COUNT, skip_runs),
	FIELDS_END,
};
#undef M
#undef M_OF
#undef M_STATED
#undef M_INDEX

const struct field overhead_fields[] = {
	FIELD(struct overhead_result, "ratio", FIELD_NUMBER, ratio),
	FIELD(struct overhead_result, "ci", FIELD_CONFIDENCE, ci),
	FIELD(struct overhead_result, "pairs", FIELD_COUNT, pairs),
	FIELDS_END,
};

#define W(name, kind, member) FIELD(struct work_result, name, kind, member)
const struct field work_fields[] = {
	W("unit", FIELD_TEXT, unit),
	W("speed_unit", FIELD_TEXT, speed_unit),
	W("metric", FIELD_TEXT, metric),
	W("low", FIELD_NUMBER, low),
	W("high", FIELD_NUMBER, high),
	W("shortest", FIELD_NUMBER, shortest),
	W("from", FIELD_NUMBER, from),
	W("wanted", FIELD_NUMBER, wanted),
	W("rounds", FIELD_COUNT, rounds),
	W("used", FIELD_COUNT, used),
	W("short_rounds", FIELD_COUNT, short_rounds),
	W("merged", FIELD_KNOWN_COUNT, merged),
	W("speed", FIELD_NUMBER, speed),
	W("speed_ci", FIELD_CONFIDENCE, speed_ci),
	W("wall_speed", FIELD_NUMBER, wall_speed),
	W("wall_speed_ci", FIELD_CONFIDENCE, wall_speed_ci),
	W("alpha", FIELD_NUMBER, alpha),
	W("alpha_ci", FIELD_CONFIDENCE, alpha_ci),
	W("curvature_p", FIELD_NUMBER, curvature_p),
	W("r_squared", FIELD_NUMBER, r_squared),
	W("residual_sd", FIELD_NUMBER, residual_sd),
	W("prediction_error", FIELD_NUMBER, prediction_error),
	W("refused", FIELD_TEXT, refused),
	W("instead", FIELD_TEXT, instead),
	FIELDS_END,
};
#undef W

const struct field level_fields[] = {
	FIELD(struct level_share, "n", FIELD_NUMBER, n),
	FIELD_WHY(struct level_share, "variance", FIELD_NUMBER, variance, variance_why),
	FIELD(struct level_share, "cost", FIELD_NUMBER, cost),
	FIELD(struct level_share, "sd_ci", FIELD_CONFIDENCE, sd_ci),
	FIELD(struct level_share, "ignored", FIELD_CONFIDENCE, ignored),
	FIELDS_END,
};

#define E(name, kind, member) FIELD(struct steady_evidence, name, kind, member)
const struct field evidence_fields[] = {
	E("runs", FIELD_COUNT, runs),
	E("moving", FIELD_COUNT, moving),
	E("effect", FIELD_NUMBER, effect),
	E("dependent", FIELD_COUNT, dependent),
	E("ljung_box_p", FIELD_NUMBER, ljung_box_p),
	E("autocorrelation", FIELD_NUMBER, autocorrelation),
	E("lag", FIELD_COUNT, lag),
	E("later_level", FIELD_FLAG, later_level),
	E("all_runs", FIELD_COUNT, all_runs),
	E("never", FIELD_COUNT, never),
	E("warmup_runs", FIELD_COUNT, warmup.runs),
	E("warmup_first", FIELD_COUNT, warmup.first),
	E("warmup_last", FIELD_COUNT, warmup.last),
	E("warmup_ratio", FIELD_NUMBER, warmup.ratio),
	E("warmup_gradual", FIELD_FLAG, warmup.gradual),
	E("late_runs", FIELD_COUNT, late.runs),
	E("late_first", FIELD_COUNT, late.first),
	E("late_last", FIELD_COUNT, late.last),
	E("late_ratio", FIELD_NUMBER, late.ratio),
	FIELDS_END,
};

const struct field steps_fields[] = {
	E("warmup_steps", FIELD_FLAG, warmup.steps),
	FIELDS_END,
};
#undef E

const struct field iteration_fields[] = {
	FIELD(struct measurement, "iteration", FIELD_SHORT_COUNT, iteration),
	FIELD_OF(struct measurement, all, struct all_iterations, "all_mean", FIELD_NUMBER, mean),
	FIELD_OF(struct measurement, all, struct all_iterations, "all_ci", FIELD_CONFIDENCE, ci),
	FIELDS_END,
};

#define C(name, kind, member)             FIELD(struct comparison, name, kind, member)
#define C_WHY(name, kind, member, reason) FIELD_WHY(struct comparison, name, kind, member, reason)
#define C_OF(name, kind, member)          FIELD_OF(struct comparison, interference, struct interference, name, kind, member)
#define C_PAIRED(name, kind, member)      FIELD_OF(struct comparison, paired, struct pair_findings, name, kind, member)
#define C_PAIRED_WHY(name, kind, member, reason) \
	FIELD_OF_WHY(struct comparison, paired, struct pair_findings, name, kind, member, reason)
const struct field comparison_fields[] = {
	C("metric", FIELD_TEXT, metric),
	C("base_index", FIELD_SHORT_COUNT, base),
	C("new_index", FIELD_SHORT_COUNT, new_),
	C_WHY("ratio", FIELD_NUMBER, ratio, ratio_why),
	C("ci", FIELD_CONFIDENCE, ci),
	C("decided_by", FIELD_TEXT, decided_by),
	C("unresolved", FIELD_TEXT, unresolved),
	C("margin", FIELD_NUMBER, margin),
	C("pairs", FIELD_COUNT, pairs),
	C("units", FIELD_COUNT, units),
	C("block", FIELD_COUNT, block),
	C("design", FIELD_TEXT, design),
	C_PAIRED_WHY("order_effect", FIELD_NUMBER, order_effect, order_effect_why),
	C_PAIRED("order_effect_half", FIELD_NUMBER, order_half),
	C_PAIRED("total_over_typical", FIELD_NUMBER, total_over_typical),
	C("p_difference", FIELD_NUMBER, p_difference),
	C("p_same_typical", FIELD_NUMBER, p_same_typical),
	C("p_same_total", FIELD_NUMBER, p_same_total),
	C("p_value", FIELD_NUMBER, p_value),
	C_OF("interference_base", FIELD_NUMBER, base),
	C_OF("interference_base_ci", FIELD_CONFIDENCE, base_ci),
	C_OF("interference_new", FIELD_NUMBER, new_),
	C_OF("interference_new_ci", FIELD_CONFIDENCE, new_ci),
	C("more_time", FIELD_NUMBER, more_time),
	C("more_time_least", FIELD_FLAG, more_time_least),
	C("quick", FIELD_FLAG, quick),
	C("rule", FIELD_EDITION, rule),
	FIELDS_END,
};
const struct field comparison_gate_fields[] = {
	FIELD_OF(struct comparison, gated, struct gate_findings, "gate_limit", FIELD_NUMBER, limit),
	FIELD_OF(struct comparison, gated, struct gate_findings, "gate_ci", FIELD_CONFIDENCE, ci),
	FIELDS_END,
};
const struct field total_fields[] = {
	FIELD_WHY(struct ratio_estimate, "ratio", FIELD_NUMBER, ratio, why),
	FIELD(struct ratio_estimate, "ci", FIELD_CONFIDENCE, ci),
	FIELDS_END,
};
const struct field share_fields[] = {
	C_PAIRED_WHY("base", FIELD_NUMBER, share_base, share_why),
	C_PAIRED_WHY("new", FIELD_NUMBER, share_new, share_why),
	C_PAIRED_WHY("difference", FIELD_NUMBER, share_difference, share_why),
	C_PAIRED("ci", FIELD_CONFIDENCE, share_ci),
	FIELDS_END,
};
const struct field shuffle_fields[] = {
	C_PAIRED_WHY("ratio_of_widths", FIELD_NUMBER, shuffle_width_ratio, shuffle_why),
	FIELDS_END,
};
#undef C
#undef C_WHY
#undef C_OF
#undef C_PAIRED
#undef C_PAIRED_WHY

const struct field subject_fields[] = {
	FIELD(struct subject, "command", FIELD_TEXT, command),
	FIELD(struct subject, "benchmark", FIELD_TEXT, benchmark),
	FIELD(struct subject, "program", FIELD_TEXT, program),
	FIELDS_END,
};

const struct field benchmark_fields[] = {
	FIELD(struct subject, "letter", FIELD_SIDE, side),
	FIELD(struct subject, "metric", FIELD_TEXT, metric),
	FIELDS_END,
};

const struct field loop_fields[] = {
	FIELD(struct benchmark_loop, "invocations", FIELD_NUMBER, invocations),
	FIELD(struct benchmark_loop, "clock_cost", FIELD_NUMBER, clock_cost),
	FIELD(struct benchmark_loop, "loop_cost", FIELD_NUMBER, loop_cost),
	FIELDS_END,
};

const struct field host_fields[] = {
	FIELD(struct host_info, "id", FIELD_TEXT, id),
	FIELD(struct host_info, "node", FIELD_TEXT, node),
	FIELD(struct host_info, "cpu", FIELD_TEXT, cpu),
	FIELD(struct host_info, "cpus", FIELD_KNOWN_LONG, cpus),
	FIELD(struct host_info, "os", FIELD_TEXT, os),
	FIELD(struct host_info, "kernel", FIELD_TEXT, kernel),
	FIELD(struct host_info, "virtual", FIELD_TEXT, virtual_),
	FIELD(struct host_info, "governor", FIELD_TEXT, governor),
	FIELD(struct host_info, "load", FIELD_NUMBER, load),
	FIELD(struct host_info, "steal", FIELD_NUMBER, steal),
	FIELDS_END,
};

const struct field machine_info_fields[] = {
	FIELD(struct machine_info, "id", FIELD_TEXT, id),
	FIELD(struct machine_info, "name", FIELD_TEXT, name),
	FIELD(struct machine_info, "cpu", FIELD_TEXT, cpu),
	FIELD(struct machine_info, "cpus", FIELD_KNOWN_LONG, cpus),
	FIELD(struct machine_info, "results", FIELD_COUNT, results),
	FIELDS_END,
};

const struct field machine_ratio_fields[] = {
	FIELD(struct machine_ratio, "machine", FIELD_COUNT, machine),
	FIELD(struct machine_ratio, "ratio", FIELD_NUMBER, ratio),
	FIELD(struct machine_ratio, "ci", FIELD_CONFIDENCE, ci),
	FIELD(struct machine_ratio, "total", FIELD_NUMBER, total),
	FIELD(struct machine_ratio, "share", FIELD_NUMBER, share),
	FIELD(struct machine_ratio, "units", FIELD_COUNT, units),
	FIELDS_END,
};

const struct field machine_stratum_fields[] = {
	FIELD(struct machine_stratum, "cpu", FIELD_TEXT, name),
	FIELD(struct machine_stratum, "count", FIELD_COUNT, machines),
	FIELD(struct machine_stratum, "ratio", FIELD_NUMBER, ratio),
	FIELD(struct machine_stratum, "ci", FIELD_CONFIDENCE, ci),
	FIELDS_END,
};

#define MR(name, kind, member) FIELD(struct machines_result, name, kind, member)
const struct field machines_fields[] = {
	MR("statement", FIELD_TEXT, statement),
	MR("pool", FIELD_CONFIDENCE, pool),
	MR("these", FIELD_CONFIDENCE, these),
	MR("next", FIELD_CONFIDENCE, next),
	FIELD_WHY(struct machines_result, "sd", FIELD_NUMBER, sd, sd_why),
	MR("sd_ci", FIELD_CONFIDENCE, sd_ci),
	MR("depends_p", FIELD_NUMBER, depends_p),
	MR("odd_p", FIELD_NUMBER, odd_p),
	MR("without", FIELD_NUMBER, without),
	MR("without_ci", FIELD_CONFIDENCE, without_ci),
	MR("plan_machines", FIELD_COUNT, plan_machines),
	MR("plan_runs", FIELD_COUNT, plan_runs),
	FIELDS_END,
};

#define D_WHY(name, member, reason) FIELD_WHY(struct disturbance, name, FIELD_NUMBER, member, reason)
const struct field disturbance_fields[] = {
	D_WHY("load_start", load_start, load_why),
	D_WHY("load_end", load_end, load_why),
	D_WHY("steal", steal, steal_why),
	D_WHY("pressure_cpu", pressure_cpu, pressure_why),
	D_WHY("pressure_io", pressure_io, pressure_why),
	D_WHY("pressure_memory", pressure_memory, pressure_why),
	D_WHY("throttled_periods", throttled_periods, throttled_why),
	D_WHY("throttled_seconds", throttled_seconds, throttled_why),
	D_WHY("slowed_by_heat", slowed_by_heat, heat_why),
	D_WHY("frequency_start", frequency_start, frequency_why),
	D_WHY("frequency_end", frequency_end, frequency_why),
	D_WHY("disturbed", disturbed, disturbed_why),
	D_WHY("preempted", preempted, preempted_why),
	D_WHY("migrated", migrated, migrated_why),
	D_WHY("frequency_changed", frequency_changed, frequency_changed_why),
	FIELD(struct disturbance, "changed", FIELD_TEXT, changed),
	FIELDS_END,
};
#undef D_WHY

const struct field calibration_fields[] = {
	FIELD(struct calibration_quote, "change", FIELD_NUMBER, change),
	FIELD(struct calibration_quote, "seconds", FIELD_NUMBER, seconds),
	FIELD(struct calibration_quote, "program", FIELD_TEXT, program),
	FIELD(struct calibration_quote, "design", FIELD_TEXT, design),
	FIELD(struct calibration_quote, "made", FIELD_TEXT, made),
	FIELDS_END,
};

const struct field gate_fields[] = {
	FIELD(struct gate_result, "limit", FIELD_NUMBER, limit),
	FIELD(struct gate_result, "interrupted", FIELD_FLAG, interrupted),
	FIELD(struct gate_result, "about", FIELD_TEXT, about),
	FIELD(struct gate_result, "why", FIELD_TEXT, why),
	FIELDS_END,
};

const struct field stopped_fields[] = {
	FIELD(struct stopped, "reason", FIELD_TEXT, reason),      FIELD(struct stopped, "rule", FIELD_TEXT, rule),
	FIELD(struct stopped, "checks", FIELD_LONG, checks),      FIELD(struct stopped, "cost", FIELD_POSITIVE, cost),
	FIELD(struct stopped, "looks", FIELD_TEXT, looks),        FIELD(struct stopped, "alpha", FIELD_POSITIVE, alpha),
	FIELD(struct stopped, "weight", FIELD_POSITIVE, weight),  FIELD(struct stopped, "metric", FIELD_TEXT, metric),
	FIELD(struct stopped, "block", FIELD_KNOWN_COUNT, block), FIELDS_END,
};

static const struct field confidence_fields[] = {
	FIELD(struct confidence, "level", FIELD_NUMBER, level),
	FIELD(struct confidence, "low", FIELD_NUMBER, low),
	FIELD(struct confidence, "high", FIELD_NUMBER, high),
	FIELD(struct confidence, "method", FIELD_TEXT, method),
	FIELDS_END,
};

/* ---- writing ---- */

static void write_why(struct json_writer *writer, const char *key, const char *why)
{
	char name[64];
	snprintf(name, sizeof(name), "%s_why", key);
	json_put_key(writer, name);
	json_put_text(writer, why ? why : no_reason);
}

static void write_confidence(struct json_writer *writer, const char *key, const struct confidence *ci)
{
	if (isnan(ci->level)) {
		json_put_null(writer);
		write_why(writer, key, ci->why);
		return;
	}
	json_put_object_line(writer);
	json_put_key(writer, "level");
	json_put_number(writer, ci->level);
	json_put_key(writer, "low");
	json_put_number(writer, ci->unbounded ? NAN : ci->low);
	json_put_key(writer, "high");
	json_put_number(writer, ci->unbounded ? NAN : ci->high);
	if (ci->unbounded) {
		json_put_key(writer, "unbounded");
		json_put_bool(writer, true);
	} else if (!isfinite(ci->low)) {
		write_why(writer, "low", ci->why);
	} else if (!isfinite(ci->high)) {
		write_why(writer, "high", ci->why);
	}
	json_put_key(writer, "method");
	json_put_text(writer, ci->method);
	json_end_object(writer);
}

static void write_number(struct json_writer *writer, const char *key, double value, bool known, const char *why)
{
	json_put_number(writer, known ? value : NAN);
	if (!known)
		write_why(writer, key, why);
}

static void write_count(struct json_writer *writer, const char *key, uint64_t value, bool known)
{
	if (known) {
		json_put_count(writer, value);
	} else {
		json_put_null(writer);
		write_why(writer, key, NULL);
	}
}

static const char *part_of(const struct field *field, const void *record)
{
	if (field->part == 0)
		return record;
	return *(const char *const *)(const void *)((const char *)record + field->part);
}

void fields_write(struct json_writer *writer, const struct field *fields, const void *record)
{
	for (const struct field *field = fields; field->key; field++) {
		const char *part = part_of(field, record);
		const void *at = part + field->offset;
		const char *why = NULL;
		char letter[2];
		if (field->why != FIELD_NO_WHY)
			why = *(const char *const *)(const void *)(part + field->why);
		json_put_key(writer, field->key);
		switch (field->kind) {
		case FIELD_TEXT: json_put_text(writer, *(const char *const *)at); break;
		case FIELD_SIDE: json_put_text(writer, side_letter(*(const size_t *)at, letter)); break;
		case FIELD_NUMBER:
			write_number(writer, field->key, *(const double *)at, isfinite(*(const double *)at), why);
			break;
		case FIELD_POSITIVE: write_number(writer, field->key, *(const double *)at, *(const double *)at > 0, why); break;
		case FIELD_COUNT: json_put_count(writer, *(const size_t *)at); break;
		case FIELD_SHORT_COUNT: json_put_count(writer, *(const uint32_t *)at); break;
		case FIELD_KNOWN_COUNT: write_count(writer, field->key, *(const size_t *)at, *(const size_t *)at > 0); break;
		case FIELD_LONG: json_put_integer(writer, *(const long *)at); break;
		case FIELD_KNOWN_LONG:
			write_count(writer, field->key, (uint64_t) * (const long *)at, *(const long *)at > 0);
			break;
		case FIELD_EDITION: write_count(writer, field->key, *(const uint16_t *)at, *(const uint16_t *)at > 0); break;
		case FIELD_FLAG: json_put_bool(writer, *(const bool *)at); break;
		case FIELD_CONFIDENCE: write_confidence(writer, field->key, at); break;
		}
	}
}

/* ---- reading ---- */

static int read_text(const struct node *value, const char **out, struct arena *arena, struct error *err)
{
	const char *text = node_text(value);
	*out = text ? arena_strdup(arena, text) : NULL;
	return text && !*out ? error_memory(err) : 0;
}

static int read_why(const struct node *object, const char *key, const char **out, struct arena *arena,
                    struct error *err)
{
	char name[64];
	snprintf(name, sizeof(name), "%s_why", key);
	struct node why = node_get(object, name);
	if (why.type != NODE_TEXT || strcmp(why.text, no_reason) == 0)
		return 0;
	return read_text(&why, out, arena, err);
}

static size_t count_of(const struct node *value)
{
	double number = node_number(value);
	if (value->type == NODE_INTEGER)
		return (size_t)value->integer;
	return number >= 0 && number < 0x1p53 ? (size_t)number : 0;
}

static size_t at_most(size_t count, size_t most)
{
	return count < most ? count : most;
}

static int read_confidence(const struct node *object, const char *key, const struct node *value, struct confidence *ci,
                           struct arena *arena, struct error *err)
{
	*ci = (struct confidence){.level = NAN, .low = NAN, .high = NAN};
	if (value->type != NODE_OBJECT)
		return read_why(object, key, &ci->why, arena, err);
	struct node unbounded = node_get(value, "unbounded");
	ci->unbounded = unbounded.type == NODE_TRUE;
	if (read_why(value, "low", &ci->why, arena, err) != 0 || read_why(value, "high", &ci->why, arena, err) != 0)
		return -1;
	return fields_read(value, confidence_fields, ci, arena, err);
}

static long long_of(const struct node *value)
{
	double number = node_number(value);
	return fabs(number) < 0x1p53 ? (long)number : 0;
}

int fields_read(const struct node *object, const struct field *fields, void *record, struct arena *arena,
                struct error *err)
{
	for (const struct field *field = fields; field->key; field++) {
		char *part = (char *)part_of(field, record);
		void *at = part + field->offset;
		struct node value = node_get(object, field->key);
		int status = 0;
		if (value.type == NODE_ABSENT)
			continue;
		if (field->why != FIELD_NO_WHY)
			status = read_why(object, field->key, (const char **)(void *)(part + field->why), arena, err);
		if (status != 0)
			return -1;
		switch (field->kind) {
		case FIELD_TEXT: status = read_text(&value, at, arena, err); break;
		case FIELD_SIDE: *(size_t *)at = side_read(node_text(&value)); break;
		case FIELD_NUMBER: *(double *)at = node_number(&value); break;
		case FIELD_POSITIVE: *(double *)at = node_is_number(&value) ? node_number(&value) : 0; break;
		case FIELD_COUNT:
		case FIELD_KNOWN_COUNT: *(size_t *)at = count_of(&value); break;
		case FIELD_SHORT_COUNT: *(uint32_t *)at = (uint32_t)at_most(count_of(&value), UINT32_MAX); break;
		case FIELD_EDITION: *(uint16_t *)at = (uint16_t)at_most(count_of(&value), UINT16_MAX); break;
		case FIELD_LONG:
		case FIELD_KNOWN_LONG: *(long *)at = long_of(&value); break;
		case FIELD_FLAG: *(bool *)at = value.type == NODE_TRUE; break;
		case FIELD_CONFIDENCE: status = read_confidence(object, field->key, &value, at, arena, err); break;
		}
		if (status != 0)
			return -1;
	}
	return 0;
}
