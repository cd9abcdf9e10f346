/* What a chunk says of each comparison, in a few hundred bytes beside its samples: enough to collect thousands of
 * machines without reading what they measured.
 *
 * It stands in the comment of the gzip header, which every reader skips; the document behind it is whole. */
#ifndef TARE_FLEET_SUMMARY_H
#define TARE_FLEET_SUMMARY_H

#include "analysis/machines.h"
#include "fleet/experiment.h"

struct fleet_summary_row {
	const char *base, *new_, *metric; /* names of the subjects */
	struct machine_numbers numbers;
	size_t runs[2]; /* that were begun of base and new */
	size_t strange; /* values of new that are infinite, not numbers, or times of 0 or below */
};

/* Runs of a subject that failed alike. */
struct fleet_failures {
	const char *subject, *what;
	int exit_code; /* as in struct failure */
	size_t count;
};

struct fleet_summary {
	struct arena arena;
	struct machine_info machine;
	const char *design;
	struct fleet_summary_row *rows;
	size_t count;
	/* What a gate heeds beside the numbers. Early summaries are without it. */
	bool complete;
	uint64_t seed;
	struct fleet_failures *failures;
	struct warning *warnings; /* texts without what they are about */
	size_t failure_count, warning_count;
};

/* Of a result of one machine, analysed and compared; the text is appended. */
int fleet_summary_write(struct result *result, const struct fleet_experiment *experiment, struct buffer *out,
                        struct error *err);

/* From a chunk's file; nothing behind the header is read. -1, ERROR_NO_DATA: there is no file; ERROR_INPUT: it has no
 * summary, or one that is malformed. */
int fleet_summary_read(struct fleet_summary *summary, const char *path, struct error *err);
/* What an early summary lacks, from the result behind it, whose names it shares. */
int fleet_summary_complete(struct fleet_summary *summary, const struct result *result, struct error *err);
void fleet_summary_release(struct fleet_summary *summary);

#endif
