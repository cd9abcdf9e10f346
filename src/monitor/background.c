/* A thread that samples at a period. It shares nothing with the caller but the marks of trials, which are atomic: the
 * gauges are its own until monitor_rest(). */
#include "monitor/internal.h"

#include "host/clock.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>

/* Waits until `deadline`; true: it is to stop. */
static bool told_to_stop(const struct monitor *monitor, int64_t deadline)
{
	struct pollfd fd = {monitor->stop, POLLIN, 0};
	for (;;) {
		struct timespec left = clock_left(clock_now(monitor->host), deadline);
		int ready = monitor->host->sys->ppoll(&fd, 1, &left, NULL);
		if (ready > 0 || (ready < 0 && errno != EINTR))
			return true;
		if (ready == 0)
			return false;
	}
}

static void *work(void *argument)
{
	struct monitor *monitor = argument;
	if (monitor->has_cpus)
		cpuset_pin(monitor->host, 0, &monitor->cpus, NULL);
	/* In the middle of the first period: in any time there are as many samples as periods. */
	int64_t next = clock_now(monitor->host) + monitor->period / 2;
	while (!told_to_stop(monitor, next)) {
		monitor_sample(monitor, false);
		next += monitor->period;
		/* A sample that took longer than the period leaves others out, it does not pile them up. */
		int64_t now = clock_now(monitor->host);
		if (next < now) {
			monitor->late += (size_t)((now - next) / monitor->period) + 1;
			next = now + monitor->period;
		}
	}
	return NULL;
}

int monitor_run(struct monitor *monitor, const struct cpuset *cpus, struct error *err)
{
	sigset_t all, before;
	monitor->has_cpus = cpus != NULL;
	if (cpus)
		monitor->cpus = *cpus;
	monitor->stop = monitor->host->sys->eventfd(0, EFD_CLOEXEC);
	if (monitor->stop < 0)
		return error_system(err, errno, "cannot make a thread that watches the machine");
	/* Signals are for the thread that measures. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	monitor->runs = true; /* before there is a thread that reads it */
	int status = pthread_create(&monitor->thread, NULL, work, monitor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (status != 0) {
		monitor->runs = false;
		monitor->host->sys->close(monitor->stop);
		monitor->stop = -1;
		return error_system(err, status, "cannot make a thread that watches the machine");
	}
	return 0;
}

void monitor_rest(struct monitor *monitor)
{
	uint64_t one = 1;
	if (!monitor->runs)
		return;
	/* An eventfd takes eight bytes or nothing; full it is readable already. */
	while (monitor->host->sys->write(monitor->stop, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(monitor->thread, NULL);
	monitor->host->sys->close(monitor->stop);
	monitor->stop = -1;
	monitor->runs = false;
}
