/* Measuring an experiment and telling the user: shared by the commands that measure. */
#ifndef TARE_CLI_MEASURE_H
#define TARE_CLI_MEASURE_H

#include "cli/measure_options.h"
#include "model/experiment.h"
#include "report/look.h"
#include "session/session.h"

/* What the commands that measure differ in. */
struct measure_kind {
	const struct instrument *instrument;
	int (*text)(const struct result *result, const struct look *look, struct buffer *out, struct error *err);
	int (*markdown)(const struct result *result, const struct look *look, struct buffer *out, struct error *err);
};
extern const struct measure_kind measure_commands;

/* Measures, prints, writes the documents that were asked for; the exit code. */
int measure_and_report(const struct measure_kind *kind, struct experiment *experiment,
                       const struct measure_options *options, int argc, char **argv);

/* An error before anything was measured: the message, under a gate the last line, and the exit code. */
int measure_failed(const struct measure_options *options, struct error *err);

/* --pi options into the experiment. */
int measure_read_pis(struct experiment *experiment, const struct text_list *specs, struct error *err);

#endif
