/* How fast does the disk take data? Every megabyte is a unit of work and gives a unit reading, its rate; tare chooses
 * how many megabytes a round writes, leaves out warm-up and cool-down, and says when it knows enough.
 *
 * usage: writer FILE [SECONDS] */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tare/tare.h>
#include <time.h>
#include <unistd.h>

static char block[1 << 20];

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int write_round(struct tare_round *round, void *context)
{
	int fd = open((const char *)context, O_WRONLY | O_CREAT | O_TRUNC, 0600), failed = fd < 0;
	for (double done = 0; done < tare_round_work(round) && !failed; done++) {
		double before = now();
		failed = write(fd, block, sizeof(block)) != (ssize_t)sizeof(block) || fdatasync(fd) != 0;
		if (!failed && tare_round_wants_units(round))
			failed = tare_round_unit(round, 0, 1.048576 / (now() - before)) != TARE_OK;
	}
	if (fd >= 0)
		close(fd);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE [SECONDS]\n", argv[0]);
		return 2;
	}
	memset(block, 'x', sizeof(block));
	struct tare_pi rate;
	memset(&rate, 0, sizeof(rate));
	rate.name = "rate";
	rate.unit = "MB/s";
	rate.mean = TARE_HARMONIC;
	rate.units = 1;
	struct tare_session *session = tare_session_new();
	tare_session_preset(session, TARE_QUICK);
	tare_session_add_pi(session, &rate, NULL);
	tare_session_work(session, 8, 4096, 0);
	tare_session_limit(session, argc > 2 ? atof(argv[2]) : 60, 0);
	enum tare_status status = tare_session_run(session, write_round, argv[1]);
	struct tare_estimate e;
	enum tare_status known = tare_session_estimate(session, 0, &e);
	if (known == TARE_OK || known == TARE_UNBOUNDED) /* the interval of few rounds may have no upper end */
		printf("%.4g MB/s, %.4g to %.4g at %.0f %%, %zu rounds (%s)\n", e.mean, e.low, e.high, 100 * e.level, e.rounds,
		       tare_status_text(status));
	else
		printf("no rate in MB/s yet after %zu rounds: %s\n", tare_session_rounds(session), tare_status_text(known));
	struct tare_ratio cost;
	if (tare_session_overhead(session, write_round, argv[1], 4, &cost) == TARE_OK)
		printf("unit readings cost %+.1f %% of the time (%+.1f to %+.1f)\n", 100 * (cost.ratio - 1),
		       100 * (cost.low - 1), 100 * (cost.high - 1));
	unlink(argv[1]);
	tare_session_free(session);
	return status != TARE_OK && status != TARE_LIMIT;
}
