/* fork and execve, with the reason of a failure sent back through a pipe that a successful start closes. */
#include "host/program.h"

#include "base/memory.h"
#include "host/clock.h"
#include "host/leftover.h"
#include "host/search.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FDS_MAX = 4, FIRST_FREE = 16 /* above every descriptor that the program is given */ };

extern char **environ;

struct start {
	const struct host *host;
	const struct program_request *request;
	char **env;
	pid_t parent;
	int report; /* written in the new process */
};

enum stage { STAGE_FILES, STAGE_DIRECTORY, STAGE_CPUS, STAGE_PROGRAM };

struct start_failure {
	int32_t stage, errnum;
};

/* tare's own environment with the additions behind: NULL when out of memory. The strings stay where they are. */
static char **join_environment(const char *const *more)
{
	size_t count = 0, added = 0;
	while (environ[count])
		count++;
	while (more && more[added])
		added++;
	char **joined = mem_alloc(count + added + 1, sizeof(*joined));
	if (!joined)
		return NULL;
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		size_t name = strcspn(environ[i], "=") + 1;
		size_t k = 0;
		while (k < added && strncmp(more[k], environ[i], name) != 0)
			k++;
		if (k == added)
			joined[used++] = environ[i];
	}
	for (size_t k = 0; k < added; k++)
		joined[used++] = (char *)(uintptr_t)more[k];
	joined[used] = NULL;
	return joined;
}

/* A copy of a descriptor above those that the program is given. */
static int move_away(const struct syscalls *sys, int fd)
{
	int copy = sys->fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE);
	if (copy < 0 && errno == EINVAL)
		errno = EMFILE; /* the limit is below FIRST_FREE */
	return copy;
}

/* In the new process. All copies first go to numbers above those that are wanted, so that none overwrites another. */
static int arrange_files(const struct start *start)
{
	const struct syscalls *sys = start->host->sys;
	const struct program_request *request = start->request;
	int wanted[3 + FDS_MAX];
	size_t count = 3 + request->fd_count;
	wanted[0] = sys->open("/dev/null", O_RDONLY | O_CLOEXEC, 0);
	wanted[1] = request->out;
	wanted[2] = request->err;
	for (size_t i = 0; i < request->fd_count; i++)
		wanted[3 + i] = request->fds[i];
	for (size_t i = 0; i < count; i++)
		if (wanted[i] < 0 || (wanted[i] = move_away(sys, wanted[i])) < 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		if (sys->dup2(wanted[i], (int)i) < 0)
			return -1;
	return 0;
}

static void reset_signals(const struct start *start)
{
	sigset_t none;
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigemptyset(&none);
	start->host->sys->sigaction(SIGPIPE, &usual, NULL);
	start->host->sys->sigaction(SIGXFSZ, &usual, NULL);
	start->host->sys->sigprocmask(SIG_SETMASK, &none, NULL);
}

/* execve along PATH; returns only on failure, with the errno that says most. */
static void execute(const struct start *start)
{
	const struct syscalls *sys = start->host->sys;
	char *const *argv = (char *const *)(uintptr_t)start->request->argv;
	const char *path = NULL;
	int denied = 0;
	for (char **env = start->env; *env && !path; env++)
		path = strncmp(*env, "PATH=", 5) == 0 ? *env + 5 : NULL;
	if (strchr(argv[0], '/')) {
		sys->execve(argv[0], argv, start->env);
		return;
	}
	for (path = path ? path : "/usr/bin:/bin"; path; path = strchr(path, ':') ? strchr(path, ':') + 1 : NULL) {
		char file[4096];
		int length = (int)strcspn(path, ":");
		int used = snprintf(file, sizeof(file), "%.*s%s%s", length, path, length ? "/" : "./", argv[0]);
		if (used < 0 || (size_t)used >= sizeof(file))
			continue;
		sys->execve(file, argv, start->env);
		if (errno == EACCES)
			denied = 1;
		else if (errno != ENOENT && errno != ENOTDIR)
			return;
	}
	errno = denied ? EACCES : ENOENT;
}

static _Noreturn void run_child(struct start *start)
{
	const struct syscalls *sys = start->host->sys;
	const struct program_request *request = start->request;
	struct start_failure failure = {STAGE_FILES, 0};
	sys->setpgid(0, 0);
	sys->prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != start->parent)
		_exit(127); /* the parent died before the line above */
	int report = move_away(sys, start->report);
	reset_signals(start);
	if (report >= 0 && arrange_files(start) == 0) {
		failure.stage = STAGE_DIRECTORY;
		if (!request->directory || sys->chdir(request->directory) == 0) {
			struct error ignored;
			failure.stage = STAGE_CPUS;
			if (!request->cpus || cpuset_pin(start->host, 0, request->cpus, &ignored) == 0) {
				failure.stage = STAGE_PROGRAM;
				execute(start);
			} else if (ignored.errnum) {
				errno = ignored.errnum;
			}
		}
	}
	failure.errnum = errno;
	(void)!sys->write(report >= 0 ? report : start->report, &failure, sizeof(failure));
	_exit(127);
}

static int explain(const struct host *host, const struct program_request *request, const struct start_failure *failure,
                   struct error *err)
{
	static const char *const tried[] = {"cannot arrange its files", "cannot enter its working directory",
	                                    "cannot run it on the wanted CPUs"};
	char path[4096];
	const char *name = request->argv[0], *from = strchr(name, '/') && name[0] != '/' ? request->directory : NULL;
	if (failure->stage >= 0 && failure->stage < STAGE_PROGRAM) {
		error_system(err, failure->errnum, "%s", tried[failure->stage]);
		if (failure->stage == STAGE_FILES)
			error_next(err, failure->errnum == EMFILE ? "the limit of open files is reached (ulimit -n)"
			                                          : "it needs /dev/null");
		else if (failure->stage == STAGE_CPUS && (failure->errnum == EPERM || failure->errnum == ENOSYS))
			error_next(err, "the container forbids it (sched_setaffinity); --design shuffled does without");
	} else {
		snprintf(path, sizeof(path), "%s%s%s", from ? from : "", from ? "/" : "", name);
		search_explain(host, path, failure->errnum, err);
	}
	return error_on(err, "%s", name);
}

/* Waits for the end of the pipe: a start, or for its words: a failure. */
static int await_start(const struct host *host, int report, struct start_failure *failure)
{
	size_t got = 0;
	while (got < sizeof(*failure)) {
		ssize_t n = host->sys->read(report, (char *)failure + got, sizeof(*failure) - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return got == sizeof(*failure) ? -1 : 0;
}

static int finish_start(const struct host *host, const struct program_request *request, int report,
                        struct program *program, struct error *err)
{
	struct start_failure failure;
	if (await_start(host, report, &failure) != 0) {
		program_kill(host, program);
		return explain(host, request, &failure, err);
	}
	program->pidfd = host->sys->pidfd_open(program->pid, 0);
	if (program->pidfd < 0) {
		error_system(err, errno, "cannot watch over a program");
		error_next(err, "this needs Linux 5.3 or later, and a container that allows pidfd_open");
		program_kill(host, program);
		return -1;
	}
	host->sys->fcntl(program->pidfd, F_SETFD, FD_CLOEXEC);
	return 0;
}

int program_start(const struct host *host, const struct program_request *request, struct program *out,
                  struct error *err)
{
	int report[2];
	struct program program = {.pidfd = -1, .code = -1, .sweep = request->sweep};
	struct start start = {.host = host, .request = request, .parent = getpid()};
	if (!request->argv[0] || request->fd_count > FDS_MAX)
		return error_set(err, ERROR_INTERNAL, "a program without a name, or with too many descriptors");
	start.env = join_environment(request->env);
	if (!start.env)
		return error_memory(err);
	if (host->sys->pipe2(report, O_CLOEXEC) != 0) {
		mem_free(start.env);
		error_system(err, errno, "cannot make a pipe");
		return error_next(err, "the limit of open files may be reached (ulimit -n)");
	}
	start.report = report[1];
	if (request->sweep)
		leftover_expect(host);
	program.pid = host->sys->fork();
	if (program.pid == 0)
		run_child(&start);
	int errnum = errno;
	mem_free(start.env);
	host->sys->close(report[1]);
	int status;
	if (program.pid < 0 && request->sweep)
		leftover_sweep(host);
	if (program.pid > 0 && !request->sweep)
		leftover_spare(program.pid);
	if (program.pid < 0)
		status = error_system(err, errnum, "cannot make a process");
	else
		status = finish_start(host, request, report[0], &program, err);
	host->sys->close(report[0]);
	if (status == 0)
		*out = program;
	return status;
}

/* What is left of its group is killed while the dead leader still holds the number: afterwards it may be another's. */
static bool reap(const struct host *host, struct program *program, int options)
{
	int status = 0;
	siginfo_t info = {.si_pid = 0};
	if (program->ended)
		return true;
	while (host->sys->waitid(P_PID, (id_t)program->pid, &info, WEXITED | WNOWAIT | options) != 0)
		if (errno != EINTR)
			return false;
	if (info.si_pid != program->pid)
		return false;
	host->sys->kill(-program->pid, SIGKILL);
	while (host->sys->wait4(program->pid, &status, 0, NULL) < 0)
		if (errno != EINTR)
			return false;
	if (program->sweep)
		leftover_sweep(host);
	program->ended = true;
	program->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	program->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return true;
}

bool program_wait(const struct host *host, struct program *program, int64_t deadline)
{
	struct pollfd fds = {program->pidfd, POLLIN, 0};
	while (!reap(host, program, WNOHANG)) {
		int64_t now = clock_now(host);
		struct timespec left = clock_left(now, deadline);
		if (now >= deadline || (host->sys->ppoll(&fds, 1, &left, NULL) < 0 && errno != EINTR))
			return reap(host, program, WNOHANG);
	}
	return true;
}

void program_kill(const struct host *host, struct program *program)
{
	if (program->pid <= 0 || program->ended)
		return;
	host->sys->kill(program->pid, SIGKILL);
	reap(host, program, 0);
}

void program_release(const struct host *host, struct program *program)
{
	program_kill(host, program);
	if (program->pid > 0 && program->pidfd >= 0)
		host->sys->close(program->pidfd);
	*program = (struct program){.pidfd = -1, .code = -1};
}
