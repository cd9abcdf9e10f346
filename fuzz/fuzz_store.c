/* A libFuzzer target for the file of a store: read through as 'tare history' does. */
#include "exchange/document.h"
#include "store/loader.h"
#include "store/maintain.h"
#include "store/query.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int64_t ids[16];
static size_t id_count;

static int take_row(void *context, const struct store_row *row, struct error *err)
{
	(void)context;
	(void)err;
	if (id_count < 16)
		ids[id_count++] = row->id;
	return id_count == 16;
}

static int take_point(void *context, const struct store_point *point, struct error *err)
{
	size_t *seen = context;
	(void)point;
	(void)err;
	return ++*seen > 1000;
}

static void load(struct store *store, int64_t id)
{
	struct buffer document = {0};
	struct result result;
	struct arena arena = {0};
	struct store_facts facts;
	struct error err = {0};
	result_init(&result);
	if (store_document(store, id, &document, &err) == 0 &&
	    document_read_text(buffer_text(&document), document.length, "document", &result, &err) == 0)
		store_samples(store, id, &result, &err);
	store_facts(store, id, &arena, &facts, &err);
	buffer_release(&document);
	result_release(&result);
	arena_release(&arena);
}

static char folder[32], path[64];

static void tidy(void)
{
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct store_filter all = {.limit = 16};
	struct error err = {0};
	size_t points = 0;
	if (!path[0]) {
		/* In memory where that is possible: SQLite flushes what it writes. */
		snprintf(folder, sizeof(folder), "%s/fuzz-store-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
		if (!mkdtemp(folder))
			return 0;
		atexit(tidy);
		snprintf(path, sizeof(path), "%s/tare.db", folder);
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ssize_t put = fd >= 0 ? write(fd, bytes, length) : -1;
	if (fd >= 0)
		close(fd);
	if (put != (ssize_t)length)
		return 0;
	struct store *store = store_open(path, STORE_READ, &err);
	if (!store && (err.kind == ERROR_NONE || !err.what[0]))
		abort();
	if (store) {
		id_count = 0;
		store_list(store, &all, take_row, NULL, &err);
		store_points(store, &all, take_point, &points, &err);
		for (size_t i = 0; i < id_count; i++)
			load(store, ids[i]);
	}
	store_close(store);
	unlink(path);
	return 0;
}
