/* Arithmetic on several threads, for loops whose result does not depend on who runs what.
 *
 * A task gets the number of its piece and of its worker: the piece decides what is
 * computed (a random stream of its own, a slice of the output), the worker only which
 * scratch memory to use. So one CPU and sixty-four give the same bits. */
#ifndef TARE_BASE_PARALLEL_H
#define TARE_BASE_PARALLEL_H

#include <stddef.h>

enum { PARALLEL_MAX_WORKERS = 64 };

/* CPUs that this process may run on, 1 … PARALLEL_MAX_WORKERS. */
unsigned parallel_workers(void);

/* Calls task(context, worker, piece) once for each piece 0 … pieces − 1, with worker in
 * 0 … workers − 1, and returns when all are done. The calling thread works too; where a
 * thread cannot be started the others do its share. Signals stay with the caller's thread. */
void parallel_run(unsigned workers, size_t pieces, void (*task)(void *context, unsigned worker, size_t piece),
                  void *context);

#endif
