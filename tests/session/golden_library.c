/* Sessions of libtare, with a workload that takes its time from the script's clock. */
#include "session/golden.h"
#include "tare/tare.h"

#include <math.h>

struct load {
	double noise, time;
	size_t fails_at, calls; /* from 1; 0: never */
	size_t units;           /* unit readings in a unit of work */
};

static int work_load(struct tare_round *round, void *context)
{
	struct load *load = context;
	double work = tare_round_work(round), amount = work > 0 ? work : 1;
	script_pass((0.02 + load->time * amount) * script_draw(load->noise));
	if (++load->calls == load->fails_at)
		return 1;
	if (load->units == 0)
		return tare_round_reading(round, 0, 100 * script_draw(load->noise)) != TARE_OK;
	size_t n = (size_t)((double)load->units * amount);
	for (size_t i = 0; i < n && tare_round_wants_units(round); i++)
		if (tare_round_unit(round, 0, (10 * i < n ? 3 : 1) * script_draw(load->noise)) != TARE_OK)
			return 1;
	return !tare_round_wants_units(round) && n > 0 ? tare_round_unit(round, 0, 1) != TARE_OK : 0;
}

static void tell(struct tare_session *session, enum tare_status status, struct buffer *out)
{
	struct tare_estimate e = {0};
	struct tare_line line = {0};
	double seconds = NAN, low = NAN, high = NAN;
	buffer_printf(out, "status %d after %zu rounds at %.6f\n", (int)status, tare_session_rounds(session), script_now());
	buffer_printf(out, "enough %d, missing %.12g rounds, %.12g s\n", tare_session_enough(session),
	              tare_session_missing_rounds(session), tare_session_missing_seconds(session));
	int known = (int)tare_session_estimate(session, 0, &e);
	buffer_printf(out,
	              "estimate %d: %.12g [%.12g, %.12g] level %.12g, %zu of %zu, r %.12g, merged %zu, missing %.12g, %s\n",
	              known, e.mean, e.low, e.high, e.level, e.used, e.rounds, e.autocorrelation, e.subsession, e.missing,
	              e.waits_for ? e.waits_for : "-");
	known = (int)tare_session_line(session, &line);
	buffer_printf(out, "line %d: %.12g [%.12g, %.12g] alpha %.12g [%.12g, %.12g], %zu of %zu, %s\n", known, line.speed,
	              line.speed_low, line.speed_high, line.alpha, line.alpha_low, line.alpha_high, line.used, line.rounds,
	              line.refused ? line.refused : "-");
	known = (int)tare_session_predict(session, 1000, 0.95, &seconds, &low, &high);
	buffer_printf(out, "predict %d: %.12g [%.12g, %.12g]\n", known, seconds, low, high);
	for (size_t round = 0, from, to; round < 3; round++)
		if (tare_session_phase(session, 0, round, &from, &to) == TARE_OK)
			buffer_printf(out, "phase %zu: %zu to %zu\n", round, from, to);
	tare_session_free(session);
}

static struct tare_session *open_session(enum tare_preset preset, struct tare_pi pi)
{
	struct tare_session *session = tare_session_new();
	tare_session_preset(session, preset);
	if (pi.name)
		tare_session_add_pi(session, &pi, NULL);
	return session;
}

void library_readings(struct buffer *out)
{
	struct load load = {.noise = 0.02, .time = 0.1};
	struct tare_session *session = open_session(TARE_QUICK, (struct tare_pi){.name = "rate", .unit = "MB/s"});
	tell(session, tare_session_run(session, work_load, &load), out);
}

void library_units(struct buffer *out)
{
	struct load load = {.noise = 0.05, .time = 0.1, .units = 60};
	struct tare_session *session = open_session(TARE_NORMAL, (struct tare_pi){.name = "lag", .unit = "ms", .units = 1});
	tell(session, tare_session_run(session, work_load, &load), out);
}

void library_work(struct buffer *out)
{
	struct load load = {.noise = 0.01, .time = 0.05};
	struct tare_session *session = open_session(TARE_QUICK, (struct tare_pi){.name = "rate", .unit = "MB/s"});
	tare_session_work(session, 1, 1000, 0.5);
	tell(session, tare_session_run(session, work_load, &load), out);
}

void library_work_of_units(struct buffer *out)
{
	struct load load = {.noise = 0.05, .time = 0.05, .units = 3};
	struct tare_session *session = open_session(TARE_QUICK, (struct tare_pi){.name = "lag", .unit = "ms", .units = 1});
	tare_session_work(session, 1, 1000, 0.5);
	tell(session, tare_session_run(session, work_load, &load), out);
}

void library_limit(struct buffer *out)
{
	struct load load = {.noise = 0.9, .time = 0.1};
	struct tare_session *session = open_session(TARE_STRICT, (struct tare_pi){.name = "rate", .unit = "MB/s"});
	tare_session_limit(session, 5, 0);
	tell(session, tare_session_run(session, work_load, &load), out);
	load.calls = 0;
	session = open_session(TARE_STRICT, (struct tare_pi){.name = "rate", .unit = "MB/s"});
	tare_session_limit(session, 0, 17);
	tell(session, tare_session_run(session, work_load, &load), out);
}

void library_failure(struct buffer *out)
{
	struct load load = {.noise = 0.2, .time = 0.1, .fails_at = 9};
	struct tare_session *session = open_session(TARE_NORMAL, (struct tare_pi){.name = "rate", .unit = "MB/s"});
	tell(session, tare_session_run(session, work_load, &load), out);
}

/* The caller's own loop: every third round is not kept, and it says itself how long they took. */
void library_by_hand(struct buffer *out)
{
	struct tare_session *session = open_session(TARE_QUICK, (struct tare_pi){.name = "x", .unit = "s", .width = 0.1});
	enum tare_status status = TARE_OK;
	for (int i = 0; i < 40 && status == TARE_OK && !tare_session_enough(session); i++) {
		struct tare_round *round;
		status = tare_session_begin(session, &round);
		script_pass(0.3);
		tare_round_reading(round, 0, script_draw(0.1));
		tare_round_seconds(round, 0.25);
		status = tare_session_end(session, round, i % 3 != 2);
	}
	tell(session, status, out);
}

void library_overhead(struct buffer *out)
{
	struct load load = {.noise = 0.02, .time = 0.1, .units = 20};
	struct tare_session *session = open_session(TARE_QUICK, (struct tare_pi){.name = "lag", .unit = "ms", .units = 1});
	struct tare_ratio ratio = {0};
	int status = (int)tare_session_overhead(session, work_load, &load, 12, &ratio);
	buffer_printf(out, "overhead %d: %.12g [%.12g, %.12g] of %zu\n", status, ratio.ratio, ratio.low, ratio.high,
	              ratio.pairs);
	tell(session, tare_session_run(session, work_load, &load), out);
}
