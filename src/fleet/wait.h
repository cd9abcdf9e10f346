/* Seeing a fleet through: submit what has to be, wait, submit again what was lost, look, ask for more machines. */
#ifndef TARE_FLEET_WAIT_H
#define TARE_FLEET_WAIT_H

#include "fleet/collect.h"
#include "fleet/engine.h"

/* How far it is. */
struct fleet_progress {
	size_t wanted;   /* slots of the waves so far */
	size_t done;     /* of them: whole */
	size_t given_up; /* failed too often */
	size_t running, waiting;
	const char *reason; /* why one waits, in the engine's word; or "" */
	size_t chunks, chunks_wanted;
	bool queue_known; /* false: nobody asked the engine yet, or it did not answer */
};

struct fleet_observer {
	void *context;
	void (*progress)(void *context, const struct fleet_progress *now);
	void (*note)(void *context, const char *text);
};

/* Submits the first wave, unless that was done. */
int fleet_submit(const struct fleet_folder *folder, const struct fleet_observer *observer, struct error *err);

/* Until there is a verdict, or no further machine to ask: the result of all slots asked. ERROR_INTERRUPTED when `cancel`
 * becomes readable: the engine goes on. */
int fleet_wait(const struct fleet_folder *folder, int cancel, const struct fleet_observer *observer, struct result *out,
               struct error *err);

/* What is known now; asks the engine once. */
int fleet_status(const struct fleet_folder *folder, struct arena *arena, struct fleet_progress *out,
                 struct fleet_slot **slots, struct fleet_task **tasks, size_t *task_count, struct error *err);

/* What can be looked at without favouring the fast: the slots of the drawn order before the first that is open; `all`:
 * every slot that has something. *left_out: done slots that come later in the order. */
int fleet_collect_now(const struct fleet_folder *folder, bool all, struct result *out, size_t *left_out,
                      struct error *err);

#endif
