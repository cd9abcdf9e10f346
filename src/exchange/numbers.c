/* A bare JSON array of numbers (runs), or of arrays of numbers (runs × iterations). */
#include "exchange/formats.h"

#include <math.h>

static bool matches(const struct node *root)
{
	return root->type == NODE_NUMBERS || root->type == NODE_ROWS;
}

static int read(struct import *import, const struct node *root)
{
	struct unit_scale scale;
	struct subject *subject = result_add_subject(import->out, import->name);
	struct measurement *metric = subject ? import_metric_in(import, subject, "value", import->options->unit, &scale)
	                                     : NULL;
	if (!metric)
		return error_memory(import->err);
	for (size_t r = 0; r < node_length(root); r++) {
		struct node run = node_item(root, r);
		bool nested = node_is_array(&run), begun = false;
		for (size_t i = 0; i < (nested ? node_length(&run) : 1); i++) {
			struct node item = nested ? node_item(&run, i) : run;
			double value = node_number(&item);
			if (import_value(import, metric, begun ? 1 : 0, units_convert(&scale, value)) != 0)
				return -1;
			begun |= isfinite(value);
		}
	}
	return 0;
}

const struct json_format numbers_format = {"numbers", matches, read};
