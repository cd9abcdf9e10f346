/* Figures: the plots of a result by name, as SVG. `tare report --plot NAME` draws one, a page draws those that fit.
 *
 * A figure shows one metric of a comparison, of one subject, or the comparisons of the whole result; which of them it
 * can be made of says figure_fits(). The values are those that count: warm-up is left out, except
 * in the run-sequence, which shows it as such. */
#ifndef TARE_REPORT_FIGURES_H
#define TARE_REPORT_FIGURES_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/result.h"
#include "report/svg.h"

enum figure {
	FIGURE_RATIO,       /* typical and total with intervals and margin */
	FIGURE_DENSITY,     /* distributions: density and strip */
	FIGURE_SEQUENCE,    /* values in order, with warm-up and phases */
	FIGURE_PAIRS,       /* new against base */
	FIGURE_PAIR_RATIOS, /* new over base, pair by pair */
	FIGURE_ORDER,       /* the same by order inside the pair, or by CPU side */
	FIGURE_LAG,         /* value after value, beside shuffled */
	FIGURE_ACF,         /* autocorrelation, beside shuffled */
	FIGURE_LEVELS,      /* variance by level */
	FIGURE_HISTOGRAM,
	FIGURE_PHASES, /* unit readings of a performance index with the ends of its stable phase */
	FIGURE_FOREST, /* all comparisons, from worst to best */
	FIGURE_COUNT
};

/* As choices of an option; figure_name() has them one by one. */
#define FIGURE_NAMES "ratio|density|sequence|pairs|pair-ratios|order|lag|acf|levels|histogram|phases|forest"

struct figure_source {
	const struct result *result;
	const struct comparison *comparison; /* NULL: none */
	size_t subject;                      /* for figures of one subject */
	const char *metric;
};

const char *figure_name(enum figure figure);  /* "ratio", "pair-ratios", … */
enum figure figure_by_name(const char *name); /* FIGURE_COUNT: there is none */
bool figure_of_subject(enum figure figure);   /* shows one subject, not a comparison */

/* What to call a subject in a figure: its name, or "base" and "new" where the two of a comparison share theirs. */
const char *figure_subject_name(const struct result *result, const struct comparison *comparison, size_t subject);

/* Whether there is something to draw. */
bool figure_fits(const struct figure_source *source, enum figure figure);

/* -1 and err when there is no memory, or nothing to draw (ERROR_NO_DATA). */
int figure_draw(const struct figure_source *source, enum figure figure, const struct svg_options *options,
                struct buffer *out, struct error *err);

/* How to read a figure that fits: what it shows, and the shades, lines and colours that it has when it is drawn with so
 * many points (as in struct svg_options). -1 and err: no memory. */
int figure_caption(const struct figure_source *source, enum figure figure, size_t points, struct buffer *out,
                   struct error *err);

/* Comparisons from worst to best; those without a ratio last. `order` has room for comparison_count indices. */
void figure_sort_comparisons(const struct result *result, size_t *order);

/* A row for each comparison, in that order, to be freed; NULL: no memory. */
struct plot_ratio *figure_forest(const struct result *result);

#endif
