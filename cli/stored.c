#include "cli/stored.h"

#include "analysis/analysis.h"
#include "exchange/document.h"
#include "host/file.h"
#include "store/loader.h"

#include <stdio.h>
#include <string.h>

bool stored_is_named(const char *argument)
{
	if (argument[0] != '@' || !argument[1])
		return false;
	enum file_kind kind = file_kind(&syscalls_libc, argument);
	return kind == FILE_MISSING || kind == FILE_UNKNOWN;
}

struct store *stored_open(struct error *err)
{
	char path[STORE_PATH];
	return store_locate(STORE_READ, path, err) == 0 ? store_open(path, STORE_READ, err) : NULL;
}

/* The document of one that was not finished was written at its beginning. */
static int take_state(struct store *store, int64_t id, struct result *out, struct error *err)
{
	struct store_facts facts;
	if (store_facts(store, id, &out->arena, &facts, err) != 0)
		return -1;
	if (facts.orphaned)
		out->stopped.reason = "killed";
	else if (strcmp(facts.state, "done") != 0)
		out->stopped.reason = facts.state; /* "interrupted", "failed", "running" */
	return 0;
}

static int load(struct store *store, int64_t id, struct result *out, struct error *err)
{
	SCOPED(buffer) struct buffer document = {0};
	char name[32];
	snprintf(name, sizeof(name), "@%lld", (long long)id);
	if (store_document(store, id, &document, err) != 0 ||
	    document_read_text(buffer_text(&document), document.length, name, out, err) != 0 ||
	    store_samples(store, id, out, err) != 0)
		return -1;
	return take_state(store, id, out, err);
}

/* The rounds of one that ends meanwhile go from one table to another. */
int stored_load(struct store *store, int64_t id, struct result *out, struct error *err)
{
	if (store_moment_begin(store, err) != 0)
		return -1;
	int status = load(store, id, out, err);
	store_moment_end(store);
	return status;
}

int stored_read(const char *argument, struct result *out, struct error *err)
{
	int64_t id = 0;
	SCOPED(stored) struct store *store = stored_open(err);
	return store && store_find(store, argument + 1, &id, err) == 0 ? stored_load(store, id, out, err) : -1;
}

int stored_estimate(struct result *result, const char *deciding, struct error *err)
{
	struct analysis_options options;
	analysis_options_init(&options);
	options.deciding = deciding;
	options.skip = 0;
	return analyse_subjects(result, &options, err) == 0 ? analyse_comparisons(result, &options, err) : -1;
}

bool stored_is_confirmation(const struct store_row *row)
{
	size_t length = strlen(STORE_CONFIRMATION);
	for (const char *at = row->tags; (at = strstr(at, STORE_CONFIRMATION)); at += length)
		if ((at == row->tags || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
			return true;
	return false;
}
