/* A bare JSON array of numbers (runs), or of arrays of numbers (runs × iterations); or an object of such arrays, each a
 * subject. */
#include "exchange/formats.h"

#include <math.h>

static bool is_list(const struct node *node)
{
	return node->type == NODE_NUMBERS || node->type == NODE_ROWS;
}

static bool matches(const struct node *root)
{
	bool lists = node_is_object(root) && root->count > 0;
	for (size_t i = 0; lists && i < root->count; i++)
		lists = is_list(&root->members[i].value);
	return lists || is_list(root);
}

static int read_list(struct import *import, const char *name, const struct node *root)
{
	struct unit_scale scale;
	struct subject *subject = result_add_subject(import->out, name);
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

static int read(struct import *import, const struct node *root)
{
	int status = 0;
	if (is_list(root))
		status = read_list(import, import->name, root);
	for (size_t i = 0; node_is_object(root) && status == 0 && i < root->count; i++)
		status = read_list(import, root->members[i].key, &root->members[i].value);
	if (node_is_object(root) && status == 0)
		import_direction_of_names(import);
	return status;
}

const struct json_format numbers_format = {"numbers", matches, read};
