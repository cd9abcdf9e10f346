/* CPU time per process from /proc/PID/stat, in clock ticks (10 ms). What a process used before it
 * was seen for the first time counts when it began between the looks. Of processes that end
 * between the looks only what a reading in between saw is known. */
#include "machine/processes.h"

#include "base/memory.h"
#include "host/clock.h"
#include "host/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 1 << 16, KERNEL_THREADS = 2 /* the parent of them all */ };

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void take(const struct proc_stat *stat, pid_t pid, struct process *out)
{
	*out = (struct process){.pid = pid, .start = stat->start, .used = stat->user + stat->system};
	bool kernel = stat->parent == KERNEL_THREADS || pid == KERNEL_THREADS;
	snprintf(out->name, sizeof(out->name), kernel ? "[%.60s]" : "%.62s", stat->name);
}

int processes_read(const struct host *host, int64_t time, struct processes *out, struct error *err)
{
	int64_t deadline = clock_now(host) + time;
	pid_t *pids = mem_alloc(PROCESSES_MAX, sizeof(*pids));
	if (!pids)
		return error_memory(err);
	int count = proc_list(host, pids, PROCESSES_MAX);
	struct processes found = {.complete = count < PROCESSES_MAX};
	found.list = count < 0 ? NULL : mem_alloc((size_t)count, sizeof(*found.list));
	if (!found.list) {
		mem_free(pids);
		return count < 0 ? error_set(err, ERROR_SYSTEM, "/proc cannot be listed") : error_memory(err);
	}
	for (int i = 0; i < count; i++) {
		struct proc_stat stat;
		if (i % 64 == 63 && clock_now(host) > deadline) {
			found.complete = false;
			break;
		}
		if (proc_stat(host, pids[i], &stat) != 0)
			continue;
		take(&stat, pids[i], &found.list[found.count++]);
		if (pids[i] == KERNEL_THREADS && strcmp(stat.name, "kthreadd") == 0)
			found.whole = true;
	}
	mem_free(pids);
	qsort(found.list, found.count, sizeof(*found.list), by_pid);
	*out = found;
	return 0;
}

void processes_release(struct processes *processes)
{
	mem_free(processes->list);
	memset(processes, 0, sizeof(*processes));
}

static const struct process *find(const struct processes *in, const struct process *process)
{
	const struct process *found = in->count ? bsearch(process, in->list, in->count, sizeof(*process), by_pid) : NULL;
	return found && found->start == process->start ? found : NULL;
}

int processes_keep_ended(struct processes *to, const struct processes *earlier, struct error *err)
{
	size_t there = to->count;
	struct process *list = mem_resize(to->list, there + earlier->count, sizeof(*list));
	if (!list)
		return error_memory(err);
	to->list = list;
	const struct processes now = {.list = list, .count = there};
	for (size_t i = 0; i < earlier->count; i++)
		if (!find(&now, &earlier->list[i])) {
			list[to->count] = earlier->list[i];
			list[to->count++].ended = true;
		}
	qsort(list, to->count, sizeof(*list), by_pid);
	return 0;
}

/* What one process used since `before`. */
static int64_t used_since(const struct processes *before, const struct process *now)
{
	const struct process *old = find(before, now);
	if (old)
		return now->used - old->used;
	/* Where the first look is not complete, a process that is not in it may be an old one. */
	return before->complete ? now->used : 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct process_use *)a)->name, ((const struct process_use *)b)->name);
}

static int by_use(const void *a, const void *b)
{
	const struct process_use *x = a, *y = b;
	return x->used != y->used ? (y->used > x->used) - (y->used < x->used) : by_name(a, b);
}

/* Makes one entry of neighbours with the same name; returns how many are left. */
static size_t join_names(struct process_use *uses, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct process_use *last = kept ? &uses[kept - 1] : NULL;
		if (!last || strcmp(last->name, uses[i].name) != 0) {
			uses[kept++] = uses[i];
			continue;
		}
		if (uses[i].most > last->most) {
			last->most = uses[i].most;
			last->pid = uses[i].pid;
			last->ended = uses[i].ended;
		}
		last->used += uses[i].used;
		last->count++;
	}
	return kept;
}

int processes_between(const struct processes *before, const struct processes *after, pid_t except,
                      struct process_use **out, size_t *count, struct error *err)
{
	struct process_use *uses = mem_alloc(after->count, sizeof(*uses));
	size_t n = 0;
	if (!uses)
		return error_memory(err);
	for (size_t i = 0; i < after->count; i++) {
		const struct process *now = &after->list[i];
		int64_t used = used_since(before, now);
		if (used <= 0 || now->pid == except)
			continue;
		uses[n] = (struct process_use){.pid = now->pid, .ended = now->ended, .count = 1, .used = used, .most = used};
		memcpy(uses[n++].name, now->name, sizeof(now->name));
	}
	qsort(uses, n, sizeof(*uses), by_name);
	n = join_names(uses, n);
	qsort(uses, n, sizeof(*uses), by_use);
	if (n == 0) {
		mem_free(uses);
		uses = NULL;
	}
	*out = uses;
	*count = n;
	return 0;
}

int64_t processes_used(const struct processes *before, const struct processes *after, pid_t pid)
{
	const struct process key = {.pid = pid};
	const struct process *now = after->count ? bsearch(&key, after->list, after->count, sizeof(key), by_pid) : NULL;
	return now ? used_since(before, now) : 0;
}
