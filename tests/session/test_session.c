/* The loop (session.c): an instrument and a rule of the test's own, and what is common to real ones. */
#include "session/play.h"
#include "session/state.h"

/* ---- a toy: two questions, a round of each takes a second ---- */

struct toy {
	size_t enough[2]; /* rounds after which the rule has enough; 0: never */
	size_t rounds[2]; /* measured */
	size_t looks;
	bool interrupts; /* after the third round */
	char order[100];
};

static struct toy toy;

static int64_t toy_now(const struct session *session)
{
	(void)session;
	return (int64_t)(script_now() * 1e9);
}

static bool toy_cancelled(const struct session *session)
{
	(void)session;
	return toy.interrupts && toy.rounds[0] + toy.rounds[1] >= 3;
}

static int toy_look(struct session *session, struct question *question, struct error *err)
{
	size_t i = (size_t)(question - session->questions);
	(void)err;
	toy.looks++;
	session->checks++;
	if (toy.enough[i] && question->runs >= toy.enough[i])
		question->end = i == 0 ? SESSION_PRECISE : SESSION_DECIDED;
	return 0;
}

static const struct rule toy_rule = {.name = "toy", .look = toy_look};

static int toy_open(struct session *session, struct error *err)
{
	if (session_add_questions(session, 2, 1, err) != 0)
		return -1;
	session->started = session_now(session);
	session->budget = 10.5;
	session->design = DESIGN_SHUFFLED;
	for (size_t i = 0; i < 2; i++) {
		session->questions[i].rule = &toy_rule;
		session->questions[i].unit_time = 1;
		session->questions[i].max_runs = session->experiment->runs;
	}
	return 0;
}

static int toy_learn(struct session *session, struct error *err)
{
	(void)session;
	(void)err;
	return 0;
}

static size_t toy_next(struct session *session, size_t *chosen)
{
	size_t count = 0;
	for (size_t i = 0; i < session->count; i++)
		if (session->questions[i].end == SESSION_GO_ON)
			chosen[count++] = i;
	return count;
}

static int toy_round(struct session *session, struct question *question, struct error *err)
{
	size_t i = (size_t)(question - session->questions);
	(void)err;
	toy.order[strlen(toy.order)] = (char)('0' + i);
	toy.rounds[i]++;
	question->runs++;
	script_pass(1);
	return ROUND_KEPT;
}

static size_t toy_cpus(const struct session *session, const int **cpus, bool *bound)
{
	(void)session;
	*cpus = NULL;
	*bound = false;
	return 0;
}

static int toy_finish(struct session *session, int status, struct error *err)
{
	(void)err;
	session->result->elapsed = session_elapsed(session);
	return status;
}

static void toy_close(struct session *session)
{
	(void)session;
}

static const struct instrument toy_instrument = {
	.generations = 1,
	.open = toy_open,
	.learn = toy_learn,
	.next = toy_next,
	.round = toy_round,
	.cpus = toy_cpus,
	.finish = toy_finish,
	.close = toy_close,
	.now = toy_now,
	.cancelled = toy_cancelled,
};

static void play_toy(struct play *play, struct toy what)
{
	toy = what;
	play_init(play, 2);
	play->experiment.design = "shuffled";
	play_run(play, &toy_instrument);
}

static void what_is_answered_leaves_its_time_to_others(void **state)
{
	(void)state;
	struct play play;
	play_toy(&play, (struct toy){.enough = {2, 5}});
	assert_int_equal(play.status, 0);
	assert_string_equal(toy.order, "0101111");
	/* The reason of the whole is the least good one. */
	assert_string_equal(play.result.stopped.reason, "verdict");
	assert_int_equal(play.result.stopped.checks, 7);
	assert_int_equal(play.saved, 7);
	play_end(&play);
}

static void the_time_ends_what_is_open(void **state)
{
	(void)state;
	struct play play;
	play_toy(&play, (struct toy){.enough = {2, 0}});
	assert_int_equal(toy.rounds[0], 2);
	assert_int_equal(toy.rounds[1], 8); /* ten rounds of a second fit into 10.5 s */
	assert_string_equal(play.result.stopped.reason, "budget");
	assert_close(play.result.elapsed, 10, 1e-9);
	play_end(&play);
}

static void an_interrupt_comes_before_the_next_look(void **state)
{
	(void)state;
	struct play play;
	play_toy(&play, (struct toy){.interrupts = true});
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_INTERRUPTED);
	assert_string_equal(play.result.stopped.reason, "interrupted");
	assert_int_equal(toy.looks, 2);
	assert_int_equal(play.saved, 3);
	play_end(&play);
}

static void a_fixed_count_asks_no_rule(void **state)
{
	(void)state;
	struct play play;
	toy = (struct toy){.enough = {1, 1}};
	play_init(&play, 2);
	play_fixed(&play, 3);
	play_run(&play, &toy_instrument);
	assert_int_equal(toy.looks, 0);
	assert_int_equal(toy.rounds[0], 3);
	assert_int_equal(toy.rounds[1], 3);
	assert_string_equal(play.result.stopped.reason, "count");
	play_end(&play);
}

/* ---- solo ---- */

static void what_the_first_of_a_solo_leaves_is_for_the_second(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "solo";
	play.experiment.max_time = INT64_C(4000000000);
	play.script.actors[1].noise = 0.5; /* never precise */
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.stopped.reason, "budget");
	/* The first is precise after some tenths of a second: nearly all of the 4 s are for the second. */
	assert_true(play_metric(&play, 0, "wall")->series.n < 20);
	assert_true(play_metric(&play, 1, "wall")->series.n > 130);
	assert_string_equal(play.last.subject, "b");
	play_end(&play);
}

/* ---- orders ---- */

static void kept_orders_do_not_depend_on_trial_runs(void **state)
{
	(void)state;
	struct play few, many;
	play_init(&few, 2);
	play_init(&many, 2);
	play_fixed(&few, 12);
	play_fixed(&many, 12);
	few.experiment.warmup = 0;
	many.experiment.warmup = 7;
	play_run(&few, &instrument_commands);
	play_run(&many, &instrument_commands);
	assert_int_equal(few.result.design.order_count, 12);
	for (size_t i = 0; i < 12; i++)
		assert_string_equal(few.result.design.order[i], many.result.design.order[i]);
	play_end(&few);
	play_end(&many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_answered_leaves_its_time_to_others),
		cmocka_unit_test(the_time_ends_what_is_open),
		cmocka_unit_test(an_interrupt_comes_before_the_next_look),
		cmocka_unit_test(a_fixed_count_asks_no_rule),
		cmocka_unit_test(what_the_first_of_a_solo_leaves_is_for_the_second),
		cmocka_unit_test(kept_orders_do_not_depend_on_trial_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
