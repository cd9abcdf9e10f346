#include "cli/saver.h"

#include "base/memory.h"
#include "cli/message.h"
#include "exchange/document.h"
#include "host/checkout.h"
#include "host/clock.h"
#include "host/file.h"
#include "report/overview.h"
#include "store/maintain.h"
#include "store/programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long a transaction may wait for other processes: between rounds, and at the end. */
enum { BETWEEN_ROUNDS = 100, AT_THE_END = 5000 };

static void describe_checkout(struct saver *saver, const struct host *host)
{
	struct checkout checkout;
	checkout_describe(host, &checkout);
	saver->origin.commit = checkout.commit[0] ? arena_strdup(&saver->arena, checkout.commit) : NULL;
	saver->origin.branch = checkout.branch[0] ? arena_strdup(&saver->arena, checkout.branch) : NULL;
	saver->origin.dirty = checkout.dirty_known ? checkout.dirty : -1;
}

static void open_store(struct saver *saver)
{
	char path[STORE_PATH];
	if (!saver->store && store_locate(STORE_WRITE, path, &saver->problem) == 0)
		saver->store = store_open(path, STORE_WRITE, &saver->problem);
}

void saver_init(struct saver *saver, const struct measure_options *options, const struct experiment *experiment)
{
	struct host host = host_real();
	*saver = (struct saver){
		.off = options->no_save || options->dry_run, .quiet = options->quiet, .started = clock_now(&host)};
	saver->experiment = experiment;
	if (!options->builds && !options->dry_run &&
	    (!saver->off || options->out.json)) /* else it has them build by build */
		saver->programs = store_programs_of(experiment, &saver->arena);
	if (saver->off)
		return;
	saver->origin.tags = options->tags.items;
	saver->origin.tag_count = options->tags.count;
	saver->replaces = options->replaces;
	saver->metric = options->metrics.count > 0 ? options->metrics.items[0] : NULL;
	describe_checkout(saver, &host);
	open_store(saver);
	if (saver->store && saver->replaces > 0)
		saver->taken = store_claim(saver->store, saver->replaces, &saver->problem) != 0;
	if (saver->store)
		store_patience(saver->store, BETWEEN_ROUNDS);
	saver->started = clock_now(&host);
}

/* One program per subject, where it is known. */
static int match_programs(struct saver *saver, const struct result *result, struct error *err)
{
	struct store_program *programs = arena_alloc(&saver->arena, result->subject_count, sizeof(*programs));
	if (!programs)
		return error_memory(err);
	for (size_t i = 0; saver->programs && i < result->subject_count; i++) {
		size_t side = result_side(result, i);
		if (side < saver->experiment->subject_count) /* else it was not measured now */
			programs[i] = saver->programs[side];
	}
	saver->origin.programs = programs;
	saver->origin.program_count = result->subject_count;
	return 0;
}

void saver_mark(const struct saver *saver, struct result *result)
{
	for (size_t i = 0; saver->programs && i < result->subject_count; i++) {
		size_t side = result_side(result, i);
		const char *hash = side < saver->experiment->subject_count ? saver->programs[side].hash : NULL;
		struct benchmark_loop *loop = hash && hash[0] ? subject_own_loop(result, &result->subjects[i]) : NULL;
		if (loop)
			loop->hash = arena_strdup(&result->arena, hash);
	}
}

static int64_t since_start(const struct saver *saver)
{
	struct host host = host_real();
	return (clock_now(&host) - saver->started) / 1000000;
}

const char *saver_deciding(const struct saver *saver, const struct result *result)
{
	if (result->comparison_count > 0)
		return overview_metric(result);
	/* Of one command with an index of its own that is what the session went by. */
	return saver->metric ? saver->metric : result->stopped.metric ? result->stopped.metric : overview_metric(result);
}

static int begin(struct saver *saver, const struct result *result, struct error *err)
{
	SCOPED(buffer) struct buffer document = {0};
	saver->origin.metric = saver_deciding(saver, result);
	if (document_write_frame(result, &document, err) == 0 && match_programs(saver, result, err) == 0)
		saver->writer = store_begin(saver->store, result, &document, &saver->origin, since_start(saver), err);
	return saver->writer ? 0 : -1;
}

void saver_round(void *context, const struct result *result, bool more)
{
	struct saver *saver = context;
	bool ran_out = mem_ran_out();
	if (saver->off || !saver->store)
		return;
	int status;
	if (!saver->writer)
		status = begin(saver, result, &saver->problem);
	else if (more)
		status = store_note_round(saver->writer, since_start(saver), &saver->problem);
	else
		status = store_round(saver->writer, result, since_start(saver), &saver->problem);
	/* What could not be written is written with the next round; it must not wait for long again and again. */
	store_patience(saver->store, status == 0 ? BETWEEN_ROUNDS : 0);
	if (!ran_out)
		mem_forget_ran_out();
}

static int save(struct saver *saver, const struct result *result, struct error *err)
{
	SCOPED(buffer) struct buffer document = {0};
	open_store(saver);
	if (!saver->store) {
		*err = saver->problem;
		return -1;
	}
	store_patience(saver->store, AT_THE_END);
	if (!saver->writer && begin(saver, result, err) != 0)
		return -1;
	saver->origin.metric = saver_deciding(saver, result);
	int status = document_write_frame(result, &document, err);
	return status == 0 ? store_finish(saver->writer, result, &document, err) : -1;
}

/* Whether a file that was written can be read again: /dev/null, a pipe or a terminal cannot, and a descriptor has gone
 * with this process. */
static bool is_kept(const char *path)
{
	return strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 &&
	       file_kind(&syscalls_libc, path) == FILE_REGULAR;
}

/* Unless --json wrote it already: the whole document under a name that nobody has, here or else in the folder for
 * temporary files; as root only in folders of root's. */
static void rescue(const struct result *result, const char *document, const struct error *why)
{
	const char *temporary = getenv("TMPDIR"), *folders[] = {".", temporary ? temporary : "/tmp"};
	char path[4096], when[32], text[1200];
	time_t now = time(NULL);
	struct tm utc;
	struct error err;
	gmtime_r(&now, &utc);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &utc);
	error_text(why, text, sizeof(text));
	message_note("the result is not in the store: %s", text);
	if (document && strcmp(document, "-") != 0 && is_kept(document)) {
		message_note("it is in %s, as requested; 'tare history import' adds it to a store", document);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/tare-rescue-%s-%d.json", folders[i], when, (int)getpid());
		if (file_not_of_others(&syscalls_libc, folders[i], &err) == 0 &&
		    document_save_private(result, path, &err) == 0) {
			message_note("it was written to %s; 'tare history import' adds it to a store", path);
			return;
		}
	}
	error_text(&err, text, sizeof(text));
	message_note("nor could it be written to a file: %s", text);
}

/* Values that are there; a lost run leaves a gap. */
static size_t values_in(const struct measurement *m)
{
	size_t count = 0;
	for (size_t i = 0; m && i < m->series.n; i++)
		count += !isnan(m->series.values[i]);
	return count;
}

/* Whether all that was measured earlier is in the result too. */
static bool holds(const struct result *result, const struct result *earlier)
{
	if (result->subject_count < earlier->subject_count || result->design.order_count < earlier->design.order_count)
		return false;
	for (size_t s = 0; s < earlier->subject_count; s++)
		for (size_t m = 0; m < earlier->subjects[s].metric_count; m++) {
			const struct measurement *old = &earlier->subjects[s].metrics[m];
			if (values_in(subject_find_metric(&result->subjects[s], old->metric.name)) < values_in(old))
				return false;
		}
	return true;
}

static void remove_earlier(struct saver *saver, const struct result *result)
{
	struct error err;
	if (saver->replaces <= 0)
		return;
	if (saver->taken)
		message_note("@%lld is kept: another process is using it", (long long)saver->replaces);
	else if (!holds(result, saver->experiment->earlier))
		message_note("@%lld is kept: not all of it was taken over", (long long)saver->replaces);
	else /* a baseline stays, as it was when it became one */
		store_remove(saver->store, saver->replaces, &err);
}

int64_t saver_finish(struct saver *saver, const struct result *result)
{
	struct error err;
	bool measured = false;
	for (size_t i = 0; i < result->subject_count; i++)
		for (size_t m = 0; m < result->subjects[i].metric_count; m++)
			measured |= result->subjects[i].metrics[m].series.n > 0;
	if (saver->off || !measured)
		return 0;
	if (save(saver, result, &err) != 0) {
		mem_forget_ran_out();
		rescue(result, saver->document, &err);
		return 0;
	}
	remove_earlier(saver, result);
	if (!saver->quiet && isatty(STDERR_FILENO))
		message_note("saved as @%lld", (long long)store_writer_id(saver->writer));
	return store_writer_id(saver->writer);
}

void saver_release(struct saver *saver)
{
	store_writer_free(saver->writer);
	store_close(saver->store);
	arena_release(&saver->arena);
}
