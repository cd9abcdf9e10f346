/* The loop alone: rounds, time, interrupts, progress. */
#include "session/scripted.h"

#include <stdlib.h>

/* ---- two questions; a round of each takes a second ---- */

static size_t enough[2]; /* rounds after which the rule has enough; 0: never */
static size_t looks, fed;

static int count_feed(struct session *session, struct question *question, struct error *err)
{
	(void)session;
	(void)err;
	fed += question->runs > 0;
	return 0;
}

static int count_look(struct session *session, struct question *question, struct error *err)
{
	size_t i = (size_t)(question - session->questions);
	(void)err;
	looks++;
	session->checks++;
	if (enough[i] && question->runs >= enough[i])
		question->end = i == 0 ? SESSION_PRECISE : SESSION_DECIDED;
	return 0;
}

static const struct rule rule_counts = {.feed = count_feed, .look = count_look};

/* One side each, in no pairs: what is concluded is beside the point here. */
static void begin(struct play *play, struct scripted *scripted, size_t first, size_t second)
{
	play_init(play, 1);
	*scripted = (struct scripted){.questions = 2, .rule = &rule_counts, .design = DESIGN_SHUFFLED, .budget = 10.5};
	enough[0] = first;
	enough[1] = second;
	looks = fed = 0;
}

static void what_is_answered_leaves_its_time_to_others(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted;
	begin(&play, &scripted, 2, 5);
	play_scripted(&play, &scripted);
	assert_int_equal(play.status, 0);
	assert_string_equal(scripted.log, "0101111");
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
	struct scripted scripted;
	begin(&play, &scripted, 2, 0);
	play_scripted(&play, &scripted);
	assert_int_equal(scripted.rounds[0], 2);
	assert_int_equal(scripted.rounds[1], 8); /* ten rounds of a second fit into 10.5 s */
	assert_string_equal(play.result.stopped.reason, "budget");
	assert_close(play.result.elapsed, 10, 1e-9);
	play_end(&play);
}

static void an_interrupt_comes_before_the_next_look(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted;
	begin(&play, &scripted, 0, 0);
	scripted.cancel_after = 3;
	play_scripted(&play, &scripted);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_INTERRUPTED);
	assert_string_equal(play.result.stopped.reason, "interrupted");
	assert_int_equal(looks, 2);
	assert_int_equal(fed, 3); /* what was measured is not lost */
	assert_int_equal(play.saved, 3);
	play_end(&play);
}

static void a_fixed_count_asks_no_rule(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted;
	begin(&play, &scripted, 1, 1);
	play_fixed(&play, 3);
	play_scripted(&play, &scripted);
	assert_int_equal(looks, 0);
	assert_int_equal(scripted.rounds[0], 3);
	assert_int_equal(scripted.rounds[1], 3);
	assert_string_equal(play.result.stopped.reason, "count");
	play_end(&play);
}

static double every_second_fails(size_t question, size_t side, size_t round)
{
	(void)question;
	(void)side;
	return round % 2 ? NAN : 1;
}

static void a_lost_round_is_kept_and_looked_at_but_not_fed(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted;
	begin(&play, &scripted, 4, 4);
	scripted.value = every_second_fails;
	play_scripted(&play, &scripted);
	assert_int_equal(scripted.all_rounds, 8);
	assert_int_equal(looks, 8);
	assert_int_equal(fed, 4);
	assert_int_equal(play.saved, 8);
	play_end(&play);
}

static void a_round_that_fails_ends_it_unless_the_time_cut_it_off(void **state)
{
	(void)state;
	for (int cut_off = 0; cut_off < 2; cut_off++) {
		struct play play;
		struct scripted scripted;
		begin(&play, &scripted, 0, 0);
		scripted.fails_at = 5;
		scripted.cut_off = cut_off;
		play_scripted(&play, &scripted);
		assert_int_equal(play.status, cut_off ? 0 : -1);
		assert_string_equal(play.result.stopped.reason, cut_off ? "budget" : "failed");
		assert_int_equal(scripted.all_rounds, 5);
		assert_int_equal(scripted.ended, 1);
		play_end(&play);
	}
	/* With nothing measured there is nothing to tell. */
	struct play play;
	struct scripted scripted;
	begin(&play, &scripted, 0, 0);
	scripted.fails_at = 1;
	scripted.cut_off = true;
	play_scripted(&play, &scripted);
	assert_int_equal(play.status, -1);
	play_end(&play);
}

static bool after_four(void *context)
{
	return ((struct play *)context)->saved >= 4;
}

static void the_user_may_want_no_more(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted;
	begin(&play, &scripted, 0, 0);
	struct session_observer observer = play_observer(&play);
	observer.enough = after_four;
	struct session session = {.experiment = &play.experiment,
	                          .instrument = &instrument_scripted,
	                          .observer = &observer,
	                          .result = &play.result,
	                          .cancel = -1,
	                          .caller = &scripted};
	script_begin(&play.script);
	assert_int_equal(session_play(&session, &play.missing, &play.err), 0);
	assert_int_equal(scripted.all_rounds, 4);
	assert_string_equal(play.result.stopped.reason, "stopped");
	play_end(&play);
}

/* ---- the forecast of the remaining time ---- */

static double left[100], rest[100];
static size_t told;

static void remember(void *context, const struct session_progress *now)
{
	(void)context;
	if (strcmp(now->phase, "measuring") != 0 || told == 100)
		return;
	rest[told] = now->budget - now->elapsed;
	left[told++] = now->left;
}

static void play_left(struct play *play, const char *design, size_t runs)
{
	struct session_observer observer = {.context = play, .progress = remember};
	told = 0;
	play_fixed(play, runs);
	play->experiment.design = design;
	script_begin(&play->script);
	assert_int_equal(session_run(&instrument_commands, &play->experiment, NULL, -1, &observer, &play->result,
	                             &play->missing, &play->err),
	                 0);
}

/* Something is left until the last run of all, less and less of it. */
static void check_left(size_t runs)
{
	assert_int_equal(told, runs);
	for (size_t i = 0; i < runs; i++)
		assert_true(i + 1 < runs ? left[i] > 0 : left[i] == 0);
	assert_true(left[0] > left[runs / 2]);
}

static void what_is_left_of_a_count(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play_left(&play, "shuffled", 12);
	check_left(12);
	assert_close(left[5], 6 * 0.04, 0.1); /* six rounds of two commands of 20 ms */
	play_end(&play);
	play_init(&play, 2);
	play_left(&play, "solo", 5);
	check_left(10);
	play_end(&play);
	play_init(&play, 2);
	play.experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 64, .unit = "", .shortest = 1000};
	play.subjects[0].command = play.subjects[1].command = "./a {work}";
	play_left(&play, "auto", 12);
	assert_int_equal(told, 24);
	assert_true(left[0] > 0 && left[22] > 0 && left[23] == 0);
	play_end(&play);
}

static void a_time_beside_a_count_is_the_most_that_is_left(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.max_time = INT64_C(2000000000);
	play_left(&play, "shuffled", 1000000);
	assert_true(told > 10);
	for (size_t i = 0; i < told; i++)
		assert_close(left[i], fmax(rest[i], 0), 1e-9);
	play_end(&play);
}

/* ---- orders ---- */

static void an_order_is_drawn_once(void **state)
{
	(void)state;
	struct play play;
	struct session session = {.experiment = &play.experiment, .result = &play.result, .sides = 3};
	size_t first[3];
	play_init(&play, 3);
	play.result.design.paired = true;
	assert_int_equal(schedule_init(&session.schedule, 3, 7, &play.err), 0);
	const size_t *drawn = session_order(&session, 4, &play.err);
	assert_non_null(drawn);
	memcpy(first, drawn, sizeof(first));
	assert_int_equal(session.order_count, 5);
	assert_int_equal(play.result.design.order_count, 5);
	assert_memory_equal(session_order(&session, 4, &play.err), first, sizeof(first));
	static const size_t measured[] = {2, 0, 1};
	assert_int_equal(session_add_order(&session, measured, &play.err), 0);
	assert_memory_equal(session_order(&session, 5, &play.err), measured, sizeof(measured));
	free(session.orders);
	schedule_release(&session.schedule);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_answered_leaves_its_time_to_others),
		cmocka_unit_test(the_time_ends_what_is_open),
		cmocka_unit_test(an_interrupt_comes_before_the_next_look),
		cmocka_unit_test(a_fixed_count_asks_no_rule),
		cmocka_unit_test(a_lost_round_is_kept_and_looked_at_but_not_fed),
		cmocka_unit_test(a_round_that_fails_ends_it_unless_the_time_cut_it_off),
		cmocka_unit_test(the_user_may_want_no_more),
		cmocka_unit_test(what_is_left_of_a_count),
		cmocka_unit_test(a_time_beside_a_count_is_the_most_that_is_left),
		cmocka_unit_test(an_order_is_drawn_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
