#include "faults/faulty.h"

#include <dlfcn.h>
#include <errno.h>
#include <hwloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The real ones, under other names: with these definitions of the names that tare uses, the linker has no need of the
 * library's. */
#define syscalls_libc syscalls_real
#include "host/syscalls.c"
#undef syscalls_libc

#include "base/memory.h"
#undef TARE_BASE_MEMORY_H
#define mem_alloc  real_mem_alloc
#define mem_zalloc real_mem_zalloc
#define mem_resize real_mem_resize
#define mem_strdup real_mem_strdup
#define must_fail  mem_must_fail
#include "base/memory.c"
#undef mem_alloc
#undef mem_zalloc
#undef mem_resize
#undef mem_strdup
#undef must_fail

static const char *const other_names[] = {"alloc", "malloc",
#define X(name, code) #name,
                                          VFS_CALLS(X)
#undef X
};

static struct fault_board nowhere, *board = &nowhere;
static struct {
	int kind, code;
	long nth;
	bool on;
} chosen = {.kind = -1};

int fault_now(int kind, int otherwise)
{
	int64_t count = __atomic_add_fetch(&board->counts[kind], 1, __ATOMIC_SEQ_CST);
	if (kind != chosen.kind || (chosen.on ? count < chosen.nth : count != chosen.nth))
		return 0;
	__atomic_store_n(&board->happened, 1, __ATOMIC_SEQ_CST);
	return chosen.code ? chosen.code : otherwise;
}

static int must_fail(enum call call)
{
	return fault_now((int)call, EIO);
}

#define FAILING_REAL syscalls_real
#include "support/failing.h"

extern const struct syscalls syscalls_libc;
const struct syscalls syscalls_libc = FAILING_TABLE;

static void starve_next(void)
{
	if (fault_now(FAULT_alloc, 1))
		mem_fail_at(1);
}

void *mem_alloc(size_t count, size_t size)
{
	starve_next();
	return real_mem_alloc(count, size);
}

void *mem_zalloc(size_t count, size_t size)
{
	starve_next();
	return real_mem_zalloc(count, size);
}

void *mem_resize(void *block, size_t count, size_t size)
{
	starve_next();
	return real_mem_resize(block, count, size);
}

char *mem_strdup(const char *text)
{
	starve_next();
	return real_mem_strdup(text);
}

#ifdef FAULTY_MALLOC
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static bool spared; /* hwloc reads the machine and does not look at what malloc gives it: its failures are not ours */

int hwloc_topology_init(hwloc_topology_t *topology)
{
	int (*init)(hwloc_topology_t *);
	*(void **)&init = dlsym(RTLD_NEXT, "hwloc_topology_init");
	spared = true;
	int status = init(topology);
	spared = false;
	return status;
}

int hwloc_topology_load(hwloc_topology_t topology)
{
	int (*load)(hwloc_topology_t);
	*(void **)&load = dlsym(RTLD_NEXT, "hwloc_topology_load");
	spared = true;
	int status = load(topology);
	spared = false;
	return status;
}

static bool starved(void)
{
	if (spared || !fault_now(FAULT_malloc, 1))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return starved() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return starved() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return starved() ? NULL : __libc_realloc(block, size);
}
#endif

/* The time of day goes by so many seconds with each reading, for all that ask for it; the other clocks are as they
 * are. */
static long clock_step;

int clock_gettime(clockid_t clock, struct timespec *out)
{
	static long readings;
	long status = syscall(SYS_clock_gettime, clock, out);
	if (status == 0 && clock == CLOCK_REALTIME && clock_step)
		out->tv_sec += clock_step * ++readings;
	return (int)status;
}

static const char *kind_name(int kind)
{
	return kind < CALL_COUNT ? call_names[kind] : other_names[kind - CALL_COUNT];
}

static void bad(const char *text)
{
	fprintf(stderr, "tare-faulty: FAULT=%s is malformed\n", text);
	exit(99);
}

static void choose(const char *text)
{
	char name[32];
	long nth = 0;
	int used = 0;
	if (sscanf(text, "%31[a-z0-9_]:%ld%n", name, &nth, &used) != 2)
		bad(text);
	chosen.on = text[used] == '+';
	used += chosen.on;
	chosen.code = text[used] == ':' ? atoi(text + used + 1) : 0;
	chosen.nth = nth;
	for (int i = 0; i < FAULT_COUNT; i++)
		if (strcmp(kind_name(i), name) == 0)
			chosen.kind = i;
	if (chosen.kind < 0)
		bad(text);
}

static void list(void)
{
	for (int i = 0; i < FAULT_COUNT; i++)
		puts(kind_name(i));
	exit(0);
}

__attribute__((constructor)) static void prepare(void)
{
	const char *fault = getenv("FAULT"), *path = getenv("FAULT_BOARD");
	if (fault && strcmp(fault, "list") == 0)
		list();
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *place = fd >= 0 ? mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	faulty_vfs_install();
	if (place != MAP_FAILED)
		board = place;
	if (fault)
		choose(fault);
	clock_step = getenv("FAULT_CLOCK") ? atol(getenv("FAULT_CLOCK")) : 0;
	/* What tare starts is not to know. */
	unsetenv("FAULT");
	unsetenv("FAULT_BOARD");
}
