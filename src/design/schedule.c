#include "design/schedule.h"

#include "base/memory.h"

#include <string.h>

int schedule_init(struct schedule *schedule, size_t subjects, uint64_t seed, struct error *err)
{
	size_t *order = mem_alloc(subjects, sizeof(*order));
	if (!order)
		return error_memory(err);
	*schedule = (struct schedule){.subjects = subjects, .order = order, .seed = seed};
	schedule_restart(schedule);
	return 0;
}

void schedule_release(struct schedule *schedule)
{
	mem_free(schedule->order);
	*schedule = (struct schedule){0};
}

void schedule_restart(struct schedule *schedule)
{
	schedule->backwards_next = false;
	for (size_t i = 0; i < schedule->subjects; i++)
		schedule->order[i] = i;
	random_seed(&schedule->random, schedule->seed);
}

const size_t *schedule_next(struct schedule *schedule)
{
	size_t n = schedule->subjects;
	if (schedule->backwards_next) {
		for (size_t i = 0; i < n / 2; i++) {
			size_t keep = schedule->order[i];
			schedule->order[i] = schedule->order[n - 1 - i];
			schedule->order[n - 1 - i] = keep;
		}
	} else {
		random_shuffle(&schedule->random, schedule->order, n, sizeof(*schedule->order));
	}
	schedule->backwards_next = !schedule->backwards_next;
	return schedule->order;
}

void schedule_ahead(const struct schedule *schedule, size_t rounds, size_t *orders)
{
	struct schedule later = *schedule;
	for (size_t i = 0; i < rounds; i++) {
		size_t *order = orders + i * schedule->subjects;
		memcpy(order, later.order, schedule->subjects * sizeof(*order));
		later.order = order;
		schedule_next(&later);
	}
}

bool schedule_before(const struct schedule *schedule, size_t first, size_t second)
{
	for (size_t i = 0; i < schedule->subjects; i++) {
		if (schedule->order[i] == first)
			return true;
		if (schedule->order[i] == second)
			return false;
	}
	return false;
}
