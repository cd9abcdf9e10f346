/* The work is four lines of shell: what removes folders and speaks to git exists, and must run where tare is no
 * more. */
#include "builds/janitor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

extern char **environ;

/* git forgets a worktree only if told; twice, since it refuses where something still writes. A build may leave folders
 * that are read-only. */
static const char script[] =
	"trap '' HUP INT QUIT TERM\n"
	"echo >&0\n"
	"read -r word\n"
	"unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_NAMESPACE\n"
	"forget() { [ -n \"$1\" ] && for side in base head; do git -C \"$1\" worktree remove --force --force \"$2/$side\"; done; }\n"
	"forget \"$1\" \"$2\"\n"
	"rm -rf -- \"$2\" || { chmod -R u+rwX -- \"$2\"; rm -rf -- \"$2\"; sleep 0.2; rm -rf -- \"$2\"; }\n"
	"forget \"$1\" \"$2\"\n";

static _Noreturn void run_child(const struct host *host, int wait_at, char *const *argv)
{
	const struct syscalls *sys = host->sys;
	sigset_t none;
	sigemptyset(&none);
	sys->setpgid(0, 0);
	sys->sigprocmask(SIG_SETMASK, &none, NULL);
	int nowhere = sys->open("/dev/null", O_RDWR | O_CLOEXEC, 0);
	if (sys->dup2(wait_at, 0) == 0 && sys->dup2(nowhere, 1) == 1 && sys->dup2(nowhere, 2) == 2 && sys->chdir("/") == 0)
		sys->execve(argv[0], argv, environ);
	_exit(127);
}

/* Waits for the word that it is there: one that could not set itself up would leave all behind in silence. */
static bool is_there(const struct host *host, int wake)
{
	char word;
	ssize_t got;
	do
		got = host->sys->read(wake, &word, 1);
	while (got < 0 && errno == EINTR);
	return got == 1;
}

void janitor_close(const struct host *host, struct janitor *janitor)
{
	int status;
	struct iovec word = {(char[]){'\n'}, 1};
	struct msghdr message = {.msg_iov = &word, .msg_iovlen = 1};
	if (janitor->pid <= 0)
		return;
	/* A word, not only the end: a process that was forked from this one may hold it open too. */
	(void)!host->sys->sendmsg(janitor->wake, &message, MSG_NOSIGNAL);
	host->sys->close(janitor->wake);
	while (host->sys->wait4(janitor->pid, &status, 0, NULL) < 0 && errno == EINTR)
		;
	*janitor = (struct janitor){0};
}

int janitor_start(const struct host *host, const char *repository, const char *folder, struct janitor *out,
                  struct error *err)
{
	const char *argv[] = {"/bin/sh", "-c", script, "tare-janitor", repository ? repository : "", folder, NULL};
	int ends[2];
	if (host->sys->socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return error_system(err, errno, "cannot make a pair of sockets");
	pid_t pid = host->sys->fork();
	if (pid == 0)
		run_child(host, ends[0], (char *const *)(uintptr_t)argv);
	int errnum = errno;
	host->sys->close(ends[0]);
	if (pid < 0) {
		host->sys->close(ends[1]);
		return error_system(err, errnum, "cannot make a process");
	}
	*out = (struct janitor){pid, ends[1]};
	if (is_there(host, ends[1]))
		return 0;
	janitor_close(host, out);
	return error_full(err, ERROR_SYSTEM, NULL, "it needs /bin/sh and /dev/null",
	                  "cannot start the process that clears away what is built");
}
