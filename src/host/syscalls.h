/* Every system call that the host layer makes, as one replaceable table.
 *
 * The list below is the only place that names them: it makes the table's type,
 * the default (libc), and in the tests a table whose Nth call of any one fails.
 * Calls that libc declares with "..." have a fixed shape here. All return what
 * libc returns and set errno. */
#ifndef TARE_HOST_SYSCALLS_H
#define TARE_HOST_SYSCALLS_H

#include <dirent.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

/* type, value on failure, name, parameters, arguments */
#define SYSCALLS(X) \
	X(int, -1, open, (const char *path, int flags, unsigned mode), (path, flags, mode)) \
	X(int, -1, close, (int fd), (fd)) \
	X(ssize_t, -1, read, (int fd, void *bytes, size_t size), (fd, bytes, size)) \
	X(ssize_t, -1, write, (int fd, const void *bytes, size_t size), (fd, bytes, size)) \
	X(off_t, -1, lseek, (int fd, off_t offset, int whence), (fd, offset, whence)) \
	X(int, -1, fcntl, (int fd, int command, long argument), (fd, command, argument)) \
	X(int, -1, ioctl, (int fd, unsigned long request, unsigned long argument), (fd, request, argument)) \
	X(int, -1, dup2, (int from, int to), (from, to)) \
	X(int, -1, pipe2, (int fds[2], int flags), (fds, flags)) \
	X(int, -1, fsync, (int fd), (fd)) \
	X(int, -1, posix_fadvise, (int fd, off_t offset, off_t size, int advice), (fd, offset, size, advice)) \
	X(int, -1, flock, (int fd, int operation), (fd, operation)) \
	X(int, -1, rename, (const char *from, const char *to), (from, to)) \
	X(int, -1, unlink, (const char *path), (path)) \
	X(int, -1, symlink, (const char *target, const char *path), (target, path)) \
	X(int, -1, mkdir, (const char *path, mode_t mode), (path, mode)) \
	X(int, -1, rmdir, (const char *path), (path)) \
	X(int, -1, mkfifo, (const char *path, mode_t mode), (path, mode)) \
	X(int, -1, access, (const char *path, int mode), (path, mode)) \
	X(int, -1, stat, (const char *path, struct stat *out), (path, out)) \
	X(int, -1, statvfs, (const char *path, struct statvfs *out), (path, out)) \
	X(ssize_t, -1, pread, (int fd, void *bytes, size_t size, off_t offset), (fd, bytes, size, offset)) \
	X(int, -1, ftruncate, (int fd, off_t size), (fd, size)) \
	X(int, -1, fallocate, (int fd, int mode, off_t offset, off_t size), (fd, mode, offset, size)) \
	X(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags)) \
	X(int, -1, pidfd_open, (pid_t pid, unsigned flags), (pid, flags)) \
	X(ssize_t, -1, readlink, (const char *path, char *text, size_t size), (path, text, size)) \
	X(DIR *, NULL, opendir, (const char *path), (path)) \
	X(struct dirent *, NULL, readdir, (DIR * folder), (folder)) \
	X(int, -1, closedir, (DIR * folder), (folder)) \
	X(int, -1, chdir, (const char *path), (path)) \
	X(int, -1, fchdir, (int fd), (fd)) \
	X(int, -1, socket, (int domain, int type, int protocol), (domain, type, protocol)) \
	X(int, -1, socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds)) \
	X(ssize_t, -1, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags)) \
	X(ssize_t, -1, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags)) \
	X(int, -1, ppoll, (struct pollfd * fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask), \
	  (fds, n, timeout, mask)) \
	X(int, -1, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags)) \
	X(int, -1, eventfd, (unsigned initial, int flags), (initial, flags)) \
	X(void *, ((void *)-1), mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset), \
	  (at, size, protection, flags, fd, offset)) \
	X(int, -1, munmap, (void *at, size_t size), (at, size)) \
	X(pid_t, -1, fork, (void), ()) \
	X(pid_t, -1, clone_vfork, (int (*entry)(void *), void *stack_top, void *argument), (entry, stack_top, argument)) \
	X(int, -1, execve, (const char *path, char *const argv[], char *const env[]), (path, argv, env)) \
	X(int, -1, waitid, (int type, id_t id, siginfo_t *out, int options), (type, id, out, options)) \
	X(int, -1, waitid_usage, (pid_t pid, siginfo_t * out, int options, struct rusage *usage), \
	  (pid, out, options, usage)) \
	X(pid_t, -1, wait4, (pid_t pid, int *status, int options, struct rusage *usage), (pid, status, options, usage)) \
	X(int, -1, kill, (pid_t pid, int signal), (pid, signal)) \
	X(pid_t, -1, getppid, (void), ()) \
	X(uid_t, ((uid_t)-1), geteuid, (void), ()) \
	X(int, -1, setpgid, (pid_t pid, pid_t group), (pid, group)) \
	X(int, -1, prctl, (int option, unsigned long argument), (option, argument)) \
	X(int, -1, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old)) \
	X(int, -1, sigaction, (int signal, const struct sigaction *action, struct sigaction *old), (signal, action, old)) \
	X(int, -1, sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set)) \
	X(int, -1, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t * set), (pid, size, set)) \
	X(int, -1, getpriority, (int which, unsigned who), (which, who)) \
	X(int, -1, setpriority, (int which, unsigned who, int value), (which, who, value)) \
	X(int, -1, clock_gettime, (clockid_t clock, struct timespec * out), (clock, out)) \
	X(int, -1, clock_getres, (clockid_t clock, struct timespec * out), (clock, out)) \
	X(int, -1, getrusage, (int who, struct rusage *out), (who, out)) \
	X(ssize_t, -1, getrandom, (void *bytes, size_t size, unsigned flags), (bytes, size, flags)) \
	X(int, -1, uname, (struct utsname * out), (out)) \
	X(int, -1, perf_event_open, (struct perf_event_attr * attr, pid_t pid, int cpu, int group, unsigned long flags), \
	  (attr, pid, cpu, group, flags))

struct syscalls {
#define X(type, failure, name, parameters, arguments) type(*name) parameters;
	SYSCALLS(X)
#undef X
};

/* The real ones. clone_vfork starts entry(argument) in a new process that shares the
 * caller's memory; the caller is suspended until that process has called execve or ended. waitid_usage is waitid for
 * one process as the kernel has it: with the resources used, also where the process is not reaped. */
extern const struct syscalls syscalls_libc;

#endif
