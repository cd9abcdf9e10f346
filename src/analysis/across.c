#include "analysis/across.h"

#include "analysis/matching.h"
#include "model/pairing.h"

#include <string.h>

struct across {
	struct result *result;
	uint32_t sets; /* measurements or couples that were numbered */
	size_t aligned, dropped;
	uint32_t *twice;
};

/* The order inside the pairs that stayed. */
static void keep_order(struct design_info *design, const struct pairing *pairing)
{
	if (!pairing->kept)
		return;
	for (size_t i = 0; i < pairing->kept_count && pairing->kept[i] < design->order_count; i++)
		design->order[i] = design->order[pairing->kept[i]];
	design->order_count = design->order_count < pairing->kept_count ? design->order_count : pairing->kept_count;
}

/* Two series of one metric, each of which has keys. */
static int align(struct across *across, struct measurement *base, struct measurement *new_, const char *name,
                 struct error *err)
{
	struct series *both[] = {&base->series, &new_->series};
	struct pairing pairing;
	int status = pairing_align(both, 2, &pairing, err);
	if (status < 0) {
		*across->twice = pairing.twice;
		return -1;
	}
	if (status == 0)
		return result_about_warn(across->result, "pairs", name, "the two files have no pair in common: not paired") == 0
		           ? 0
		           : error_memory(err);
	new_->pair_set = base->pair_set;
	across->dropped += pairing.dropped;
	if (across->aligned++ == 0)
		keep_order(&across->result->design, &pairing);
	pairing_release(&pairing);
	return 0;
}

static int align_couple(struct across *across, const struct couple *couple, struct error *err)
{
	struct subject *base = &across->result->subjects[couple->base], *new_ = &across->result->subjects[couple->new_];
	for (size_t m = 0; m < base->metric_count; m++) {
		struct measurement *a = &base->metrics[m], *b = matching_metric(new_, a->metric.name, m);
		if (b && a->series.pair_key && b->series.pair_key && strcmp(a->metric.unit, b->metric.unit) == 0 &&
		    align(across, a, b, subject_title(base), err) != 0)
			return -1;
	}
	return 0;
}

int analyse_across(struct result *result, const struct couple *couples, size_t count, uint32_t *twice,
                   struct error *err)
{
	struct across across = {.result = result, .twice = twice};
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			result->subjects[s].metrics[m].pair_set = across.sets++;
	for (size_t i = 0; i < count; i++)
		if (align_couple(&across, &couples[i], err) != 0)
			return -1;
	result->design.paired = across.aligned > 0;
	if (across.aligned != 1 || count != 1) {
		result->design.order = NULL;
		result->design.order_count = 0;
	}
	if (across.dropped > 0 &&
	    result_warn(result, "partnerless", "%zu value%s no partner in the other file and %s left out", across.dropped,
	                across.dropped == 1 ? " has" : "s have", across.dropped == 1 ? "is" : "are") != 0)
		return error_memory(err);
	return 0;
}
