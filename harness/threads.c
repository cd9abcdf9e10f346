/* SPDX-License-Identifier: MIT */
/* Threads of a benchmark: made when it is selected, kept until it ends (so that what they keep for themselves stays
 * warm), sent through each iteration together.
 *
 * Before the loop they meet at a counter that all watch: they then start within a fraction of a microsecond where each
 * has a CPU, which a mutex or a futex cannot do. With fewer CPUs than threads the watchers give way by sched_yield. */
#include "harness/internal.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct tare_pool {
	struct tare *contexts;
	pthread_t *threads; /* the others: count − 1 */
	unsigned count, running;
	pthread_mutex_t mutex;
	pthread_cond_t begin, end;
	uint64_t round; /* raised to start an iteration */
	int quit;
	uint32_t met; /* threads at the start line; atomic */
};

struct tare_worker {
	struct tare_pool *pool;
	struct tare *context;
};

static void *tare_work(void *argument)
{
	struct tare_worker worker = *(struct tare_worker *)argument;
	struct tare_pool *pool = worker.pool;
	uint64_t done = 0;
	free(argument);
	pthread_mutex_lock(&pool->mutex);
	for (;;) {
		while (pool->round == done && !pool->quit)
			pthread_cond_wait(&pool->begin, &pool->mutex);
		if (pool->quit)
			break;
		done = pool->round;
		pthread_mutex_unlock(&pool->mutex);
		tare_call(worker.context);
		pthread_mutex_lock(&pool->mutex);
		if (--pool->running == 0)
			pthread_cond_signal(&pool->end);
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

struct tare_pool *tare_pool_start(struct tare *contexts, unsigned count)
{
	struct tare_pool *pool = (struct tare_pool *)tare_allocate(1, sizeof(*pool));
	pool->contexts = contexts;
	pool->threads = (pthread_t *)tare_allocate(count, sizeof(*pool->threads));
	pool->count = 1;
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->begin, NULL);
	pthread_cond_init(&pool->end, NULL);
	while (pool->count < count) {
		struct tare_worker *worker = (struct tare_worker *)tare_allocate(1, sizeof(*worker));
		worker->pool = pool;
		worker->context = &contexts[pool->count];
		if (pthread_create(&pool->threads[pool->count - 1], NULL, tare_work, worker) != 0) {
			free(worker);
			tare_pool_stop(pool);
			return NULL;
		}
		pool->count++;
	}
	for (unsigned i = 0; i < count; i++)
		contexts[i].pool = pool;
	return pool;
}

void tare_pool_run(struct tare_pool *pool)
{
	__atomic_store_n(&pool->met, 0, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&pool->mutex);
	pool->running = pool->count - 1;
	pool->round++;
	pthread_cond_broadcast(&pool->begin);
	pthread_mutex_unlock(&pool->mutex);
	tare_call(&pool->contexts[0]);
	pthread_mutex_lock(&pool->mutex);
	while (pool->running > 0)
		pthread_cond_wait(&pool->end, &pool->mutex);
	pthread_mutex_unlock(&pool->mutex);
}

void tare_pool_stop(struct tare_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->mutex);
	pool->quit = 1;
	pthread_cond_broadcast(&pool->begin);
	pthread_mutex_unlock(&pool->mutex);
	for (unsigned i = 1; i < pool->count; i++)
		pthread_join(pool->threads[i - 1], NULL);
	pthread_cond_destroy(&pool->begin);
	pthread_cond_destroy(&pool->end);
	pthread_mutex_destroy(&pool->mutex);
	free(pool->threads);
	free(pool);
}

void tare_pool_meet(struct tare_pool *pool, int wait)
{
	enum { LOOKS_BEFORE_YIELD = 2000 };
	uint32_t met = __atomic_add_fetch(&pool->met, 1, __ATOMIC_SEQ_CST);
	for (unsigned looks = 1; wait && met < pool->count; looks++) {
		if (looks % LOOKS_BEFORE_YIELD == 0)
			sched_yield();
		met = __atomic_load_n(&pool->met, __ATOMIC_ACQUIRE);
	}
}
