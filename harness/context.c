/* SPDX-License-Identifier: MIT */
/* What a benchmark can ask and say while it runs. */
#include "harness/internal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that was cut may end in the middle of a character of UTF-8. */
static void tare_drop_last_character(char *text)
{
	size_t length = strlen(text);
	while (length > 0 && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
		length--;
	text[length > 0 ? length - 1 : 0] = '\0';
}

__attribute__((format(printf, 3, 0))) static void tare_say_with(struct tare *t, uint32_t status, const char *format,
                                                                va_list args)
{
	if (t->status != TARE_STATUS_NONE)
		return; /* the first word counts */
	t->status = status;
	if (vsnprintf(t->reason, sizeof(t->reason), format, args) >= (int)sizeof(t->reason))
		tare_drop_last_character(t->reason);
	for (char *c = t->reason; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' '; /* it travels in one line */
}

void tare_say(struct tare *t, uint32_t status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	tare_say_with(t, status, format, args);
	va_end(args);
}

void tare_skip(struct tare *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	tare_say_with(t, TARE_STATUS_SKIPPED, format, args);
	va_end(args);
}

void tare_fail(struct tare *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	tare_say_with(t, TARE_STATUS_FAILED, format, args);
	va_end(args);
}

const char *tare_text(struct tare *t, const char *name)
{
	const char *value = tare_instance_value(t->instance, name);
	if (!value)
		tare_fail(t, "it has no parameter %s", name);
	return value ? value : "";
}

int64_t tare_int(struct tare *t, const char *name)
{
	const char *text = tare_text(t, name);
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (end != text && !*end && errno == 0)
		return value;
	tare_fail(t, "the parameter %s=%s is not a whole number", name, text);
	return 0;
}

double tare_real(struct tare *t, const char *name)
{
	const char *text = tare_text(t, name);
	double value;
	if (tare_real_parse(text, &value))
		return value;
	tare_fail(t, "the parameter %s=%s is not a number", name, text);
	return 0;
}

void tare_set_data(struct tare *t, void *data)
{
	t->instance->data = data;
}

void *tare_data(struct tare *t)
{
	return t->instance->data;
}

uint64_t tare_invocations(struct tare *t)
{
	return t->invocations;
}

unsigned tare_thread(struct tare *t)
{
	return t->thread;
}

unsigned tare_thread_count(struct tare *t)
{
	return t->instance->threads;
}

void tare_items(struct tare *t, double per_invocation)
{
	t->items = per_invocation;
}

void tare_bytes(struct tare *t, double per_invocation)
{
	t->bytes = per_invocation;
}

static struct tare_metric *tare_report_find(struct tare *t, const char *name)
{
	for (uint32_t i = 0; i < t->report_count; i++)
		if (strcmp(t->reports[i].name, name) == 0)
			return &t->reports[i];
	if (t->report_count == TARE_METRICS_MAX)
		return NULL;
	struct tare_metric *metric = &t->reports[t->report_count++];
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	return metric;
}

void tare_report(struct tare *t, const char *name, double value, const char *unit, enum tare_better better)
{
	if (!tare_word_is_plain(name) || strlen(name) >= TARE_NAME_SIZE ||
	    (unit && unit[0] && (!tare_word_is_plain(unit) || strlen(unit) >= TARE_UNIT_SIZE))) {
		tare_fail(t, "tare_report: name or unit is too long or has white space: %s", name ? name : "");
		return;
	}
	if (!isfinite(value)) {
		tare_fail(t, "the metric %s is not finite", name);
		return;
	}
	struct tare_metric *metric = tare_report_find(t, name);
	if (!metric) {
		tare_fail(t, "more than %d metrics, %s is too much", TARE_METRICS_MAX, name);
		return;
	}
	metric->value = value;
	metric->better = better == TARE_HIGHER;
	snprintf(metric->unit, sizeof(metric->unit), "%s", unit ? unit : "");
}

/* Keeps every second reading. The stride is a power of two. */
void tare_units_thin(struct tare *t)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < t->unit_count; i += 2)
		t->units[kept++] = t->units[i];
	t->unit_count = kept;
	t->unit_stride *= 2;
}

void tare_unit(struct tare *t, double value)
{
	uint64_t number = t->unit_total++;
	if (number & (t->unit_stride - 1))
		return;
	if (t->unit_count == t->unit_capacity) {
		if (!t->units) {
			tare_fail(t, "tare_unit without tare_unit_metric in TARE_CONFIGURE");
			return;
		}
		tare_units_thin(t);
		if (number & (t->unit_stride - 1))
			return;
	}
	t->units[t->unit_count++] = value;
}
