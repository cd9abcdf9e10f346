/* The default table: libc, with fixed shapes for the calls that libc declares with "...". */
#include "host/syscalls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static int real_open(const char *path, int flags, unsigned mode)
{
	return open(path, flags, mode);
}

static int real_fcntl(int fd, int command, long argument)
{
	return fcntl(fd, command, argument);
}

static int real_ioctl(int fd, unsigned long request, unsigned long argument)
{
	return ioctl(fd, request, argument);
}

static int real_prctl(int option, unsigned long argument)
{
	return prctl(option, argument, 0UL, 0UL, 0UL);
}

/* libc declares the first argument of waitid as an enumeration. */
static int real_waitid(int type, id_t id, siginfo_t *out, int options)
{
	return waitid((idtype_t)type, id, out, options);
}

/* libc's waitid leaves out the resources. */
static int real_waitid_usage(pid_t pid, siginfo_t *out, int options, struct rusage *usage)
{
	return (int)syscall(SYS_waitid, P_PID, pid, out, options, usage);
}

/* And that of these. */
static int real_getpriority(int which, unsigned who)
{
	return getpriority((__priority_which_t)which, who);
}

static int real_setpriority(int which, unsigned who, int value)
{
	return setpriority((__priority_which_t)which, who, value);
}

static pid_t real_clone_vfork(int (*entry)(void *), void *stack_top, void *argument)
{
	return clone(entry, stack_top, CLONE_VM | CLONE_VFORK | SIGCHLD, argument);
}

/* libc has no wrapper for these, or only a new one. */
static int real_pidfd_open(pid_t pid, unsigned flags)
{
	return (int)syscall(SYS_pidfd_open, pid, flags);
}

static int real_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

const struct syscalls syscalls_libc = {
	.open = real_open,
	.close = close,
	.read = read,
	.write = write,
	.lseek = lseek,
	.fcntl = real_fcntl,
	.ioctl = real_ioctl,
	.dup2 = dup2,
	.pipe2 = pipe2,
	.fsync = fsync,
	.posix_fadvise = posix_fadvise,
	.flock = flock,
	.rename = rename,
	.unlink = unlink,
	.symlink = symlink,
	.rmdir = rmdir,
	.mkdir = mkdir,
	.mkfifo = mkfifo,
	.access = access,
	.stat = stat,
	.statvfs = statvfs,
	.pread = pread,
	.ftruncate = ftruncate,
	.fallocate = fallocate,
	.memfd_create = memfd_create,
	.pidfd_open = real_pidfd_open,
	.readlink = readlink,
	.opendir = opendir,
	.readdir = readdir,
	.closedir = closedir,
	.chdir = chdir,
	.fchdir = fchdir,
	.socket = socket,
	.socketpair = socketpair,
	.sendmsg = sendmsg,
	.recvmsg = recvmsg,
	.ppoll = ppoll,
	.signalfd = signalfd,
	.eventfd = eventfd,
	.mmap = mmap,
	.munmap = munmap,
	.fork = fork,
	.clone_vfork = real_clone_vfork,
	.execve = execve,
	.waitid = real_waitid,
	.waitid_usage = real_waitid_usage,
	.wait4 = wait4,
	.kill = kill,
	.getppid = getppid,
	.geteuid = geteuid,
	.setpgid = setpgid,
	.prctl = real_prctl,
	.sigprocmask = sigprocmask,
	.sigaction = sigaction,
	.sched_setaffinity = sched_setaffinity,
	.sched_getaffinity = sched_getaffinity,
	.getpriority = real_getpriority,
	.setpriority = real_setpriority,
	.clock_gettime = clock_gettime,
	.clock_getres = clock_getres,
	.getrusage = getrusage,
	.getrandom = getrandom,
	.uname = uname,
	.perf_event_open = real_perf_event_open,
};
