/* tare analyze --changes: changes of level in the series of files. */
#ifndef TARE_CLI_CHANGES_H
#define TARE_CLI_CHANGES_H

#include "cli/reading.h"

struct changes_choices {
	bool wanted;
	double min_change; /* least change to tell, a fraction */
};

/* Prints the changes of every series of the files, or as a table where `csv` names a file. A table with a row for each
 * result is a history; of other data the iterations of each run are a series, or the runs where they have one value
 * each. */
int changes_of_files(const struct changes_choices *choices, const struct reading_options *reading,
                     const struct text_list *files, const char *csv, struct error *err);

#endif
