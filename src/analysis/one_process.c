#include "analysis/one_process.h"

#include "stats/independence.h"

#include <string.h>

enum { THOUSAND = 1000 }; /* values: nobody starts a process so often to write bare numbers down */

/* One value in each run, without a name or a unit, of which neither runs nor pairs are known. */
static bool is_bare_list(const struct measurement *m)
{
	const struct series *series = &m->series;
	return strcmp(m->metric.name, "value") == 0 && m->metric.unit[0] == '\0' && series->depth == 2 &&
	       series->groups[0] == series->n && !series->pair_key && !series->run_key && m->stated->n < 2 &&
	       series->n >= THOUSAND;
}

int one_process_find(struct result *result, struct subject *subject, struct measurement *m, struct error *err)
{
	struct independence found;
	struct series *series = &m->series;
	if (!is_bare_list(m) || result->design.paired || result->design.order_count > 0)
		return 0;
	enum stats_status status = independence_test(series->values, series->n, &found);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status != STATS_OK || !found.dependent)
		return 0;
	series->groups[0] = 1;
	series->starts[0][1] = (uint32_t)series->n;
	if (result_about_warn(
			result, "one-process", subject_title(subject),
			"%zu values that depend on each other are taken as the iterations of one run; if each is a run, "
			"name the runs: --columns run=COLUMN",
			series->n) != 0)
		return error_memory(err);
	return 0;
}
