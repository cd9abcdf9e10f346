/* HTML reports and single plots of results, written to where the user wants them. */
#ifndef TARE_CLI_PAGE_H
#define TARE_CLI_PAGE_H

#include "base/error.h"
#include "model/history.h"
#include "model/result.h"
#include "report/suite_report.h"

#include <stdbool.h>
#include <stddef.h>

struct page {
	const char *title; /* NULL: from the results */
	const struct result *results;
	const char *const *sources; /* what each was read from; NULL: they were measured just now */
	size_t count;
	const struct history *history; /* NULL: none */
	const char *home;              /* of a folder of pages: the address of its first; NULL: none */
};

/* The page into a file or standard output ("-"). Raw data go along: whole up to 2 MB of text, thinned beyond. */
int page_save(const struct page *page, const char *path, struct error *err);

/* The same for one result that was measured just now. */
int page_save_one(const struct result *result, const char *path, struct error *err);

/* How to show the comparisons of a result: the largest effect first, with the geometric mean of a suite. */
struct suite_view page_view(const struct result *result);

/* The history of the first series as an SVG file. */
int page_save_history_plot(const struct history *history, const char *path, struct error *err);

/* Says that there is no plot of that name ("": none was given), and which there are; -1. */
int page_no_plot(const char *plot, struct error *err);

/* One plot by its name as an SVG file. `subject` chooses the comparison (or the single subject) by name; NULL: the
 * first. */
int page_save_plot(const struct result *result, const char *plot, const char *subject, const char *metric,
                   const char *path, struct error *err);

/* tare report --store: writes the pages of the store (NULL: that of this folder) into the folder, which is made where it is not there. Time
 * and memory grow with the number of results; one result is in memory at a time, two where they are compared. */
int explorer_write(const char *store, const char *folder, struct error *err);

#endif
