/* Atomic fields of fixed width on a board that fork shares. */
#include "host/meeting.h"

#include "host/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

enum {
	MAGIC = 0x6d656574,
	VERSION = 1,
	/* Time for the slowest to wake up, before all start at one instant: an idle CPU of a virtual
	 * machine takes up to about 50 µs. */
	LEAD = 100000,
};

static uint32_t load(const uint32_t *field)
{
	return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *field, uint32_t value)
{
	__atomic_store_n(field, value, __ATOMIC_RELEASE);
}

int meeting_init(const struct host *host, struct meeting *meeting)
{
	struct meeting_board *board = host->sys->mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
	                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (board == MAP_FAILED)
		return -1;
	board->magic = MAGIC;
	board->version = VERSION;
	board->size = sizeof(*board);
	struct meeting made = {.board = board};
	for (int i = 0; i < LANES_MAX; i++) {
		made.wake[i] = host->sys->eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (made.wake[i] < 0) {
			int problem = errno;
			while (i-- > 0)
				host->sys->close(made.wake[i]);
			host->sys->munmap(board, sizeof(*board));
			errno = problem;
			return -1;
		}
	}
	*meeting = made;
	return 0;
}

void meeting_release(const struct host *host, struct meeting *meeting)
{
	if (!meeting->board)
		return;
	for (int i = 0; i < LANES_MAX; i++)
		host->sys->close(meeting->wake[i]);
	host->sys->munmap(meeting->board, sizeof(*meeting->board));
	memset(meeting, 0, sizeof(*meeting));
}

void meeting_wake(const struct host *host, const struct meeting *meeting, uint32_t participants, unsigned except)
{
	uint64_t one = 1;
	for (unsigned i = 0; i < LANES_MAX; i++)
		if (i != except && (participants >> i & 1)) {
			/* Where it fails the other looks by itself, a little later. */
			while (host->sys->write(meeting->wake[i], &one, sizeof(one)) < 0 && errno == EINTR)
				;
		}
}

void meeting_set_alive(const struct host *host, struct meeting *meeting, unsigned lane, bool alive)
{
	if (alive) {
		store(&meeting->board->lanes[lane].arrived, 0);
		store(&meeting->board->lanes[lane].failed, 0);
		store(&meeting->board->lanes[lane].ended, 0);
	}
	store(&meeting->board->lanes[lane].alive, alive);
	meeting_wake(host, meeting, UINT32_MAX, LANES_MAX);
}

void meeting_arrive(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                    uint32_t participants)
{
	store(&meeting->board->lanes[lane].arrived, number);
	meeting_wake(host, meeting, participants, lane);
}

void meeting_fail(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                  uint32_t participants)
{
	store(&meeting->board->lanes[lane].failed, number);
	meeting_wake(host, meeting, participants, lane);
}

/* In one order for all: of two that end at the same time and look at each other next, one sees that it is the last. */
void meeting_mark_ended(struct meeting *meeting, unsigned lane, uint32_t number)
{
	__atomic_store_n(&meeting->board->lanes[lane].ended, number, __ATOMIC_SEQ_CST);
}

void meeting_end(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                 uint32_t participants)
{
	meeting_mark_ended(meeting, lane, number);
	meeting_wake(host, meeting, participants, lane);
}

enum meeting_state meeting_look(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                                uint32_t participants, int64_t *instant)
{
	struct meeting_board *board = meeting->board;
	if (load(&board->agreed) == number) {
		*instant = __atomic_load_n(&board->instant, __ATOMIC_ACQUIRE);
		return MEETING_READY;
	}
	bool all = true;
	for (unsigned i = 0; i < LANES_MAX; i++) {
		if (!(participants >> i & 1))
			continue;
		if (!load(&board->lanes[i].alive) || load(&board->lanes[i].failed) == number)
			return MEETING_LOST;
		all = all && load(&board->lanes[i].arrived) == number;
	}
	uint32_t before = load(&board->claimed);
	if (!all || before == number ||
	    !__atomic_compare_exchange_n(&board->claimed, &before, number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return MEETING_WAIT;
	*instant = clock_now(host) + LEAD;
	__atomic_store_n(&board->instant, *instant, __ATOMIC_RELEASE);
	store(&board->agreed, number);
	meeting_wake(host, meeting, participants, lane);
	return MEETING_READY;
}

bool meeting_all_ended(const struct meeting *meeting, uint32_t number, uint32_t participants)
{
	const struct meeting_board *board = meeting->board;
	for (unsigned i = 0; i < LANES_MAX; i++)
		if ((participants >> i & 1) && load(&board->lanes[i].alive) && load(&board->lanes[i].failed) != number &&
		    __atomic_load_n(&board->lanes[i].ended, __ATOMIC_SEQ_CST) != number)
			return false;
	return true;
}
