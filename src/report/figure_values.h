/* The values behind figures: without warm-up, pair by pair, by order. For figures.c. */
#ifndef TARE_REPORT_FIGURE_VALUES_H
#define TARE_REPORT_FIGURE_VALUES_H

#include "model/result.h"
#include "report/svg_plots.h"

/* Whether several machines measured runs of one value each. What one machine measured has an order; the machines have
 * none. */
bool figure_by_machine(const struct measurement *m);

/* A series to plot: its runs, where a run has more than one value, or what each machine measured. Refers to the
 * measurement. */
struct plot_series figure_series(const struct measurement *m);

/* Where the warm-ups of such a series end: of runs over each other the longest, else that of each run that has more
 * values. Returns how many, at most FIGURE_APART. */
enum { FIGURE_APART = 3 }; /* runs one after the other; more of them lie over each other */
size_t figure_warmups(const struct measurement *m, const struct plot_series *plot, struct plot_mark *marks);

/* The values that count, warm-up left out; the caller frees them. -1: no memory. */
int figure_kept_values(const struct measurement *m, double **values, size_t *n);

/* The same as a series to plot, with the runs that are left; `kept` owns the memory. -1: no memory. `level`: runs of
 * more than one value are brought to the same mean, so that what differs between runs does not pass for dependence
 * inside them. */
struct figure_kept {
	double *values;
	uint32_t *starts;
};
int figure_kept_series(const struct measurement *m, bool level, struct plot_series *plot, struct figure_kept *kept);
void figure_kept_release(struct figure_kept *kept);

struct figure_pairs {
	struct plot_pairs plot;
	double *base, *new_;
};

/* Whether the two subjects were measured in pairs, value by value. */
bool figure_pairs_exist(const struct result *result, const struct comparison *comparison);
/* Whether the order inside each pair is known, and both orders occur. */
bool figure_orders_exist(const struct result *result, const struct comparison *comparison);

/* -1: no memory. */
int figure_pairs_of(const struct result *result, const struct comparison *comparison, struct figure_pairs *out);
void figure_pairs_release(struct figure_pairs *pairs);

/* The pair ratios in per cent, apart by order: two strips into *values, which the caller frees. -1: no memory. */
int figure_by_order(const struct result *result, const struct comparison *comparison, struct plot_strip strips[2],
                    double **values);

#endif
