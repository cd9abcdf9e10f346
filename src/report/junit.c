/* JUnit XML, as its many readers agree on it: testsuites, testsuite, testcase, failure, error, skipped,
 * system-out. */
#include "report/ci_report.h"

#include "base/format.h"
#include "report/markup.h"
#include "report/overview.h"
#include "report/suite_report.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum case_outcome { PASSED, FAILED, ERROR, SKIPPED, OUTCOMES };

struct suite_writer {
	struct buffer cases;
	size_t counts[OUTCOMES];
};

static void put_attribute(struct buffer *out, const char *name, const char *text)
{
	buffer_printf(out, " %s=\"", name);
	markup_escape(out, text);
	buffer_char(out, '"');
}

/* One test case. `type` is a word of ours, `sentence` what happened. */
static void put_case(struct suite_writer *suite, const char *class_, const char *name, enum case_outcome outcome,
                     const char *type, const char *sentence)
{
	static const char *const elements[] = {NULL, "failure", "error", "skipped"};
	struct buffer *out = &suite->cases;
	suite->counts[outcome]++;
	buffer_text_add(out, "    <testcase");
	put_attribute(out, "classname", class_);
	put_attribute(out, "name", name);
	buffer_text_add(out, ">\n");
	if (outcome != PASSED) {
		buffer_printf(out, "      <%s", elements[outcome]);
		put_attribute(out, "message", sentence);
		if (outcome != SKIPPED)
			put_attribute(out, "type", type);
		buffer_text_add(out, "/>\n");
	}
	buffer_text_add(out, "      <system-out>");
	markup_escape(out, sentence);
	buffer_text_add(out, "</system-out>\n    </testcase>\n");
}

static enum case_outcome outcome_of(const struct comparison *c)
{
	if (c->gate == GATE_BROKEN)
		return FAILED;
	if (c->gate == GATE_OPEN || c->gate == GATE_FAILED)
		return ERROR;
	if (c->gate == GATE_HELD)
		return PASSED;
	switch (c->verdict) {
	case VERDICT_SLOWER:
	case VERDICT_MIXED: return FAILED;
	case VERDICT_UNDECIDED: return SKIPPED;
	default: return PASSED;
	}
}

static void put_comparison(struct suite_writer *suite, const struct result *result, const struct comparison *c)
{
	struct buffer sentence = {0};
	words_verdict(result, c, &sentence);
	buffer_text_add(&sentence, "; ");
	words_effort(result, c, &sentence);
	if (c->gate != GATE_NONE) {
		buffer_text_add(&sentence, "; ");
		words_gate_of(result, c, &sentence);
	}
	put_case(suite, c->metric, suite_label(result, c), outcome_of(c),
	         c->gate == GATE_FAILED ? "failed" : verdict_name(c->verdict), buffer_text(&sentence));
	suite->cases.out_of_memory |= sentence.out_of_memory;
	buffer_release(&sentence);
}

static void put_subject(struct suite_writer *suite, const struct subject *subject, const char *metric)
{
	const struct measurement *m = subject_find_metric(subject, metric);
	char value[FORMAT_MAX];
	struct buffer sentence = {0};
	if (!m && subject->metric_count)
		m = &subject->metrics[0];
	if (subject->failure_count > 0) {
		subject_failure_words(subject, &sentence);
		put_case(suite, metric, subject_title(subject), ERROR, "failed", buffer_text(&sentence));
	} else if (!m || m->n == 0) {
		put_case(suite, metric, subject_title(subject), ERROR, "nothing", "nothing was measured");
	} else {
		double half = (m->ci.high - m->ci.low) / 2;
		buffer_printf(&sentence, "mean %s", format_quantity(value, sizeof(value), m->mean, half, m->metric.unit));
		put_case(suite, m->metric.name, subject_title(subject), PASSED, NULL, buffer_text(&sentence));
	}
	suite->cases.out_of_memory |= sentence.out_of_memory;
	buffer_release(&sentence);
}

/* The gate itself, where what keeps it from holding is none of the comparisons. */
static void put_gate(struct suite_writer *suite, const struct result *result)
{
	struct buffer sentence = {0};
	words_gate(result, &sentence);
	put_case(suite, "tare", "gate", result->gate.state == GATE_BROKEN ? FAILED : ERROR, gate_name(result->gate.state),
	         buffer_text(&sentence));
	suite->cases.out_of_memory |= sentence.out_of_memory;
	buffer_release(&sentence);
}

static void fill(struct suite_writer *suite, const struct result *result, bool allow_missing)
{
	for (size_t i = 0; i < result->comparison_count; i++)
		put_comparison(suite, result, &result->comparisons[i]);
	/* With a gate it is for the gate to say which failures count. */
	bool judged = !isnan(result->gate.limit);
	for (size_t i = 0; i < result->subject_count; i++)
		if (result->comparison_count == 0 || (!judged && result->subjects[i].failure_count > 0))
			put_subject(suite, &result->subjects[i], overview_metric(result));
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, "only-old") == 0)
			put_case(suite, "missing", result->warnings[i].text, allow_missing ? SKIPPED : FAILED, "vanished",
			         result->warnings[i].text);
	if (judged && result->gate.state != GATE_HELD && suite->counts[FAILED] + suite->counts[ERROR] == 0)
		put_gate(suite, result);
	if (suite->cases.length == 0)
		put_case(suite, "tare", "measurement", ERROR, "nothing", "nothing was measured or compared");
}

static void put_counts(struct buffer *out, const size_t counts[OUTCOMES])
{
	buffer_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
	              counts[PASSED] + counts[FAILED] + counts[ERROR] + counts[SKIPPED], counts[FAILED], counts[ERROR],
	              counts[SKIPPED]);
}

static void put_suite(const struct result *result, bool allow_missing, struct buffer *out, size_t totals[OUTCOMES])
{
	struct suite_writer suite = {0};
	fill(&suite, result, allow_missing);
	buffer_text_add(out, "  <testsuite");
	put_attribute(out, "name", result->name ? result->name : "tare");
	put_counts(out, suite.counts);
	if (isfinite(result->elapsed))
		buffer_printf(out, " time=\"%.3f\"", result->elapsed);
	if (result->started)
		put_attribute(out, "timestamp", result->started);
	buffer_text_add(out, ">\n");
	buffer_add(out, buffer_text(&suite.cases), suite.cases.length);
	buffer_text_add(out, "  </testsuite>\n");
	for (int i = 0; i < OUTCOMES; i++)
		totals[i] += suite.counts[i];
	out->out_of_memory |= suite.cases.out_of_memory;
	buffer_release(&suite.cases);
}

int junit_write(const struct result *results, size_t count, bool allow_missing, struct buffer *out, struct error *err)
{
	struct buffer suites = {0};
	size_t totals[OUTCOMES] = {0};
	for (size_t i = 0; i < count; i++)
		put_suite(&results[i], allow_missing, &suites, totals);
	buffer_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tare\"");
	put_counts(out, totals);
	buffer_text_add(out, ">\n");
	buffer_add(out, buffer_text(&suites), suites.length);
	buffer_text_add(out, "</testsuites>\n");
	out->out_of_memory |= suites.out_of_memory;
	buffer_release(&suites);
	return buffer_error(out, err);
}
