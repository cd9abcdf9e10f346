/* Workers take the next piece from one atomic counter until there is none. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

struct pool {
	size_t next, pieces;
	void (*task)(void *context, unsigned worker, size_t piece);
	void *context;
};

struct worker {
	struct pool *pool;
	unsigned number;
	pthread_t thread;
};

unsigned parallel_workers(void)
{
	cpu_set_t cpus;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
		return 1;
	int count = CPU_COUNT(&cpus);
	if (count < 1)
		return 1;
	return count < PARALLEL_MAX_WORKERS ? (unsigned)count : PARALLEL_MAX_WORKERS;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct pool *pool = worker->pool;
	for (;;) {
		size_t piece = __atomic_fetch_add(&pool->next, 1, __ATOMIC_RELAXED);
		if (piece >= pool->pieces)
			return NULL;
		pool->task(pool->context, worker->number, piece);
	}
}

void parallel_run(unsigned workers, size_t pieces, void (*task)(void *context, unsigned worker, size_t piece),
                  void *context)
{
	struct pool pool = {0, pieces, task, context};
	struct worker worker[PARALLEL_MAX_WORKERS];
	unsigned started = 1;
	sigset_t all, before;
	if (workers > PARALLEL_MAX_WORKERS)
		workers = PARALLEL_MAX_WORKERS;
	if (workers > pieces)
		workers = (unsigned)pieces;
	if (workers > 1) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		for (; started < workers; started++) {
			worker[started] = (struct worker){.pool = &pool, .number = started};
			if (pthread_create(&worker[started].thread, NULL, work, &worker[started]) != 0)
				break;
		}
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	worker[0] = (struct worker){.pool = &pool, .number = 0};
	work(&worker[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(worker[i].thread, NULL);
}
