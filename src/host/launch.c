/* vfork, a few calls, execve. */
#include "host/launch.h"

#include "host/clock.h"
#include "host/proc.h"

#include <errno.h>
#include <sys/prctl.h>

enum {
	ATTEMPTS = 4,
	PAUSE = 20000000,  /* ns */
	AT_ONCE = 50000,   /* ns in which the accounts at the start are read, by a thread that keeps its CPU */
	READINGS_MOST = 4, /* of these accounts */
};

/* The accounts and the instant at which they were read: where the thread lost its CPU in between, its waiting would be
 * charged to a program that had not begun. */
__attribute__((no_sanitize("address", "undefined"))) static void read_accounts(struct launch *launch)
{
	struct proc_schedstat scheduled;
	for (int reading = 0; reading < READINGS_MOST; reading++) {
		int64_t before = clock_now(launch->host);
		launch->start_delay = proc_schedstat_self(launch->host, &scheduled) == 0 ? scheduled.delay : -1;
		launch->start_cpu = clock_thread_cpu(launch->host);
		launch->executed = clock_now(launch->host);
		if (launch->executed - before < AT_ONCE)
			return;
	}
}

/* Runs in the new process, on its own stack but in the starter's memory; the starter stands still.
 * The sanitizers must keep out: they know one stack only. */
__attribute__((no_sanitize("address", "undefined"))) static int enter_program(void *argument)
{
	struct launch *launch = argument;
	const struct syscalls *sys = launch->host->sys;
	/* The starter may have been killed before the request to die with it took effect. */
	if (sys->setpgid(0, 0) != 0 || sys->prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		goto failed;
	if (sys->getppid() != launch->starter) {
		errno = ESRCH;
		goto failed;
	}
	if (sys->sigprocmask(SIG_SETMASK, launch->mask, NULL) != 0)
		goto failed;
	read_accounts(launch);
	launch->stage = START_PROGRAM;
	sys->execve(launch->path, launch->argv, launch->env);
failed:
	launch->errnum = errno ? errno : EIO;
	return 127; /* clone() makes this the exit status */
}

int launch_start(struct launch *launch)
{
	const struct syscalls *sys = launch->host->sys;
	launch->errnum = 0;
	launch->stage = START_PROCESS;
	launch->start_delay = -1;
	launch->executed = launch->start_cpu = 0;
	for (int attempt = 1;; attempt++) {
		launch->asked = clock_now(launch->host);
		launch->pid = sys->clone_vfork(enter_program, (char *)launch->stack + LAUNCH_STACK, launch);
		if (launch->pid >= 0)
			break;
		launch->errnum = errno;
		/* The limit of processes may be reached for a moment only. */
		if (launch->errnum != EAGAIN || attempt == ATTEMPTS)
			return -1;
		struct timespec pause = {.tv_nsec = PAUSE};
		sys->ppoll(NULL, 0, &pause, NULL);
		launch->errnum = 0;
	}
	/* Killed by someone on its way to the program: it has started, and its end will say how. */
	if (launch->errnum == 0 && launch->stage == START_PROCESS)
		launch->executed = clock_now(launch->host);
	if (launch->errnum == 0)
		return 0;
	while (sys->wait4(launch->pid, NULL, 0, NULL) < 0 && errno == EINTR)
		;
	return -1;
}
