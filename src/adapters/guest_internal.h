/* What the files of a guest share. */
#ifndef TARE_ADAPTERS_GUEST_INTERNAL_H
#define TARE_ADAPTERS_GUEST_INTERNAL_H

#include "adapters/guest.h"
#include "base/buffer.h"
#include "measure/trial.h"

struct guest {
	struct guest_request request;
	const struct host *host;
	struct spawner *spawner;
	const struct adapter *adapter;
	const char **words;
	char program[4096]; /* the file of the first word */
	char folder[4096];  /* of ours alone, where its processes write; "": none yet */
	bool listed;
	char cut_short[300]; /* why its list may not be all that it has; "": it is */
	struct harness_benchmark *list;
	size_t count, capacity;
	const char **doubles;
	size_t double_count;
	struct arena arena;
};

/* What a process wrote. */
struct guest_output {
	struct adapter_command command;
	struct arena arena;
	struct buffer standard, error; /* standard output and standard error */
	struct buffer text;            /* the results, where they are a file or standard output */
};

void guest_output_init(struct guest_output *output);
void guest_output_release(struct guest_output *output);

/* The command of the adapter as a trial; `output` must outlive it. */
int guest_prepare(struct guest *guest, const struct adapter_request *request, struct guest_output *output,
                  struct trial_request *trial, struct error *err);

/* After the process: its results in output->text (a folder stays where it is). -1 and err: there are none. */
int guest_collect(struct guest *guest, struct guest_output *output, struct error *err);

/* The results by the importer of the framework. */
int guest_import(struct guest *guest, const struct guest_output *output, struct result *out, struct error *err);

/* The name that the framework has for an imported subject, with its parameters where the name has none of them; lives as long as
 * the result. "": no memory. */
const char *guest_key_of(const struct guest *guest, struct result *result, const struct subject *subject);

/* A file, or a folder with all that is in it. */
void guest_remove(const struct host *host, const char *path);

/* What became of the process, and what it says of why. */
void guest_explain(const struct guest *guest, const struct outcome *outcome, const struct guest_output *output,
                   char *out, size_t size);

/* The last line that is not empty and begins so. */
void guest_last_line(const struct buffer *text, const char *beginning, char *out, size_t size);

#endif
