#include "builds/child.h"

#include "host/file.h"
#include "host/search.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

extern char **environ;

/* A handler has no other way to know whom to tell; tare cc runs one compiler and ends. */
static volatile sig_atomic_t running_child;

static void pass_on(int signal)
{
	if (running_child > 0)
		kill((pid_t)running_child, signal);
}

int child_become(const struct host *host, const char *path, const char *const *argv, const char *const *env,
                 struct error *err)
{
	/* tare ignores it; what is ignored survives execve. */
	struct sigaction usual = {.sa_handler = SIG_DFL};
	host->sys->sigaction(SIGXFSZ, &usual, NULL);
	host->sys->execve(path, (char *const *)(uintptr_t)argv, env ? (char *const *)(uintptr_t)env : environ);
	return search_explain(host, path, errno, err);
}

static _Noreturn void answer(const struct host *host, const char *path, const char *const *argv, int to)
{
	int nowhere = host->sys->open("/dev/null", O_RDWR | O_CLOEXEC, 0);
	if (host->sys->dup2(nowhere, 0) == 0 && host->sys->dup2(to, 1) == 1 && host->sys->dup2(nowhere, 2) == 2)
		child_become(host, path, argv, NULL, NULL);
	_exit(127);
}

static int wait_for(const struct host *host, pid_t child, int *status, struct error *err)
{
	while (host->sys->wait4(child, status, 0, NULL) < 0)
		if (errno != EINTR)
			return error_system(err, errno, "cannot wait for a program");
	return 0;
}

int child_ask(const struct host *host, const char *path, const char *const *argv, struct buffer *out, struct error *err)
{
	int ends[2], status;
	char piece[4096];
	long n;
	buffer_clear(out);
	if (host->sys->pipe2(ends, O_CLOEXEC) != 0)
		return error_system(err, errno, "cannot make a pipe");
	pid_t child = host->sys->fork();
	if (child == 0)
		answer(host, path, argv, ends[1]);
	int errnum = errno;
	host->sys->close(ends[1]);
	while (child > 0 && (n = file_read(host->sys, ends[0], piece, sizeof(piece), NULL)) > 0)
		buffer_add(out, piece, (size_t)n);
	host->sys->close(ends[0]);
	if (child < 0)
		return error_system(err, errnum, "cannot make a process");
	if (wait_for(host, child, &status, err) != 0 || buffer_error(out, err) != 0)
		return -1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return error_full(err, ERROR_SYSTEM, path, NULL, "killed by signal %d", WTERMSIG(status));
}

int child_run(const struct host *host, const char *path, const char *const *argv, const char *const *env, int *status,
              struct error *err)
{
	static const int passed[] = {SIGTERM, SIGHUP}, left[] = {SIGINT, SIGQUIT};
	struct sigaction passing = {.sa_handler = pass_on}, ignoring = {.sa_handler = SIG_IGN}, old[4];
	sigset_t held, mask;
	/* The child is told nothing before it is known, and keeps the signals as they were. */
	sigemptyset(&held);
	for (int i = 0; i < 2; i++) {
		sigaddset(&held, passed[i]);
		sigaddset(&held, left[i]);
	}
	host->sys->sigprocmask(SIG_BLOCK, &held, &mask);
	pid_t child = host->sys->fork();
	if (child == 0) {
		host->sys->sigprocmask(SIG_SETMASK, &mask, NULL);
		child_become(host, path, argv, env, NULL);
		_exit(127);
	}
	if (child < 0) {
		int errnum = errno;
		host->sys->sigprocmask(SIG_SETMASK, &mask, NULL);
		return error_system(err, errnum, "cannot make a process");
	}
	running_child = (sig_atomic_t)child;
	for (int i = 0; i < 2; i++) {
		host->sys->sigaction(passed[i], &passing, &old[i]);
		host->sys->sigaction(left[i], &ignoring, &old[2 + i]);
	}
	host->sys->sigprocmask(SIG_SETMASK, &mask, NULL);
	int result = wait_for(host, child, status, err);
	running_child = 0;
	for (int i = 0; i < 2; i++) {
		host->sys->sigaction(passed[i], &old[i], NULL);
		host->sys->sigaction(left[i], &old[2 + i], NULL);
	}
	return result;
}

int child_end_like(const struct host *host, int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	struct sigaction usual = {.sa_handler = SIG_DFL};
	host->sys->sigaction(WTERMSIG(status), &usual, NULL);
	host->sys->kill(getpid(), WTERMSIG(status));
	return 128 + WTERMSIG(status);
}
