/* The program's own numbers: readings (the first number of a run) and unit readings (all of them). */
#include "measure/source_internal.h"

#include <stdio.h>
#include <string.h>

/* The environment of each subject with a word on whether unit readings are wanted behind it. */
static int make_environments(struct source *source, struct error *err)
{
	const struct experiment *experiment = source->experiment;
	bool any = false;
	for (size_t i = 0; i < experiment->pi_count; i++)
		any |= experiment->pis[i].units;
	if (!any)
		return 0;
	source->environments = arena_alloc(&source->arena, 2 * experiment->subject_count, sizeof(*source->environments));
	for (size_t i = 0; i < 2 * experiment->subject_count && source->environments; i++) {
		const char *const *given = experiment->subjects[i / 2].env;
		size_t n = 0;
		while (given && given[n])
			n++;
		const char **env = arena_alloc(&source->arena, n + 2, sizeof(*env));
		if (!env)
			return error_memory(err);
		if (n > 0)
			memcpy(env, given, n * sizeof(*env));
		env[n] = i % 2 ? "TARE_READINGS=0" : "TARE_READINGS=1";
		source->environments[i] = env;
	}
	return source->environments ? 0 : error_memory(err);
}

int source_open_indices(struct source *source, struct error *err)
{
	const struct experiment *experiment = source->experiment;
	size_t count = experiment->pi_count;
	source->readers = arena_alloc(&source->arena, count, sizeof(*source->readers));
	source->side_files = arena_alloc(&source->arena, count, sizeof(*source->side_files));
	source->numbers = arena_alloc(&source->arena, count * SOURCE_STEPS, sizeof(*source->numbers));
	if (!source->readers || !source->side_files || !source->numbers)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		const struct performance_index *pi = &experiment->pis[i];
		if (pi_reader_init(&source->readers[i], pi, err) != 0)
			return -1;
		if (pi->path && side_file_init(&source->side_files[i], source->host, pi->path, pi->place == PI_FIFO,
		                               SOURCE_OUTPUT_MAX, err) != 0)
			return -1;
		source_add_metric(source, pi->metric);
	}
	return make_environments(source, err);
}

void source_close_indices(struct source *source)
{
	size_t count = source->experiment->pi_count;
	for (size_t i = 0; source->readers && i < count; i++)
		pi_reader_release(&source->readers[i]);
	for (size_t i = 0; source->side_files && i < count; i++)
		side_file_release(&source->side_files[i]);
	for (size_t i = 0; source->numbers && i < count * SOURCE_STEPS; i++)
		pi_numbers_release(&source->numbers[i]);
}

void source_want_readings(struct source *source, bool wanted)
{
	source->without_readings = !wanted;
}

bool source_has_side_files(const struct source *source)
{
	for (size_t i = 0; i < source->experiment->pi_count; i++)
		if (source->experiment->pis[i].path)
			return true;
	return false;
}

/* The index that reads the same file before this one; itself where there is none. */
static size_t first_of_path(const struct source *source, size_t index)
{
	const struct performance_index *pis = source->experiment->pis;
	for (size_t i = 0; i < index; i++)
		if (pis[i].path && pis[index].path && strcmp(pis[i].path, pis[index].path) == 0)
			return i;
	return index;
}

static bool has_own_file(const struct source *source, size_t index)
{
	return source->experiment->pis[index].path && first_of_path(source, index) == index;
}

int source_begin_indices(struct source *source, struct error *err)
{
	for (size_t i = 0; i < source->experiment->pi_count; i++) {
		if (!has_own_file(source, i) || side_file_begin(&source->side_files[i], err) == 0)
			continue;
		while (i-- > 0)
			if (has_own_file(source, i))
				side_file_end(&source->side_files[i], NULL);
		return -1;
	}
	return 0;
}

int source_end_indices(struct source *source, struct error *err)
{
	int status = 0;
	struct error later;
	for (size_t i = 0; i < source->experiment->pi_count; i++)
		if (has_own_file(source, i) && side_file_end(&source->side_files[i], status ? &later : err) != 0)
			status = -1;
	return status;
}

/* The numbers of one text; 1 when it has none. One that is too long for its unit readings fails the sample. */
static int read_text(struct source *source, size_t index, size_t place, const struct buffer *text,
                     struct sample *sample, struct error *err)
{
	const struct pi_reader *reader = &source->readers[index];
	struct pi_numbers *all = &source->numbers[place * source->experiment->pi_count + index];
	if (text->out_of_memory)
		return error_memory(err);
	if (!reader->pi->units) {
		double *value = &sample->values[METRICS_OF_COMMANDS + index];
		int found = pi_reader_find(reader, buffer_text(text), text->length, value, err);
		return found < 0 ? -1 : !found;
	}
	if (pi_reader_all(reader, buffer_text(text), text->length, all, err) != 0)
		return -1;
	if (all->n == 0)
		return 1;
	if (text->too_long) { /* the last may be cut, those behind it are missing */
		char what[80];
		snprintf(what, sizeof(what), "its %s is over %d MiB, too long for unit readings",
		         reader->pi->path ? "file" : "output", SOURCE_OUTPUT_MAX >> 20);
		source_fail_sample(sample, what);
		all->n = 0;
	}
	return 0;
}

/* The first line of a text that is not empty, for a message. */
static void first_line(const struct buffer *text, char *out, size_t size)
{
	const char *line = buffer_text(text) + strspn(buffer_text(text), " \t\r\n");
	int length = (int)strcspn(line, "\r\n");
	snprintf(out, size, "%.*s", length > 60 ? 60 : length, line);
}

static void say_what_is_missing(const struct source *source, size_t index, const struct buffer *text,
                                struct sample *sample)
{
	const struct performance_index *pi = &source->experiment->pis[index];
	char what[160], line[64];
	if (pi->path && text->length == 0)
		snprintf(what, sizeof(what), "it wrote nothing to '%.90s' for '%.40s'", pi->path, pi->metric.name);
	else
		snprintf(what, sizeof(what), "its %s has no number for '%.60s'%s", pi->path ? "file" : "output",
		         pi->metric.name, text->too_long ? " in the first 16 MiB" : "");
	source_fail_sample(sample, what);
	first_line(text, line, sizeof(line));
	if (line[0])
		snprintf(sample->next, sizeof(sample->next), "it begins with '%s'; does --pi fit it?", line);
	else
		snprintf(sample->next, sizeof(sample->next),
		         "it is empty; if the command writes to a file, name that with file=PATH");
}

int source_read_indices(struct source *source, size_t place, struct sample *sample, struct error *err)
{
	const struct experiment *experiment = source->experiment;
	for (size_t i = 0; i < experiment->pi_count; i++)
		source->numbers[place * experiment->pi_count + i].n = 0;
	for (size_t i = 0; i < experiment->pi_count && !source->without_readings; i++) {
		const struct performance_index *pi = &experiment->pis[i];
		const struct buffer *out = &source->outputs[place], *other = NULL;
		if (pi->path)
			out = &source->side_files[first_of_path(source, i)].text;
		else if (pi->place == PI_STDERR)
			out = &source->errors[place];
		else if (pi->place == PI_OUTPUT) /* many programs report on standard error */
			other = &source->errors[place];
		int missing = read_text(source, i, place, out, sample, err);
		if (missing > 0 && other)
			missing = read_text(source, i, place, other, sample, err);
		if (missing < 0)
			return -1;
		if (missing > 0)
			say_what_is_missing(source, i, out->length || !other ? out : other, sample);
	}
	return 0;
}
