/* Engines that place the work of a fleet: a row of commands each, which are called as a user would call them.
 *
 * Words of a row may hold {id}, {slots}, {folder}, {worker}, {minutes}, {job}, {task} and {nodes}. */
#ifndef TARE_FLEET_ENGINE_H
#define TARE_FLEET_ENGINE_H

#include "fleet/folder.h"

struct fleet_engine {
	const char *name;
	const char *const *submit;              /* prints the number of the job first */
	const char *partition, *exclude, *wrap; /* words that are added: of the partition, of nodes, and the last */
	const char *const *queue; /* prints slot|state|node|task|reason, a line for each task that is not over */
	const char *const *cancel;
	const char *const *release;    /* lets a task go that the engine itself holds back after a failed start */
	const char *held;              /* what the reasons of such tasks hold */
	const char *const *leave_out;  /* asks that waiting tasks keep away from these nodes */
	const char *slot, *job, *node; /* variables that tell a worker its slot, its job and its node */
};

/* By its name; NULL: there is none. */
const struct fleet_engine *fleet_engine_find(const char *name);

/* Submits these slots as one job, away from the nodes in `exclude` ("a,b"; ""). */
int fleet_engine_submit(const struct fleet_engine *engine, const struct fleet_folder *folder, const size_t *slots,
                        size_t count, const char *exclude, char job[64], struct error *err);

enum fleet_state { FLEET_WAITING, FLEET_HELD, FLEET_RUNNING };

/* A task that is not over. */
struct fleet_task {
	size_t slot;
	enum fleet_state state;
	const char *node, *task, *reason;
};

/* What is in the queue, in the arena. */
int fleet_engine_queue(const struct fleet_engine *engine, const struct fleet_folder *folder, struct arena *arena,
                       struct fleet_task **out, size_t *count, struct error *err);

int fleet_engine_cancel(const struct fleet_engine *engine, const struct fleet_folder *folder, struct error *err);

/* A task that the engine holds back may start again. */
int fleet_engine_release(const struct fleet_engine *engine, const struct fleet_task *task, struct error *err);

/* Waiting tasks of the job keep away from these nodes; "": from none. */
int fleet_engine_leave_out(const struct fleet_engine *engine, const struct fleet_folder *folder, const char *job,
                           const char *nodes, struct error *err);

/* The slot that an engine has given this process, from whichever variable is set; -1: none. */
long fleet_slot_of_environment(void);

#endif
