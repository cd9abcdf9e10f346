#include "warmups.h"

#include "base/random.h"
#include "stats/critical.h"
#include "stats/onset.h"
#include "stats/summary.h"

#include <math.h>

static const double sd = 0.01, run_sd = 0.005, precision = 0.01;
static const double correlations[WARMUPS_NOISES] = {0, 0.3, 0.6, 0.9};
static const char *const names[WARMUPS_KINDS] = {
	"nothing to cut", "one step",          "one large step",   "two steps",
	"slow-down",      "exponential curve", "hyperbolic curve", "straight ramp",
};

/* What one benchmark is: levels relative to the steady one, with the places where they end; or a curve. */
struct shape {
	enum warmups_kind kind;
	size_t first, second;
	double high, higher, time;
	size_t right; /* the first steady iteration */
};

double warmups_correlation(size_t noise)
{
	return correlations[noise];
}

static double between(struct random *random, double low, double high)
{
	return low + (high - low) * random_uniform(random);
}

static struct shape draw_shape(enum warmups_kind kind, double rho, struct random *random)
{
	double batch = sd * sqrt((1 + rho) / (1 - rho) / 20), step = batch * between(random, 5, 20);
	struct shape shape = {.kind = kind};
	size_t place = (size_t)between(random, 5, 701);
	switch (kind) {
	case WARMUPS_STEP: shape.high = step; break;
	case WARMUPS_LARGE: shape.high = between(random, 0.5, 9); break;
	case WARMUPS_SLOWDOWN: shape.high = -fmin(step, 0.9); break;
	case WARMUPS_TWO_STEPS:
		shape.high = step;
		shape.higher = step + batch * between(random, 5, 20);
		shape.second = (size_t)((double)place * between(random, 0.3, 0.7));
		break;
	case WARMUPS_CURVE:
		shape.high = between(random, 0.1, 1);
		shape.time = between(random, 10, 120);
		place = (size_t)ceil(shape.time * log(shape.high / (precision / 2)));
		break;
	case WARMUPS_SLOW_CURVE:
		shape.high = between(random, 0.1, 0.5);
		shape.time = between(random, 0.02, 1) * 700 / (shape.high / (precision / 2) - 1);
		place = (size_t)ceil(shape.time * (shape.high / (precision / 2) - 1));
		break;
	case WARMUPS_RAMP:
		shape.high = between(random, 0.1, 1);
		shape.time = between(random, 20, 700);
		place = (size_t)ceil(shape.time * (1 - precision / 2 / shape.high));
		break;
	default: place = 0; break;
	}
	shape.first = shape.right = place;
	return shape;
}

static double excess(const struct shape *shape, size_t i)
{
	switch (shape->kind) {
	case WARMUPS_CURVE: return shape->high * exp(-(double)i / shape->time);
	case WARMUPS_SLOW_CURVE: return shape->high / (1 + (double)i / shape->time);
	case WARMUPS_RAMP: return shape->high * fmax(0, 1 - (double)i / shape->time);
	default: return i < shape->second ? shape->higher : i < shape->first ? shape->high : 0;
	}
}

static void make_run(const struct shape *shape, double rho, struct random *random, double *x)
{
	double level = 1 + run_sd * random_normal(random), noise = sd * random_normal(random);
	for (size_t i = 0; i < WARMUPS_LENGTH; i++) {
		x[i] = level * (1 + excess(shape, i) + noise);
		if (random_uniform(random) < 0.01)
			x[i] *= 1 + 0.5 * random_uniform(random);
		noise = rho * noise + sd * sqrt(1 - rho * rho) * random_normal(random);
	}
}

static bool is_right(size_t from, size_t right)
{
	size_t off = from > right ? from - right : right - from;
	return off <= 3 || off * 50 <= WARMUPS_LENGTH;
}

void warmups_count(enum warmups_kind kind, size_t noise, int benchmarks, uint64_t seed, struct warmups_count *out)
{
	double rho = correlations[noise];
	struct onset_options options = {.precision = precision};
	struct random random;
	random_stream(&random, seed, (unsigned)(kind * WARMUPS_NOISES + noise));
	*out = (struct warmups_count){.name = names[kind]};
	for (int b = 0; b < benchmarks; b++) {
		struct shape shape = draw_shape(kind, rho, &random);
		struct running means = {0}, rest = {0};
		for (size_t i = shape.right; i < WARMUPS_LENGTH; i++)
			running_add(&rest, excess(&shape, i));
		double truth = (1 + running_mean(&rest)) * (1 + 0.01 * 0.25); /* with the slower iterations */
		out->bound += shape.time > 0 ? warmups_bound(kind, shape.high, shape.time, precision / 2, sd, rho) : 1;
		for (size_t r = 0; r < WARMUPS_RUNS; r++) {
			double x[WARMUPS_LENGTH];
			struct onset found = {0};
			struct running steady = {0};
			make_run(&shape, rho, &random, x);
			if (onset_find(x, WARMUPS_LENGTH, &options, &found) != STATS_OK)
				continue;
			out->runs++;
			out->right += is_right(found.from, shape.right);
			out->cut += (double)found.from / WARMUPS_LENGTH;
			running_add_all(&steady, x + found.from, WARMUPS_LENGTH - found.from);
			running_add(&means, running_mean(&steady));
		}
		double half = critical_t(0.05, WARMUPS_RUNS - 1) * sqrt(running_variance(&means) / WARMUPS_RUNS);
		out->means++;
		out->held += fabs(running_mean(&means) - truth) <= half;
	}
	out->cut /= out->runs;
	out->bound /= benchmarks;
}
