/* A writer from the inside, shared by writer.c (while it is measured) and finish.c (when it has ended). */
#ifndef TARE_STORE_WRITER_STATE_H
#define TARE_STORE_WRITER_STATE_H

#include "base/buffer.h"
#include "store/rows.h"

/* How much of a series has been written, and how many groups of each level it had then; and the same for the round
 * under way. */
struct cursor {
	int64_t id;
	size_t n, moved_n;
	size_t groups[LEVEL_COUNT], moved_groups[LEVEL_COUNT];
};

struct known_subject {
	int64_t id;
	struct cursor *cursors; /* one per metric */
	size_t count, capacity;
};

struct store_writer {
	struct store *store;
	const struct store_origin *origin;
	int64_t id;
	struct known_subject *subjects;
	size_t subject_count, subject_capacity;
	size_t orders;  /* entries of the order written */
	size_t rounds;  /* written */
	size_t noted;   /* that have ended: the later ones are written with the next */
	int64_t *times; /* of those that have ended */
	size_t time_capacity;
	bool broken;  /* rows that this struct knows may be missing: only a new writer can save it */
	bool claimed; /* see store/alive.h */
	struct buffer scratch;
	sqlite3_stmt *round;
};

/* Rows for the subjects and metrics that have none yet. */
int writer_sync(struct store_writer *writer, const struct result *result, struct error *err);

#endif
