/* The search for the rate of a monitor, which this file plays. */
#include "session/scripted.h"

/* A monitor that costs two thousandths of the time for each of its ten samples a second, by the script's clock. */
static struct {
	bool is_there, runs;
	double rate, kept_rate;
} monitor;

int watch_open(const struct experiment *experiment, int generations, struct watch **out, struct error *err)
{
	static char nobody;
	(void)experiment;
	(void)generations;
	(void)err;
	*out = monitor.is_there ? (struct watch *)(void *)&nobody : NULL;
	return 0;
}

void watch_close(struct watch *watch)
{
	(void)watch;
}

int watch_learn(struct watch *watch, struct error *err)
{
	(void)watch;
	(void)err;
	return 0;
}

int watch_learnt(struct watch *watch, struct error *err)
{
	(void)watch;
	(void)err;
	return 0;
}

int watch_begin(struct watch *watch, const int *cpus, size_t count, bool bound, double rate, struct error *err)
{
	(void)watch;
	(void)cpus;
	(void)count;
	(void)bound;
	(void)rate;
	(void)err;
	return 0;
}

bool watch_beside(const struct watch *watch)
{
	return watch != NULL;
}

bool watch_apart(const struct watch *watch)
{
	(void)watch;
	return false;
}

void watch_trial_begins(struct watch *watch)
{
	(void)watch;
}

void watch_trial_ends(struct watch *watch, double used, double waited)
{
	(void)watch;
	(void)used;
	(void)waited;
}

int watch_round(struct watch *watch, struct error *err)
{
	(void)watch;
	(void)err;
	return 0;
}

void watch_pause(struct watch *watch)
{
	(void)watch;
	monitor.runs = false;
}

int watch_resume(struct watch *watch, double rate, struct error *err)
{
	(void)watch;
	(void)err;
	monitor.runs = true;
	monitor.rate = rate;
	return 0;
}

int watch_again(struct watch *watch, double rate, struct error *err)
{
	(void)watch;
	(void)err;
	monitor.kept_rate = rate;
	return 0;
}

double watch_cost(const struct watch *watch)
{
	(void)watch;
	return 0.0002;
}

int watch_end(struct watch *watch, struct result *result, struct error *err)
{
	(void)watch;
	(void)result;
	(void)err;
	return 0;
}

static size_t unkept_rounds;

static int unkept(struct session *session, struct question *question, double *seconds, struct error *err)
{
	(void)session;
	(void)question;
	(void)err;
	*seconds = 0.02 * (1 + 0.001 * scripted_noise(unkept_rounds++, 0) + (monitor.runs ? 0.0002 * monitor.rate : 0));
	script_pass(*seconds);
	return 0;
}

/* The scripted instrument with rounds that are not kept. */
static void find_rate_until(struct play *play, double rate, double overhead, double budget, const char *stop_in)
{
	struct instrument instrument = instrument_scripted;
	struct scripted scripted = {.rule = &rule_precision, .design = DESIGN_SOLO, .seconds = 0.02, .budget = budget};
	struct session_observer observer;
	play_init(play, 1);
	play_fixed(play, 3);
	play->stop_in = stop_in;
	play->experiment.monitor.rate = rate;
	play->experiment.monitor.overhead = overhead;
	play->experiment.max_time = (int64_t)(budget * 1e9);
	observer = play_observer(play);
	instrument.unkept = unkept;
	struct session session = {.experiment = &play->experiment,
	                          .instrument = &instrument,
	                          .observer = &observer,
	                          .result = &play->result,
	                          .cancel = -1,
	                          .caller = &scripted};
	unkept_rounds = 0;
	script_begin(&play->script);
	play->status = session_play(&session, &play->missing, &play->err);
}

static void find_rate(struct play *play, double rate, double overhead, double budget)
{
	find_rate_until(play, rate, overhead, budget, NULL);
}

static void without_a_monitor_no_round_is_spent(void **state)
{
	(void)state;
	struct play play;
	monitor.is_there = false;
	find_rate(&play, 0, 0.01, 100);
	assert_int_equal(play.status, 0);
	assert_int_equal(unkept_rounds, 0);
	play_end(&play);
}

static void the_rate_is_the_highest_that_is_cheap_enough(void **state)
{
	(void)state;
	struct play play;
	monitor.is_there = true;
	find_rate(&play, 0, 0.01, 100);
	assert_int_equal(play.status, 0);
	assert_close(monitor.kept_rate, 0.01 / 0.0002, 0.2); /* 50 a second cost a hundredth */
	const struct monitoring *found = &play.result.monitoring;
	assert_true(found->overhead_low <= 0.0002 * monitor.kept_rate &&
	            0.0002 * monitor.kept_rate <= found->overhead_high);
	assert_int_equal(play_metric(&play, 0, "cpu")->series.n, 3); /* nothing of it was kept */
	play_end(&play);
}

static void the_overhead_of_a_rate_that_was_asked_for_is_told(void **state)
{
	(void)state;
	struct play play;
	monitor.is_there = true;
	find_rate(&play, 100, 0.01, 100);
	assert_close(monitor.kept_rate, 100, 1e-12);
	assert_close(play.result.monitoring.overhead, 0.02, 0.05);
	play_end(&play);
}

static void where_there_is_no_time_that_is_said(void **state)
{
	(void)state;
	struct play play;
	monitor.is_there = true;
	find_rate(&play, 100, 0.01, 1);
	assert_int_equal(play.status, 0);
	assert_true(isnan(play.result.monitoring.overhead));
	assert_non_null(play.result.monitoring.overhead_why);
	play_end(&play);
}

static void it_ends_when_the_user_wants_no_more(void **state)
{
	(void)state;
	struct play play;
	monitor.is_there = true;
	find_rate_until(&play, 0, 0.01, 100, "finding the rate");
	assert_int_equal(play.status, 0);
	assert_int_equal(play.told_since, 1); /* the round that is kept */
	assert_string_equal(play.result.stopped.reason, "stopped");
	assert_int_equal(play_metric(&play, 0, "cpu")->series.n, 1);
	assert_non_null(strstr(play.result.monitoring.overhead_why, "stopped"));
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_monitor_no_round_is_spent),
		cmocka_unit_test(the_rate_is_the_highest_that_is_cheap_enough),
		cmocka_unit_test(the_overhead_of_a_rate_that_was_asked_for_is_told),
		cmocka_unit_test(where_there_is_no_time_that_is_said),
		cmocka_unit_test(it_ends_when_the_user_wants_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
