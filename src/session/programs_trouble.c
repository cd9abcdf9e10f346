/* What a benchmark did besides giving a time: named in the result, while the suite goes on. */
#include "session/programs.h"

#include <string.h>

/* " on ./new" where there is more than one side. */
static const char *side_words(struct session *session, size_t side)
{
	if (session->sides == 1)
		return "";
	const char *text = arena_printf(&session->arena, " on %s", session->experiment->subjects[side].name);
	return text ? text : "";
}

static int skip(struct session *session, struct question *benchmark, size_t side, const char *reason, struct error *err)
{
	benchmark->end = SESSION_LOST;
	/* The first side had it, or it would not have come to the others. */
	session->missing += side > 0;
	if (result_warn(session->result, "left-out", "%s is skipped%s%s%s", benchmark->name, side_words(session, side),
	                reason[0] ? ": " : "", reason) != 0)
		return error_memory(err);
	return 0;
}

static int fail(struct session *session, struct question *benchmark, size_t side, const char *what, struct error *err)
{
	benchmark->end = SESSION_LOST;
	session->failed++;
	if (bench_add_subjects(session, benchmark, err) != 0)
		return -1;
	struct subject *subject = &session->result->subjects[benchmark->subject + side];
	if (result_add_failure(session->result, subject, what, benchmark->runs) != 0 ||
	    result_warn(session->result, "failed", "%s%s: %s", benchmark->name, side_words(session, side), what) != 0)
		return error_memory(err);
	return 0;
}

int bench_take_outcome(struct session *session, struct question *benchmark, size_t side,
                       const struct harness_outcome *outcome, struct error *err)
{
	switch (outcome->end) {
	case HARNESS_OK: return 0;
	case HARNESS_CANCELLED: return error_set(err, ERROR_INTERRUPTED, "interrupted");
	case HARNESS_SKIPPED: return skip(session, benchmark, side, outcome->text, err);
	case HARNESS_HUNG: session->hung++; break;
	default: break;
	}
	return fail(session, benchmark, side, outcome->text[0] ? outcome->text : harness_end_name(outcome->end), err);
}

int bench_take_start(struct session *session, struct question *benchmark, size_t side, struct error *err)
{
	char what[300];
	if (err->kind != ERROR_SUBJECT)
		return -1;
	memcpy(what, err->what, sizeof(err->what));
	return fail(session, benchmark, side, what, err);
}

int bench_take_notes(struct session *session, const struct question *benchmark, size_t side, uint32_t notes,
                     struct error *err)
{
	struct result *result = session->result;
	const char *name = benchmark->name, *where = side_words(session, side);
	int failed = 0;
	if (notes & HARNESS_PRINTED)
		failed |= result_warn(result, "prints", "%s%s: it prints to standard output, which takes time that is measured",
		                      name, where);
	if (notes & HARNESS_MOVED)
		failed |= result_warn(result, "moves",
		                      "%s%s: it changes the CPUs that it may run on; they were set back after each iteration",
		                      name, where);
	if (notes & HARNESS_LEFTOVER)
		failed |= result_warn(result, "left-behind", "%s%s: it leaves processes behind; they were killed with the run",
		                      name, where);
	return failed ? error_memory(err) : 0;
}
