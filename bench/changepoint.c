/* What the change-point searches cost, and what they gain over plain binary segmentation.
 *
 * Goals: 10⁶ values under 2 s on one CPU; from 10⁴ to 10⁶ no worse than n log n (150 times); 200 histories of 1000
 * values under 5 s. Then 200 series of 300 values of each kind, searched by edivisive and by plain binary segmentation
 * (largest split of the means, noise from the differences, the same critical values): how many have a false change, and
 * how many of the true ones are found within two places. */
#include "bench/figure.h"
#include "base/random.h"
#include "stats/edivisive.h"
#include "stats/edm.h"
#include "stats/quantile.h"
#include "stats/split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 1000000, SERIES = 200, LENGTH = 300, TOLERANCE = 2 };

static double *x, *room;

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum kind { WHITE, AUTOREGRESSION, STEPS, TAILS, BUMP, KINDS };

static const char *const names[KINDS] = {"white noise", "AR(0.5)", "steps of 3 sd", "t3 noise, step of 3",
                                         "bump of 10 values, 5 sd"};

/* The changes of a kind in n values; returns how many. */
static size_t truth(enum kind kind, size_t n, size_t *places)
{
	size_t count = 0;
	if (kind == STEPS)
		for (size_t k = 1; k < 6; k++)
			places[count++] = k * n / 6;
	if (kind == TAILS)
		places[count++] = n / 3;
	if (kind == BUMP) {
		places[count++] = n / 2;
		places[count++] = n / 2 + 10;
	}
	return count;
}

static void make(enum kind kind, size_t n, struct random *random)
{
	static const double height[KINDS] = {0, 0, 3, 3, 5};
	size_t places[8], count = truth(kind, n, places), passed = 0;
	double value = 0;
	for (size_t i = 0; i < n; i++) {
		double a = random_normal(random), noise = a;
		if (kind == AUTOREGRESSION)
			noise = value = 0.5 * value + a;
		if (kind == TAILS) {
			double b = random_normal(random), c = random_normal(random), d = random_normal(random);
			noise = a / sqrt((b * b + c * c + d * d) / 3);
		}
		while (passed < count && places[passed] <= i)
			passed++;
		x[i] = 100 + noise + (passed % 2 ? height[kind] : 0);
	}
}

static double time_edm(size_t n)
{
	struct edm edm;
	double start = seconds();
	if (edm_find(x, n, &EDM_DEFAULTS, &edm) != STATS_OK)
		exit(1);
	double spent = seconds() - start;
	edm_release(&edm);
	return spent;
}

static double time_edivisive(size_t n)
{
	struct edivisive history;
	double start = seconds();
	if (edivisive_find(x, n, &EDIVISIVE_DEFAULTS, &history) != STATS_OK)
		exit(1);
	double spent = seconds() - start;
	edivisive_release(&history);
	return spent;
}

static int time_lengths(const char *name, double (*time_one)(size_t n), enum kind kind)
{
	static const size_t lengths[] = {10000, 100000, LONGEST};
	double spent[3];
	for (size_t k = 0; k < 3; k++) {
		struct random random;
		random_seed(&random, 1);
		make(kind, lengths[k], &random);
		spent[k] = INFINITY;
		for (int round = 0; round < 3; round++)
			spent[k] = fmin(spent[k], time_one(lengths[k]));
	}
	double ratio = spent[2] / spent[0], n_log_n = 100 * log(1e6) / log(1e4);
	bool met = spent[2] < 2 && ratio < n_log_n;
	printf("%-10s %-14s 10^4 %7.4f s, 10^5 %6.3f s, 10^6 %5.2f s (goal 2): %3.0f times (n log n: %.0f)%s\n", name,
	       names[kind], spent[0], spent[1], spent[2], ratio, n_log_n, met ? "" : "  MISSED");
	char what[80];
	snprintf(what, sizeof(what), "change points in 10^6 points, %s, %s", name, names[kind]);
	figure(what, "s", NULL, NAN, spent[2], "under 2, n log n", met);
	return !met;
}

static int time_suite(void)
{
	struct random random;
	random_seed(&random, 2);
	double spent = 0;
	for (size_t s = 0; s < SERIES; s++) {
		make(STEPS, 1000, &random);
		spent += time_edivisive(1000);
	}
	printf("%d histories of 1000 values: %.2f s (goal 5)%s\n", SERIES, spent, spent < 5 ? "" : "  MISSED");
	return spent >= 5;
}

/* Plain binary segmentation of [from, to); places in ascending order. */
static size_t segment(size_t from, size_t to, double deviation, double critical, size_t *places)
{
	double sum = 0, before = 0, best = 0;
	size_t place = from, length = to - from;
	for (size_t i = from; i < to; i++)
		sum += x[i];
	for (size_t t = 1; t < length; t++) {
		before += x[from + t - 1];
		double left = (double)t, right = (double)(length - t);
		double z = fabs(before / left - (sum - before) / right) * sqrt(left * right / (double)length) / deviation;
		if (t >= 5 && length - t >= 5 && z > best) {
			best = z;
			place = from + t;
		}
	}
	if (best <= critical)
		return 0;
	size_t count = segment(from, place, deviation, critical, places);
	places[count] = place;
	return count + 1 + segment(place, to, deviation, critical, places + count + 1);
}

static size_t find_plainly(size_t *places)
{
	for (size_t i = 0; i + 1 < LENGTH; i++)
		room[i] = fabs(x[i + 1] - x[i]);
	double deviation = 1.4826 * median_in_place(room, LENGTH - 1) / M_SQRT2;
	return segment(0, LENGTH, deviation, split_critical(LENGTH, 5, 0.01), places);
}

static size_t find_edivisive(size_t *places)
{
	struct edivisive history;
	if (edivisive_find(x, LENGTH, &EDIVISIVE_DEFAULTS, &history) != STATS_OK)
		exit(1);
	size_t count = history.count;
	for (size_t k = 0; k < count; k++)
		places[k] = history.changes[k].at;
	edivisive_release(&history);
	return count;
}

static bool is_near(const size_t *places, size_t count, size_t place)
{
	for (size_t k = 0; k < count; k++)
		if (places[k] + TOLERANCE >= place && places[k] <= place + TOLERANCE)
			return true;
	return false;
}

struct score {
	size_t found, wrong; /* true changes found; series with a change that is none */
};

static void judge(const size_t *places, size_t count, const size_t *wanted, size_t wanted_count, struct score *score)
{
	bool wrong = false;
	for (size_t k = 0; k < wanted_count; k++)
		score->found += is_near(places, count, wanted[k]);
	for (size_t k = 0; k < count; k++)
		wrong |= !is_near(wanted, wanted_count, places[k]);
	score->wrong += wrong;
}

static void compare(enum kind kind)
{
	static size_t places[LENGTH];
	size_t wanted[8], count = truth(kind, LENGTH, wanted);
	struct score ours = {0}, plain = {0};
	struct random random;
	random_seed(&random, 3);
	for (size_t s = 0; s < SERIES; s++) {
		make(kind, LENGTH, &random);
		judge(places, find_edivisive(places), wanted, count, &ours);
		judge(places, find_plainly(places), wanted, count, &plain);
	}
	printf("%-24s %5.1f %5.1f", names[kind], 100. * (double)ours.wrong / SERIES, 100. * (double)plain.wrong / SERIES);
	if (count > 0)
		printf("   %5.1f %5.1f", 100. * (double)ours.found / (double)(SERIES * count),
		       100. * (double)plain.found / (double)(SERIES * count));
	printf("\n");
}

int main(void)
{
	int missed = 0;
	x = malloc(LONGEST * sizeof(*x));
	room = malloc(LENGTH * sizeof(*room));
	if (!x || !room)
		return 1;
	for (int kind = WHITE; kind <= STEPS; kind++) {
		missed |= time_lengths("edm", time_edm, (enum kind)kind);
		missed |= time_lengths("edivisive", time_edivisive, (enum kind)kind);
	}
	missed |= time_suite();
	printf("%d series of %d values, per cent\n%-24s %-13s  %s\n%-24s %5s %5s   %5s %5s\n", SERIES, LENGTH, "",
	       "wrong series", "changes found", "", "ours", "plain", "ours", "plain");
	for (int kind = WHITE; kind < KINDS; kind++)
		compare((enum kind)kind);
	free(x);
	free(room);
	return missed;
}
