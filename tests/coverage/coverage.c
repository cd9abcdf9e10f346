/* Prints how often the default intervals and verdicts are wrong, shape by shape. `make coverage`.
 *
 * usage: coverage [-n replications] [-s seed] [-j processes] [-c file]
 * With -c each cell is written to the file as it ends, and those that this very program wrote there for the same seed
 * and number are not simulated again: what was broken off goes on. Once the table is printed the file is removed.
 * Exit code 1 when a claim is broken by more than two simulation errors. */
#include "coverage/simulate.h"

#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CELLS = 2000, MOST_COLUMNS = 8 };

static const double alphas[] = {0.05, 0.01};

static const struct {
	enum plan plan;
	const char *title;
	bool strict; /* at 1 % alone */
	size_t runs[MOST_COLUMNS];
} plans[] = {
	{PLAN_PAIRED, "ratio of R pairs of runs, A against A: coverage", false, {5, 10, 30}},
	{PLAN_UNPAIRED, "ratio of R runs each, unpaired, A against A: coverage", false, {5, 10, 30}},
	{PLAN_PRECISION, "precision stop, pairs of runs from R on, A against A: coverage", false, {5, 10}},
	{PLAN_UNEQUAL, "verdict without pairs, R runs against 30, A against A: false alarms", false, {5}},
	{PLAN_LOOK, "verdict, one look at R pairs, A against A: false alarms", true, {5, 10, 30, 99, 100, 300, 1000, 2000}},
	{PLAN_LOOK, "the same at 95 %", false, {10, 100}},
	{PLAN_LIVE, "verdict stop, looks from 6 to R pairs, A against A: false alarms", true, {30, 60, 120, 300, 2000}},
	{PLAN_PHASES,
     "verdict stop after ten pairs with a quarter of the level, up to R pairs, A against A: false alarms",
     true,
     {300}},
	{PLAN_RUNS,
     "verdict stop, looks from 6 to R pairs of runs of 20 iterations, A against A: false alarms",
     true,
     {30, 100}},
	{PLAN_MARGIN,
     "verdict, one look at R pairs, true difference 1 % = margin: false \"same\"",
     true,
     {30, 100, 300, 2000}},
	{PLAN_MARGIN_LIVE,
     "verdict stop, looks from 6 to R pairs, true difference 1 % = margin: false \"same\"",
     true,
     {2000}},
	{PLAN_TAIL,
     "one look at R pairs, 5/R of new's runs (1 % at least) cost 5 margins: false \"same\" of scope total",
     true,
     {100, 300, 1000, 2000}},
	{PLAN_POWER,
     "one look at R pairs, true difference 2.5 %: called faster (and per cent called slower)",
     true,
     {10, 50, 99, 100, 200, 500, 1000, 2000}},
	{PLAN_SUITE_EQUAL,
     "suites of 10, verdict stop up to R pairs each, A against A: suites with a false call (and with intervals that agree)",
     true,
     {30}},
	{PLAN_SUITE_LOOK,
     "suites of 10, one look at R pairs each, every third changed: false calls among the called (and as above)",
     true,
     {30}},
	{PLAN_SUITE_LIVE,
     "suites of 10, verdict stop up to R pairs each, every third changed: false calls among the called (and as above)",
     true,
     {30}},
	{PLAN_MEAN,
     "mean of one system, t over R runs: coverage (nothing is claimed for skewed shapes)",
     false,
     {5, 10, 30}},
};

struct shared {
	atomic_size_t next, done;
	uint64_t program;       /* key of this program in the file */
	bool known[MOST_CELLS]; /* read from the file */
	struct outcome outcomes[MOST_CELLS];
};

static size_t list_cells(struct cell *cells)
{
	size_t n = 0;
	for (size_t p = 0; p < sizeof(plans) / sizeof(plans[0]); p++)
		for (size_t r = 0; r < MOST_COLUMNS && plans[p].runs[r]; r++)
			for (size_t a = plans[p].strict; a < 2; a++)
				for (int f = 0; f < FAMILY_COUNT; f++)
					cells[n++] = (struct cell){plans[p].plan, (enum family)f, plans[p].runs[r], alphas[a]};
	return n;
}

/* Dear cells first, so that no process is left alone with one at the end. */
static size_t cell_at(size_t place, size_t n)
{
	return n - 1 - place;
}

/* FNV-1a of the program's own bytes: what is linked into it decides the numbers. */
static bool hash_program(uint64_t *key)
{
	FILE *file = fopen("/proc/self/exe", "rb");
	if (!file)
		return false;
	*key = UINT64_C(0xcbf29ce484222325);
	for (int byte; (byte = getc(file)) != EOF;)
		*key = (*key ^ (uint64_t)byte) * UINT64_C(0x100000001b3);
	bool good = !ferror(file);
	fclose(file);
	return good;
}

/* One line a cell: program, seed, replications, plan, family, runs, alpha; wrong, decided, mean runs. Lines of other
 * programs, and those that are not whole, are passed over. */
static void read_known(struct shared *shared, const struct cell *cells, size_t n, size_t replications, uint64_t seed,
                       const char *path)
{
	FILE *file = fopen(path, "r");
	char line[200];
	unsigned long long program, of;
	size_t count, runs, decided;
	int plan, family, end = 0;
	double alpha, wrong, mean;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %llu %zu %d %d %zu %lf %lf %zu %lf%n", &program, &of, &count, &plan, &family, &runs,
		           &alpha, &wrong, &decided, &mean, &end) != 10 ||
		    line[end] != '\n' || program != shared->program || of != seed || count != replications)
			continue;
		for (size_t i = 0; i < n; i++) {
			if ((int)cells[i].plan != plan || (int)cells[i].family != family || cells[i].runs != runs ||
			    cells[i].alpha != alpha)
				continue;
			shared->outcomes[i] = (struct outcome){count, wrong, decided, mean};
			shared->known[i] = true;
		}
	}
	if (file)
		fclose(file);
}

/* A line is written at once, so that processes do not mix theirs. */
static void keep(int file, uint64_t program, const struct cell *cell, const struct outcome *o, uint64_t seed)
{
	char line[200];
	int length = snprintf(line, sizeof(line), "%016llx %llu %zu %d %d %zu %.17g %.17g %zu %.17g\n",
	                      (unsigned long long)program, (unsigned long long)seed, o->replications, (int)cell->plan,
	                      (int)cell->family, cell->runs, cell->alpha, o->wrong, o->decided, o->runs);
	if (file >= 0 && write(file, line, (size_t)length) != length)
		perror("coverage: the file of finished cells");
}

static void work(struct shared *shared, const struct cell *cells, size_t n, size_t replications, uint64_t seed,
                 int file)
{
	for (size_t place; (place = atomic_fetch_add(&shared->next, 1)) < n;) {
		size_t i = cell_at(place, n);
		if (!shared->known[i]) {
			shared->outcomes[i] = simulate(&cells[i], replications, seed);
			keep(file, shared->program, &cells[i], &shared->outcomes[i], seed);
		}
		size_t done = atomic_fetch_add(&shared->done, 1) + 1;
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\rcoverage: %zu of %zu cells%s", done, n, done == n ? "\n" : "");
		else if (done % ((n + 9) / 10) == 0)
			fprintf(stderr, "coverage: %zu of %zu cells\n", done, n);
	}
}

static int run_all(struct shared *shared, const struct cell *cells, size_t n, size_t replications, uint64_t seed,
                   int file, long processes)
{
	pid_t children[64];
	long started = 0;
	int failed = 0;
	for (; started < processes && started < 64; started++) {
		children[started] = fork();
		if (children[started] == 0) {
			work(shared, cells, n, replications, seed, file);
			_exit(0);
		}
		if (children[started] < 0)
			break;
	}
	if (started == 0)
		work(shared, cells, n, replications, seed, file);
	for (long i = 0; i < started; i++) {
		int status;
		if (waitpid(children[i], &status, 0) < 0 || status != 0)
			failed = 1;
	}
	return failed;
}

static const struct outcome *find(const struct shared *shared, const struct cell *cells, size_t n, struct cell wanted)
{
	for (size_t i = 0; i < n; i++)
		if (cells[i].plan == wanted.plan && cells[i].family == wanted.family && cells[i].runs == wanted.runs &&
		    cells[i].alpha == wanted.alpha)
			return &shared->outcomes[i];
	abort();
}

static bool is_interval(enum plan plan)
{
	return plan == PLAN_MEAN || plan == PLAN_UNPAIRED || plan == PLAN_PAIRED || plan == PLAN_PRECISION;
}

static bool stops_by_itself(enum plan plan)
{
	return plan != PLAN_PAIRED && plan != PLAN_UNPAIRED && plan != PLAN_MEAN && plan != PLAN_UNEQUAL;
}

static int print_cell(const struct cell *cell, const struct outcome *outcome)
{
	bool broken = breaks_claim(cell, outcome);
	double wrong = 100 * outcome->wrong / (double)outcome->replications;
	printf("%11.2f%c", is_interval(cell->plan) ? 100 - wrong : wrong, broken ? '*' : ' ');
	if (stops_by_itself(cell->plan))
		printf("%5.1f%4.0f", outcome->runs, 100 * (double)outcome->decided / (double)outcome->replications);
	return broken;
}

static void print_heading(const size_t *runs, double alpha, bool stops)
{
	char text[32];
	snprintf(text, sizeof(text), "R=%zu, %.0f %%", *runs, 100 * (1 - alpha));
	printf(stops ? "%-11s%10s" : "%s%12s", "", text);
}

static int print_table(const struct shared *shared, const struct cell *cells, size_t n, size_t replications)
{
	int broken = 0;
	printf(
		"In per cent of %zu experiments each. Simulation error: %.2f at 5 or 95 %%, %.2f at 1 or 99 %%. * breaks its claim\n"
		"by more than two simulation errors (claims: coverage at least nominal - 0.5 points, false verdicts at most nominal).\n"
		"Where a rule stops: also the mean number of runs or pairs, and per cent of experiments that stopped by themselves.\n"
		"Of verdicts: also the mean number of pairs, and per cent with the right verdict (same, or slower).\n",
		replications, 100 * simulation_error(0.05, replications), 100 * simulation_error(0.01, replications));
	for (size_t p = 0; p < sizeof(plans) / sizeof(plans[0]); p++) {
		bool stops = stops_by_itself(plans[p].plan);
		printf("\n%s\n%-16s", plans[p].title, "");
		for (size_t r = 0; r < MOST_COLUMNS && plans[p].runs[r]; r++)
			for (size_t a = plans[p].strict; a < 2; a++)
				print_heading(&plans[p].runs[r], alphas[a], stops);
		printf("\n");
		for (int f = 0; f < FAMILY_COUNT; f++) {
			printf("%-16s", family_name((enum family)f));
			for (size_t r = 0; r < MOST_COLUMNS && plans[p].runs[r]; r++)
				for (size_t a = plans[p].strict; a < 2; a++) {
					struct cell cell = {plans[p].plan, (enum family)f, plans[p].runs[r], alphas[a]};
					broken += print_cell(&cell, find(shared, cells, n, cell));
				}
			printf("\n");
		}
	}
	if (broken)
		printf("\n%d of %zu cells break their claim\n", broken, n);
	else
		printf("\nall claims hold\n");
	return broken;
}

static long number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);
	if (*text == '\0' || *end != '\0' || value < 1) {
		fprintf(stderr, "coverage: '%s' is not a number above 0\n", text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	long replications = 10000, seed = 1, processes = sysconf(_SC_NPROCESSORS_ONLN);
	const char *path = NULL;
	for (int option; (option = getopt(argc, argv, "n:s:j:c:")) != -1;) {
		if (option == '?')
			return 2;
		if (option == 'c')
			path = optarg;
		else
			*(option == 'n' ? &replications : option == 's' ? &seed : &processes) = number(optarg);
	}
	gsl_set_error_handler_off();
	struct cell cells[MOST_CELLS];
	size_t n = list_cells(cells);
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		perror("coverage: mmap");
		return 1;
	}
	int file = -1;
	if (path) {
		if (!hash_program(&shared->program)) {
			perror("coverage: /proc/self/exe");
			return 1;
		}
		read_known(shared, cells, n, (size_t)replications, (uint64_t)seed, path);
		file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (file < 0) {
			perror(path);
			return 1;
		}
	}
	if (run_all(shared, cells, n, (size_t)replications, (uint64_t)seed, file, processes) != 0) {
		fprintf(stderr, "coverage: a process failed\n");
		return 1;
	}
	int broken = print_table(shared, cells, n, (size_t)replications);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("coverage: the table");
		return 1;
	}
	if (path && unlink(path) != 0)
		perror(path);
	return broken > 0;
}
