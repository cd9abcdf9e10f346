/* A suite as a whole: its geometric mean, and whether it moved as one. */
#ifndef TARE_ANALYSIS_SUITE_H
#define TARE_ANALYSIS_SUITE_H

#include "model/result.h"

struct suite {
	size_t count; /* comparisons with a ratio */
	double
		ratio; /* geometric mean; NaN below one, for a base that several share, and for metrics with different directions */
	struct confidence
		ci; /* of it; none where one of them has none; for these benchmarks: what other benchmarks would show is not part of it */
	bool moved_together; /* nearly all moved the same way by about the same: machine, not code */
	double common_shift; /* median ratio; of metrics with different directions turned, above 1 is worse */
};

/* At the confidence that was asked for. `side`: the comparisons of one program's benchmarks alone; NO_SIDE: all. */
void suite_of(const struct result *result, size_t side, struct suite *out);

#endif
