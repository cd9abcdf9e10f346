/* tare analyze --changes: changes of level in the series of files. */
#ifndef TARE_CLI_CHANGES_H
#define TARE_CLI_CHANGES_H

#include "cli/documents.h"
#include "cli/reading.h"

struct changes_choices {
	bool wanted;
	double min_change; /* smallest change to report, a fraction */
};

/* Prints the changes of every series of the files, and writes the documents that are asked for: a table (csv) and all of
 * it (json); one on standard output takes the place of the text. A table with a row for each result is a history; of
 * other data the iterations of each run are a series, or the runs where they have one value each. */
int changes_of_files(const struct changes_choices *choices, const struct reading_options *reading,
                     const struct text_list *files, const struct document_paths *out, struct error *err);

#endif
