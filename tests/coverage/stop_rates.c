/* Stop rules on generated suites with known truth: what each saves, how far off it ends, whether its interval holds.
 * `make replay`; the tables in docs/methods.md are this program's.
 *
 * usage: stop-rates [-n benchmarks of each kind] [-s seed] [-o] [-b]    (-b: lines for the table of `make bench`, too)
 * Every benchmark is measured twice, independently, so that A against A is a real comparison. Time is counted in
 * iterations, one more for starting a run, and held against the paper's fixed plan of 5 runs of 100. Exit code 1 when a
 * claim of docs/methods.md is broken by more than two simulation errors. */
#include "base/parallel.h"
#include "bench/figure.h"
#include "coverage/stop_suites.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rates_rule rules[] = {
	{"cv", true},        {"kld", true},        {"rciw", true},     {"rciw+kld", false}, {"cv@0.003", false},
	{"cv@0.03", false},  {"rciw@0.06", false}, {"auto@1%", true},  {"auto@1.5%", true}, {"auto@2%", true},
	{"auto@3%", true},   {"auto@4%", true},    {"auto@5%", true},  {"auto@7%", true},   {"auto@10%", true},
	{"auto@12%", true},  {"auto@15%", true},   {"auto@20%", true}, {"auto@30%", true},  {"auto@50%", true},
	{"auto@100%", true},
};
enum { RULES = sizeof(rules) / sizeof(rules[0]), CV = 0, KLD = 1, RCIW = 2, FIRST_AUTO = 7 };

static double percent(double fraction)
{
	return 100 * fraction;
}

static void print_rows(const struct rates *all)
{
	printf(
		"| rule | time saved | mean error | median | error <1 / 2 / 3 %% | ours holds (95 %%) | theirs holds (99 %%) | A/A equal (99 %%) | "
		"± | warm-up | runs | warm | stable |\n");
	printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t k = 0; k < RULES; k++) {
		const struct rates *r = &all[k];
		printf("| `%s` | %.1f %% | %.2f %% | %.2f %% | %.0f / %.0f / %.0f %% | %.1f %% | ", rules[k].name,
		       percent(rates_saved(r)), percent(rates_error(r)), percent(rates_median(r)),
		       percent(rates_under(r, 0.01)), percent(rates_under(r, 0.02)), percent(rates_under(r, 0.03)),
		       percent(rates_held(r)));
		if (k < FIRST_AUTO && rules[k].twice)
			printf("%.1f %% | ", percent(rates_theirs(r)));
		else
			printf("- | ");
		if (rules[k].twice)
			printf("%.1f %% | %.1f %% | ", percent(rates_equal(r)), percent(rates_width(r)));
		else
			printf("- | - | ");
		printf("%.1f | %.1f | %.0f %% | %.0f %% |\n", rates_warmup(r), rates_runs(r), percent(rates_warm(r)),
		       percent(rates_stable(r)));
	}
}

static void print_kinds(const struct rates *kinds)
{
	static const size_t shown[] = {CV, KLD, RCIW, FIRST_AUTO, FIRST_AUTO + 3, FIRST_AUTO + 5, FIRST_AUTO + 7};
	enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };
	printf("\nMean error / time saved / ours holds, by kind:\n\n| |");
	for (size_t i = 0; i < SHOWN; i++)
		printf(" `%s` |", rules[shown[i]].name);
	printf("\n|---|");
	for (size_t i = 0; i < SHOWN; i++)
		printf("---|");
	printf("\n");
	for (int kind = 0; kind < SUITE_KINDS; kind++) {
		printf("| %s |", suite_kind_name((enum suite_kind)kind));
		for (size_t i = 0; i < SHOWN; i++) {
			const struct rates *r = &kinds[(size_t)kind * RULES + shown[i]];
			printf(" %.2f / %.0f / %.0f %% |", percent(rates_error(r)), percent(rates_saved(r)),
			       percent(rates_held(r)));
		}
		printf("\n");
	}
}

/* auto's error at a saving, or its saving at an error, between the targets beside it (log error over saving). */
static double error_at_saving(const struct rates *all, double saving)
{
	for (size_t k = FIRST_AUTO; k + 1 < RULES; k++) {
		double a = rates_saved(&all[k]), b = rates_saved(&all[k + 1]);
		if (a <= saving && saving <= b) {
			double share = b > a ? (saving - a) / (b - a) : 0;
			return rates_error(&all[k]) * pow(rates_error(&all[k + 1]) / rates_error(&all[k]), share);
		}
	}
	return NAN;
}

static double saving_at_error(const struct rates *all, double error)
{
	for (size_t k = RULES - 1; k > FIRST_AUTO; k--) {
		double a = rates_error(&all[k]), b = rates_error(&all[k - 1]);
		if (b <= error && error <= a) {
			double share = a > b ? log(error / b) / log(a / b) : 0;
			return rates_saved(&all[k - 1]) + share * (rates_saved(&all[k]) - rates_saved(&all[k - 1]));
		}
	}
	return NAN;
}

static int broken;

static void claim(bool holds, const char *text)
{
	printf("%s: %s\n", holds ? "holds" : "BROKEN", text);
	broken |= !holds;
}

static void print_figures(const struct rates *all)
{
	double own_error = error_at_saving(all, rates_saved(&all[CV])),
		   own_saved = saving_at_error(all, rates_error(&all[RCIW]));
	char what[100];
	snprintf(what, sizeof(what), "stop rules: mean error at the time that cv takes (%.1f %% saved)",
	         percent(rates_saved(&all[CV])));
	figure(what, "%", "cv of Laaber et al.", percent(rates_error(&all[CV])), percent(own_error), "less",
	       own_error < rates_error(&all[CV]));
	snprintf(what, sizeof(what), "stop rules: time at the mean error of rciw (%.2f %%)",
	         percent(rates_error(&all[RCIW])));
	figure(what, "% of the fixed plan", "rciw of Laaber et al.", percent(1 - rates_saved(&all[RCIW])),
	       percent(1 - own_saved), "less", own_saved > rates_saved(&all[RCIW]));
}

/* `own`: tare's rule at its targets. */
static void check_own(const struct rates *own, size_t count)
{
	char text[300];
	for (size_t k = 0; k < count; k++) {
		double error = 2 * sqrt(0.05 * 0.95 / (double)own[k].n), held = rates_held(&own[k]),
			   equal = rates_equal(&own[k]);
		const char *name = rules[FIRST_AUTO + k].name;
		if (equal < 0.95) {
			snprintf(text, sizeof(text), "A/A equal in 95 %% with %s: %.1f %%", name, percent(equal));
			claim(false, text);
		}
		snprintf(text, sizeof(text), "intervals of %s hold 95 %% within two simulation errors (%.1f): %.1f %%", name,
		         percent(error), percent(held));
		claim(held >= 0.95 - error, text);
	}
}

static void check_claims(const struct rates *all)
{
	char text[300];
	double cv_error = rates_error(&all[CV]), own_error = error_at_saving(all, rates_saved(&all[CV]));
	double rciw_saved = rates_saved(&all[RCIW]), own_saved = saving_at_error(all, rates_error(&all[RCIW]));
	printf("\n");
	claim(cv_error > rates_error(&all[KLD]) && rates_error(&all[KLD]) > rates_error(&all[RCIW]) &&
	          rates_saved(&all[CV]) > rates_saved(&all[KLD]) && rates_saved(&all[KLD]) > rciw_saved,
	      "cv, kld, rciw in the paper's order: less time saved, less error");
	snprintf(text, sizeof(text), "at cv's saving of %.1f %% auto's error is %.2f %%, cv's %.2f %%",
	         percent(rates_saved(&all[CV])), percent(own_error), percent(cv_error));
	claim(own_error < cv_error, text);
	snprintf(text, sizeof(text), "at rciw's error of %.2f %% auto saves %.1f %%, rciw %.1f %%",
	         percent(rates_error(&all[RCIW])), percent(own_saved), percent(rciw_saved));
	claim(own_saved > rciw_saved, text);
	check_own(all + FIRST_AUTO, RULES - FIRST_AUTO);
	claim(rates_theirs(&all[CV]) < 0.9 && rates_theirs(&all[KLD]) < 0.9,
	      "cv's and kld's own intervals hold less than 90 % instead of 99 %");
}

static void print_holds(const char *name, const struct rates *targets, size_t count)
{
	printf("| %s |", name);
	for (size_t k = 0; k < count; k++)
		printf(" %.1f %% |", percent(rates_held(&targets[k])));
	printf("\n");
}

/* tare's own rule alone, in seconds: how often its intervals hold, over many benchmarks; for trying constants too, on
 * other seeds than those that are reported. */
static int print_own(size_t each, uint64_t seed, const struct suite_shape *shape)
{
	enum { OWN = RULES - FIRST_AUTO };
	struct rates *kinds = calloc((size_t)SUITE_KINDS * OWN, sizeof(*kinds)), all[OWN] = {{0}};
	if (!kinds || !rates_run(rules + FIRST_AUTO, OWN, each, seed, shape, kinds))
		return 2;
	for (size_t i = 0; i < (size_t)SUITE_KINDS * OWN; i++)
		if (!rates_join(&all[i % OWN], &kinds[i]))
			return 2;
	printf("auto alone, %d kinds of %zu benchmarks, seed %llu\n\n", SUITE_KINDS, each, (unsigned long long)seed);
	for (size_t k = 0; k < OWN; k++)
		printf("%-10s saved %5.1f %% error %.2f %% median %.2f %% holds %.1f %% equal %.1f %% warm-up %.1f runs %.1f\n",
		       rules[FIRST_AUTO + k].name, percent(rates_saved(&all[k])), percent(rates_error(&all[k])),
		       percent(rates_median(&all[k])), percent(rates_held(&all[k])), percent(rates_equal(&all[k])),
		       rates_warmup(&all[k]), rates_runs(&all[k]));
	printf("\n| holds (95 %%) |");
	for (size_t k = 0; k < OWN; k++)
		printf(" %s |", rules[FIRST_AUTO + k].name + 5);
	printf("\n|---|");
	for (size_t k = 0; k < OWN; k++)
		printf("---|");
	printf("\n");
	for (int kind = 0; kind < SUITE_KINDS; kind++)
		print_holds(suite_kind_name((enum suite_kind)kind), &kinds[(size_t)kind * OWN], OWN);
	print_holds("all", all, OWN);
	printf("\n");
	check_own(all, OWN);
	return broken;
}

int main(int argc, char **argv)
{
	size_t each = 20;
	uint64_t seed = 20261116;
	bool own = false, figures = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-o") == 0)
			own = true;
		else if (strcmp(argv[i], "-b") == 0)
			figures = true;
		else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
			each = (size_t)atoi(argv[++i]);
		else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
			seed = (uint64_t)atoll(argv[++i]);
	}
	gsl_set_error_handler_off();
	struct rates *kinds = calloc((size_t)SUITE_KINDS * RULES, sizeof(*kinds)), all[RULES] = {{0}};
	const struct suite_shape shape = {20, 100, 10};
	if (own)
		return print_own(each, seed, &shape);
	if (!kinds || !rates_run(rules, RULES, each, seed, &shape, kinds)) {
		fprintf(stderr, "stop-rates: out of memory\n");
		return 2;
	}
	for (int kind = 0; kind < SUITE_KINDS; kind++)
		for (size_t k = 0; k < RULES; k++)
			if (!rates_join(&all[k], &kinds[(size_t)kind * RULES + k]))
				return 2;
	printf("%d kinds of %zu benchmarks, 20 runs of 100 iterations of 10 invocations, seed %llu\n\n", SUITE_KINDS, each,
	       (unsigned long long)seed);
	print_rows(all);
	print_kinds(kinds);
	check_claims(all);
	if (figures)
		print_figures(all);
	return broken;
}
