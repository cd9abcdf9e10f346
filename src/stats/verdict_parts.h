/* The parts of a verdict at one look: intervals at any alpha, and the alpha at which an effect is shown. */
#ifndef TARE_STATS_VERDICT_PARTS_H
#define TARE_STATS_VERDICT_PARTS_H

#include "stats/verdict.h"

/* Of alpha, at every number of pairs alike; a total without pairs has all of it. */
double parts_weight_of_total(const struct verdict_evidence *evidence);
#define PARTS_WEIGHT_OF_TYPICAL (3.0 / 8)
#define PARTS_WEIGHT_OF_SHARE   (1.0 / 8)

/* The interval of a part at an alpha of its own, the constant that it has there, and whether it has no bound. A total
 * may have no interval at all: then as total_interval(). */
enum stats_status parts_total(const struct verdict_evidence *evidence, double alpha, double *c, struct interval *out);
enum stats_status parts_typical(const struct verdict_evidence *evidence, double alpha, double *c, struct interval *out);
enum stats_status parts_share(const struct verdict_evidence *evidence, double alpha, double *c, struct interval *out);

/* The smallest alpha at which the part excludes no effect. */
double parts_total_p(const struct verdict_evidence *evidence);
double parts_typical_p(const struct verdict_evidence *evidence);
double parts_share_p(const struct verdict_evidence *evidence);

/* The same for lying beyond a limit, in the direction of `sign`. */
double parts_total_beyond_p(const struct verdict_evidence *evidence, int sign, double limit);
double parts_typical_beyond_p(const struct verdict_evidence *evidence, int sign, double limit);
double parts_share_beyond_p(const struct verdict_evidence *evidence, double limit);

#endif
