/* The folder tells what is done, the engine what is not over; what is neither was lost. The folder is read every few
 * seconds, the engine asked at most twice a minute. */
#include "fleet/wait.h"

#include "base/format.h"
#include "base/memory.h"
#include "fleet/gather.h"
#include "host/clock.h"
#include "stats/fleet.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_MOST = 3, POLL_MILLISECONDS = 1000, REFUSALS_MOST = 20 };
static const int64_t queue_every = INT64_C(30000000000), second = INT64_C(1000000000);

struct fleet_watch {
	const struct fleet_folder *folder;
	const struct fleet_engine *engine; /* NULL: somebody else starts the workers */
	const struct fleet_observer *observer;
	struct host host;
	int cancel;
	size_t wanted;      /* slots of the drawn order that are asked for */
	struct arena arena; /* of one round */
	struct fleet_slot *slots;
	bool *queued;       /* by slot, as of the last answer of the engine */
	unsigned *released; /* by slot, how often the engine was asked to let it go */
	struct arena queue_arena;
	struct fleet_task *tasks;
	size_t task_count;
	int64_t asked;     /* when the engine was last asked; 0: never */
	int64_t answered;  /* when it last answered */
	int64_t submitted; /* when something was last submitted from here */
	int64_t refused;   /* when the engine last refused that */
	size_t refusals;   /* in a row */
	bool cancelled;    /* by 'tare fleet cancel' */
	bool widened;      /* slots may share machines */
	int64_t stuck_since;
	size_t told; /* machines of the last interim word */
};

static void note(const struct fleet_watch *watch, const char *text)
{
	if (watch->observer && watch->observer->note)
		watch->observer->note(watch->observer->context, text);
}

static int ascending(const void *a, const void *b)
{
	const size_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The nodes on which these slots failed. */
static void add_failed_nodes(const struct fleet_watch *watch, const size_t *slots, size_t count, struct buffer *out)
{
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < watch->slots[slots[i]].failures; n++) {
			struct buffer text = {0};
			struct error err;
			char name[64];
			snprintf(name, sizeof(name), "failed/%zu.%zu", slots[i], n);
			if (fleet_read(watch->folder, name, 4096, &text, &err) == 0 && text.data && text.data[0] != '-')
				buffer_printf(out, "%s%.*s", out->length ? "," : "", (int)strcspn(text.data, " \n"), text.data);
			buffer_release(&text);
		}
}

/* Away from nodes where these slots failed and others have begun; where the engine has no further node, away from the
 * first alone, then from none. */
static int submit_away(struct fleet_watch *watch, const size_t *slots, size_t count, char job[64], struct error *err)
{
	struct buffer failed = {0}, away = {0};
	add_failed_nodes(watch, slots, count, &failed);
	buffer_text_add(&away, buffer_text(&failed));
	fleet_add_nodes(watch->folder, slots, count, &away);
	const char *const tries[] = {buffer_text(&away), buffer_text(&failed), ""};
	int status = -1;
	for (size_t i = 0; status != 0 && i < 3; i++)
		if (i == 0 || strcmp(tries[i], tries[i - 1]) != 0)
			status = fleet_engine_submit(watch->engine, watch->folder, slots, count, tries[i], job, err);
	buffer_release(&failed);
	buffer_release(&away);
	return status;
}

/* One submission: its number is claimed first, so that of two who watch only one submits. */
static int submit(struct fleet_watch *watch, size_t *slots, size_t count, struct error *err)
{
	struct buffer list = {0};
	const char **names;
	size_t number, waves = 0;
	char name[64], job[64], text[200];
	qsort(slots, count, sizeof(*slots), ascending);
	for (size_t i = 0; i < count; i++)
		buffer_printf(&list, "%zu\n", slots[i]);
	int status = fleet_names(watch->folder, "wave", &watch->arena, &names, &number, err);
	/* After the highest: one that the engine refused may be missing between them. */
	for (size_t i = 0; status == 0 && i < number; i++) {
		unsigned long wave = strtoul(names[i], NULL, 10);
		waves = wave >= waves ? wave + 1 : waves;
	}
	snprintf(name, sizeof(name), "wave/%zu", waves);
	int claimed = status == 0 ? fleet_publish(watch->folder, name, buffer_text(&list), list.length, err) : -1;
	buffer_release(&list);
	if (claimed != 1)
		return claimed;
	status = submit_away(watch, slots, count, job, err);
	watch->submitted = clock_now(&watch->host);
	if (status != 0) {
		fleet_withdraw(watch->folder, name); /* what the engine refused was not submitted */
		return -1;
	}
	watch->refusals = 0;
	snprintf(name, sizeof(name), "wave/%zu.job", waves);
	fleet_publish(watch->folder, name, job, strlen(job), err);
	snprintf(text, sizeof(text), "submitted %zu slot%s as job %s", count, count == 1 ? "" : "s", job);
	note(watch, text);
	return 0;
}

/* Slots of the waves that were never submitted. */
static int submit_new(struct fleet_watch *watch, struct error *err)
{
	const struct fleet_experiment *experiment = &watch->folder->experiment;
	size_t *slots = arena_alloc(&watch->arena, watch->wanted, sizeof(*slots)), count = 0;
	if (!slots)
		return error_memory(err);
	for (size_t i = 0; i < watch->wanted; i++)
		if (watch->slots[experiment->order[i]].tries == 0)
			slots[count++] = experiment->order[i];
	return count > 0 ? submit(watch, slots, count, err) : 0;
}

static int read_slots(struct fleet_watch *watch, struct error *err)
{
	arena_release(&watch->arena);
	watch->cancelled = fleet_has(watch->folder, "cancelled");
	return fleet_slots(watch->folder, &watch->arena, &watch->slots, err);
}

static int begin(struct fleet_watch *watch, const struct fleet_folder *folder, const struct fleet_observer *observer,
                 int cancel, struct error *err)
{
	*watch = (struct fleet_watch){.folder = folder,
	                              .engine = fleet_engine_find(folder->experiment.engine),
	                              .observer = observer,
	                              .host = host_real(),
	                              .cancel = cancel,
	                              .wanted = folder->experiment.machines};
	watch->queued = mem_zalloc(folder->experiment.machines_max, sizeof(*watch->queued));
	watch->released = mem_zalloc(folder->experiment.machines_max, sizeof(*watch->released));
	return watch->queued && watch->released ? read_slots(watch, err) : error_memory(err);
}

static void end(struct fleet_watch *watch)
{
	mem_free(watch->queued);
	mem_free(watch->released);
	arena_release(&watch->arena);
	arena_release(&watch->queue_arena);
}

int fleet_submit(const struct fleet_folder *folder, const struct fleet_observer *observer, struct error *err)
{
	struct fleet_watch watch;
	int status = begin(&watch, folder, observer, -1, err);
	if (status == 0 && watch.engine)
		status = submit_new(&watch, err);
	end(&watch);
	return status;
}

/* Held back again and again: as good as lost. */
static bool is_stuck(const struct fleet_watch *watch, const struct fleet_task *task)
{
	return task->state == FLEET_HELD && watch->released[task->slot] >= TRIES_MOST;
}

/* An engine that does not answer (its controller is down) is asked again later.
 * Returns whether there is a new answer. */
static bool ask_engine(struct fleet_watch *watch)
{
	int64_t now = clock_now(&watch->host);
	struct error err;
	if (!watch->engine || (watch->asked && now - watch->asked < queue_every))
		return false;
	watch->asked = now;
	arena_release(&watch->queue_arena);
	watch->task_count = 0;
	if (fleet_engine_queue(watch->engine, watch->folder, &watch->queue_arena, &watch->tasks, &watch->task_count,
	                       &err) != 0) {
		watch->task_count = 0;
		note(watch, "the engine does not answer; asking again in half a minute");
		return false;
	}
	watch->answered = now;
	memset(watch->queued, 0, watch->folder->experiment.machines_max * sizeof(*watch->queued));
	for (size_t i = 0; i < watch->task_count; i++)
		watch->queued[watch->tasks[i].slot] |= !is_stuck(watch, &watch->tasks[i]);
	return true;
}

/* An engine whose node failed to start a task may hold it back for ever. */
static void release_held(struct fleet_watch *watch)
{
	struct error err;
	char text[200];
	for (size_t i = 0; i < watch->task_count; i++) {
		struct fleet_task *task = &watch->tasks[i];
		if (task->state != FLEET_HELD || is_stuck(watch, task))
			continue;
		snprintf(text, sizeof(text), "slot %zu is held back by the engine (%.80s): it is released", task->slot,
		         task->reason);
		note(watch, text);
		watch->released[task->slot]++;
		if (fleet_engine_release(watch->engine, task, &err) != 0)
			note(watch, err.what);
		task->state = FLEET_WAITING;
	}
}

static bool is_whole(const struct fleet_watch *watch, size_t slot)
{
	return watch->slots[slot].chunks >= watch->folder->experiment.chunks;
}

/* Not in the queue by an answer that is younger than the last submission by some seconds; or every attempt has said
 * that it failed. */
static bool is_lost(const struct fleet_watch *watch, size_t slot)
{
	const struct fleet_slot *state = &watch->slots[slot];
	if (!watch->engine)
		return state->failures >= TRIES_MOST;
	if (state->tries > 0 && state->failures >= state->tries)
		return true;
	return watch->answered > watch->submitted + 5 * second && state->tries > 0 && !watch->queued[slot];
}

static bool is_given_up(const struct fleet_watch *watch, size_t slot)
{
	return !is_whole(watch, slot) && is_lost(watch, slot) && (!watch->engine || watch->slots[slot].tries >= TRIES_MOST);
}

/* What was lost goes to another node, twice. */
static int submit_lost(struct fleet_watch *watch, struct error *err)
{
	const struct fleet_experiment *experiment = &watch->folder->experiment;
	size_t *slots = arena_alloc(&watch->arena, watch->wanted, sizeof(*slots)), count = 0;
	char text[200];
	if (!slots)
		return error_memory(err);
	for (size_t i = 0; i < watch->wanted; i++) {
		size_t slot = experiment->order[i];
		if (is_whole(watch, slot) || !is_lost(watch, slot) || watch->slots[slot].tries >= TRIES_MOST ||
		    watch->slots[slot].tries == 0)
			continue;
		slots[count++] = slot;
		snprintf(text, sizeof(text), "slot %zu %s: it is submitted again", slot,
		         watch->slots[slot].failures >= watch->slots[slot].tries ? "failed" : "is no longer in the queue");
		note(watch, text);
	}
	return count > 0 ? submit(watch, slots, count, err) : 0;
}

/* What has to be submitted. An engine that has taken something before, and now refuses, is asked again for ten minutes:
 * its controller may be away for a while, or a limit reached. */
static int submit_all(struct fleet_watch *watch, struct error *err)
{
	int64_t now = clock_now(&watch->host);
	char text[sizeof(err->what) + 60];
	bool any = false;
	if (!watch->engine || (watch->refusals > 0 && now - watch->refused < queue_every))
		return 0;
	if (submit_new(watch, err) == 0 && submit_lost(watch, err) == 0)
		return 0;
	for (size_t i = 0; i < watch->wanted; i++)
		any |= watch->slots[watch->folder->experiment.order[i]].tries > 0;
	if (!any || err->kind != ERROR_SYSTEM || ++watch->refusals == REFUSALS_MOST)
		return -1;
	watch->refused = now;
	snprintf(text, sizeof(text), "%s; trying again in half a minute", err->what);
	note(watch, text);
	return 0;
}

/* Tasks that wait while none runs may wait for machines that are left out: then slots may share one. */
static void widen(struct fleet_watch *watch)
{
	size_t running = 0, waiting = 0;
	int64_t now = clock_now(&watch->host);
	for (size_t i = 0; i < watch->task_count; i++)
		++*(watch->tasks[i].state == FLEET_RUNNING ? &running : &waiting);
	if (!watch->engine || running > 0 || waiting == 0) {
		watch->stuck_since = 0;
		return;
	}
	if (watch->stuck_since == 0)
		watch->stuck_since = now;
	if (watch->widened || now - watch->stuck_since < 2 * queue_every)
		return;
	watch->widened = true;
	note(watch, "no further machine is free: slots that wait may share one with another slot");
	const char **names;
	size_t count;
	struct error err;
	if (fleet_names(watch->folder, "wave", &watch->arena, &names, &count, &err) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		struct buffer job = {0};
		char name[64];
		snprintf(name, sizeof(name), "wave/%.40s", names[i]);
		if (strstr(names[i], ".job") && fleet_read(watch->folder, name, 100, &job, &err) == 0)
			fleet_engine_leave_out(watch->engine, watch->folder, buffer_text(&job), "", &err);
		buffer_release(&job);
	}
}

static struct fleet_progress progress_of(const struct fleet_watch *watch)
{
	const struct fleet_experiment *experiment = &watch->folder->experiment;
	struct fleet_progress now = {.wanted = watch->wanted,
	                             .reason = "",
	                             .chunks_wanted = watch->wanted * experiment->chunks,
	                             .queue_known = watch->answered > 0};
	for (size_t i = 0; i < watch->wanted; i++) {
		size_t slot = experiment->order[i];
		now.done += is_whole(watch, slot);
		now.given_up += is_given_up(watch, slot);
		now.chunks += watch->slots[slot].chunks;
	}
	for (size_t i = 0; i < watch->task_count; i++) {
		const struct fleet_task *task = &watch->tasks[i];
		if (is_whole(watch, task->slot))
			continue;
		now.running += task->state == FLEET_RUNNING;
		now.waiting += task->state != FLEET_RUNNING;
		if (task->state != FLEET_RUNNING)
			now.reason = task->reason;
	}
	return now;
}

static bool is_undecided(const struct comparison *c)
{
	return c->gate == GATE_NONE ? c->verdict == VERDICT_UNDECIDED : c->gate == GATE_OPEN;
}

static bool undecided(const struct result *result)
{
	for (size_t i = 0; i < result->comparison_count; i++)
		if (is_undecided(&result->comparisons[i]))
			return true;
	return false;
}

/* All slots of the waves are whole or given up: look. 1: there is nothing more to ask for. */
static int look(struct fleet_watch *watch, struct result *out, struct error *err)
{
	const struct fleet_experiment *experiment = &watch->folder->experiment;
	struct fleet_look now = {experiment->order, watch->wanted, experiment->machines_max > experiment->machines};
	struct result found;
	char text[200];
	result_init(&found);
	if (fleet_collect(watch->folder, &now, &found, err) != 0)
		return -1;
	bool more = undecided(&found) && watch->wanted < experiment->machines_max;
	if (!more) {
		found.stopped.reason = undecided(&found) || found.comparison_count == 0 ? "count" : "verdict";
		fleet_adopt(out, &found);
		return 1;
	}
	result_release(&found);
	watch->wanted = fleet_wave(watch->wanted, experiment->machines_max);
	snprintf(text, sizeof(text), "no verdict yet: asking for %zu machines in all", watch->wanted);
	note(watch, text);
	return 0;
}

/* "+3.1 % [+0.2 %, +6.1 %]" of one comparison, or how many of several are decided. */
static void add_so_far(const struct result *found, struct buffer *out)
{
	char ratio[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	const struct comparison *first = found->comparisons;
	size_t decided = 0, kinds = first->machines ? first->machines->stratum_count : 0;
	for (size_t i = 0; i < found->comparison_count; i++)
		decided += !is_undecided(&found->comparisons[i]);
	if (found->comparison_count > 1)
		buffer_printf(out, "%zu of %zu comparisons are decided", decided, found->comparison_count);
	else if (isnan(first->ci.low))
		buffer_printf(out, "%s, no interval yet", format_percent(ratio, sizeof(ratio), first->ratio - 1, NAN, 1));
	else
		buffer_printf(out, "%s [%s, %s]", format_percent(ratio, sizeof(ratio), first->ratio - 1, NAN, 1),
		              format_percent(low, sizeof(low), first->ci.low - 1, NAN, 1),
		              format_percent(high, sizeof(high), first->ci.high - 1, NAN, 1));
	if (kinds > 1)
		buffer_printf(out, "; %zu kinds of CPU", kinds);
}

/* What the first machines of the drawn order say while others are measured. Nothing is decided by it. */
static int tell_so_far(struct fleet_watch *watch, struct error *err)
{
	const struct fleet_experiment *experiment = &watch->folder->experiment;
	size_t n = 0;
	while (n < watch->wanted && is_whole(watch, experiment->order[n]))
		n++;
	struct fleet_look now = {experiment->order, n, true};
	if (n < 2 || n == watch->wanted || n < watch->told + 1 + watch->told / 8 || fleet_is_large(watch->folder, &now))
		return 0;
	struct result found;
	struct buffer text = {0};
	watch->told = n;
	result_init(&found);
	int status = fleet_collect(watch->folder, &now, &found, err);
	if (status == 0 && found.comparison_count > 0) {
		buffer_printf(&text, "so far, of %zu machines: ", n);
		add_so_far(&found, &text);
		note(watch, buffer_text(&text));
	}
	buffer_release(&text);
	result_release(&found);
	return status;
}

static int round_once(struct fleet_watch *watch, struct result *out, struct error *err)
{
	const struct fleet_experiment *experiment = &watch->folder->experiment;
	if (read_slots(watch, err) != 0)
		return -1;
	/* A wave that another watcher has asked for is ours too. */
	for (size_t i = watch->wanted; i < experiment->machines_max; i++)
		if (watch->slots[experiment->order[i]].tries > 0)
			watch->wanted = i + 1;
	bool open = false;
	for (size_t i = 0; i < watch->wanted; i++)
		open |= !is_whole(watch, experiment->order[i]) && watch->slots[experiment->order[i]].tries > 0;
	/* A slot that was finished while the engine answered is in the folder and no longer in the queue. */
	if (open && ask_engine(watch) && read_slots(watch, err) != 0)
		return -1;
	release_held(watch);
	if (open && watch->cancelled) {
		error_set(err, ERROR_INTERRUPTED, "the fleet was cancelled");
		return error_next(err, "'tare fleet collect @%s' reports what is done", experiment->id);
	}
	if (submit_all(watch, err) != 0)
		return -1;
	widen(watch);
	struct fleet_progress now = progress_of(watch);
	if (watch->observer && watch->observer->progress)
		watch->observer->progress(watch->observer->context, &now);
	return now.done + now.given_up >= watch->wanted ? look(watch, out, err) : tell_so_far(watch, err);
}

int fleet_wait(const struct fleet_folder *folder, int cancel, const struct fleet_observer *observer, struct result *out,
               struct error *err)
{
	struct fleet_watch watch;
	int status = begin(&watch, folder, observer, cancel, err);
	while (status == 0 && (status = round_once(&watch, out, err)) == 0) {
		struct pollfd fd = {.fd = cancel, .events = POLLIN};
		if (poll(&fd, cancel >= 0 ? 1 : 0, POLL_MILLISECONDS) > 0) {
			error_set(err, ERROR_INTERRUPTED, "the fleet continues without tare watching");
			error_next(err, "'tare fleet wait @%s' watches again, 'tare fleet cancel @%s' ends it",
			           folder->experiment.id, folder->experiment.id);
			status = -1;
		}
	}
	end(&watch);
	return status < 0 ? -1 : 0;
}

int fleet_status(const struct fleet_folder *folder, struct arena *arena, struct fleet_progress *out,
                 struct fleet_slot **slots, struct fleet_task **tasks, size_t *task_count, struct error *err)
{
	struct fleet_watch watch;
	const struct fleet_experiment *experiment = &folder->experiment;
	int status = begin(&watch, folder, NULL, -1, err);
	if (status == 0) {
		for (size_t i = watch.wanted; i < experiment->machines_max; i++)
			if (watch.slots[experiment->order[i]].tries > 0)
				watch.wanted = i + 1;
		ask_engine(&watch);
		*out = progress_of(&watch);
		*slots = watch.slots;
		*tasks = watch.tasks;
		*task_count = watch.task_count;
		arena_adopt(arena, &watch.arena);
		arena_adopt(arena, &watch.queue_arena);
	}
	end(&watch);
	return status;
}

int fleet_collect_now(const struct fleet_folder *folder, bool all, struct result *out, size_t *left_out,
                      struct error *err)
{
	const struct fleet_experiment *experiment = &folder->experiment;
	struct arena arena = {0};
	struct fleet_slot *slots;
	size_t n = experiment->machines_max, count = 0, prefix = 0;
	int status = fleet_slots(folder, &arena, &slots, err);
	size_t *chosen = arena_alloc(&arena, n, sizeof(*chosen));
	bool *open = arena_alloc(&arena, n, sizeof(*open));
	if (status == 0 && (!chosen || !open))
		status = error_memory(err);
	for (size_t i = 0; status == 0 && i < n; i++) {
		const struct fleet_slot *slot = &slots[experiment->order[i]];
		bool given_up = slot->failures >= TRIES_MOST || (!experiment->engine[0] && slot->failures > 0);
		open[i] = slot->chunks < experiment->chunks && !given_up;
	}
	*left_out = 0;
	if (status == 0)
		prefix = fleet_prefix(open, n);
	for (size_t i = 0; status == 0 && i < n; i++) {
		const struct fleet_slot *slot = &slots[experiment->order[i]];
		if (i < prefix || (all && slot->chunks > 0))
			chosen[count++] = experiment->order[i];
		else if (slot->chunks >= experiment->chunks)
			++*left_out;
	}
	if (status == 0 && count == 0 && *left_out > 0) {
		error_set(err, ERROR_NO_DATA, "%zu slot%s done, but the first of the drawn order is not", *left_out,
		          *left_out == 1 ? " is" : "s are");
		status = error_next(err,
		                    "wait for it, or take them in the order of arrival, which favours fast machines: --all");
	}
	if (status == 0) {
		struct fleet_look now = {chosen, count,
		                         count < experiment->machines || experiment->machines_max > experiment->machines};
		status = fleet_collect(folder, &now, out, err);
	}
	if (status == 0)
		out->stopped.reason = "count";
	if (status == 0 && count < experiment->machines &&
	    result_warn(out, "fleet", "only %zu of %zu machines so far; 'tare fleet status' lists the others", count,
	                experiment->machines) != 0)
		status = error_memory(err);
	arena_release(&arena);
	return status;
}
