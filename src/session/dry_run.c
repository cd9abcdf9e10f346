/* What a session would do, without its kept runs. */
#include "base/buffer.h"
#include "decide/work_fit.h"
#include "session/state.h"

#include <math.h>
#include <string.h>

/* The first rounds as they would be measured. */
static void list_rounds(struct session *session, struct buffer *out)
{
	enum { SHOWN = 8 };
	for (int round = 0; round < SHOWN; round++) {
		const size_t *order = schedule_next(&session->schedule);
		buffer_printf(out, "  round %d:", round + 1);
		for (size_t i = 0; i < session->experiment->subject_count; i++)
			buffer_printf(out, "%s %s", i ? "," : "", session->experiment->subjects[order[i]].name);
		buffer_char(out, '\n');
	}
	buffer_text_add(out, "  \xe2\x80\xa6\n");
}

/* Amounts follow from the time that the first ones take: nothing is tried for a plan. */
static int plan_work(const struct experiment *e, struct buffer *out)
{
	char time[FORMAT_MAX];
	buffer_printf(out, "work      %g to %g%s%s, doubled from the least until a round takes %s\n", e->work.low,
	              e->work.high, e->work.unit[0] ? " " : "", e->work.unit,
	              format_duration(time, sizeof(time), (int64_t)(work_goal_for(e).shortest * 1e9)));
	if (e->runs)
		buffer_printf(out, "rounds    %zu of each of %zu commands\n", e->runs, e->subject_count);
	else
		buffer_printf(out, "budget    %s, at least %zu rounds of each of %zu commands\n",
		              format_duration(time, sizeof(time), (int64_t)(work_budget_for(e) * 1e9)), work_goal_for(e).least,
		              e->subject_count);
	buffer_printf(out, "seed      %llu\n", (unsigned long long)e->seed);
	return 0;
}

int commands_plan(struct session *session, struct buffer *out, struct error *err)
{
	char time[FORMAT_MAX], budget[FORMAT_MAX];
	const char *why;
	if (session->experiment->work.given)
		return plan_work(session->experiment, out);
	if (session_learn(session, err) != 0)
		return -1;
	bool automatic = strcmp(session->experiment->design, "auto") == 0;
	enum design_kind design = automatic ? design_default(&session->facts, &why)
	                                    : design_by_name(session->experiment->design);
	double left = session->budget - session_elapsed(session);
	buffer_printf(out, "design    %s%s\n", design_name(design),
	              automatic ? " unless another one shows less variance when tried" : "");
	buffer_printf(out, "judged by %s\n", source_metric(session->source, session->deciding)->name);
	buffer_printf(out, "a round   %s of all %zu commands\n",
	              format_duration(time, sizeof(time), (int64_t)(session->round_time * 1e9)),
	              session->experiment->subject_count);
	/* A time that was given cuts a number of runs. */
	double fit = floor(left / session->round_time), runs = (double)session->experiment->runs;
	bool cut = session->experiment->max_time && fit < runs;
	if (runs > 0 && cut)
		buffer_printf(out, "rounds    %.0f of %.0f, as many as fit into %s\n", fit > 1 ? fit : 1, runs,
		              format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)));
	else if (runs > 0)
		buffer_printf(out, "rounds    %.0f, about %s\n", runs,
		              format_duration(time, sizeof(time), (int64_t)(runs * session->round_time * 1e9)));
	else
		buffer_printf(out, "budget    %s: up to %.0f rounds, looks after 6, 7, 8, 10, 12, 15, 18 … of them\n",
		              format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)), fit);
	buffer_printf(out, "seed      %llu\n", (unsigned long long)session->experiment->seed);
	list_rounds(session, out);
	return 0;
}
