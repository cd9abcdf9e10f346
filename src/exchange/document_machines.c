#include "exchange/document_machines.h"

#include "exchange/fields.h"

#include <math.h>
#include <string.h>

static void put_machine(struct json_writer *writer, const struct machine_info *machine)
{
	json_put_object_line(writer);
	fields_write(writer, machine_info_fields, machine);
	if (machine->order) {
		json_put_key(writer, "order");
		json_put_array_line(writer);
		for (size_t i = 0; i < machine->order_count; i++)
			json_put_text(writer, machine->order[i]);
		json_end_array(writer);
	}
	json_end_object(writer);
}

void document_put_machines(struct json_writer *writer, const struct result *result)
{
	const struct design_info *design = &result->design;
	struct machine_info here = {.id = result->host.id,
	                            .name = result->host.node,
	                            .cpu = result->host.cpu,
	                            .cpus = result->host.cpus,
	                            .results = 1};
	if (design->machine_count == 0 && !here.id)
		return;
	json_put_key(writer, "machines");
	json_put_array(writer);
	if (design->machine_count == 0)
		put_machine(writer, &here);
	for (size_t i = 0; i < design->machine_count; i++)
		put_machine(writer, &design->machines[i]);
	json_end_array(writer);
}

void document_put_machines_result(struct json_writer *writer, const struct result *result, const struct comparison *c)
{
	const struct machines_result *machines = c->machines;
	if (!machines)
		return;
	json_put_key(writer, "machines");
	json_put_object(writer);
	fields_write(writer, machines_fields, machines);
	json_put_key(writer, "odd");
	if (machines->odd < machines->count && machines->each[machines->odd].machine < result->design.machine_count)
		json_put_text(writer, result->design.machines[machines->each[machines->odd].machine].id);
	else
		json_put_null(writer);
	json_put_key(writer, "strata");
	json_put_array(writer);
	for (size_t i = 0; i < machines->stratum_count; i++) {
		json_put_object_line(writer);
		fields_write(writer, machine_stratum_fields, &machines->strata[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_put_key(writer, "each");
	json_put_array(writer);
	for (size_t i = 0; i < machines->count; i++) {
		json_put_object_line(writer);
		fields_write(writer, machine_ratio_fields, &machines->each[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

static int read_order(const struct node *object, struct arena *arena, struct machine_info *machine, struct error *err)
{
	struct node order = node_get(object, "order");
	size_t n = node_length(&order);
	if (!node_is_array(&order) || n == 0)
		return 0;
	machine->order = arena_alloc(arena, n, sizeof(*machine->order));
	if (!machine->order)
		return error_memory(err);
	machine->order_count = n;
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&order, i);
		const char *text = node_text(&item);
		machine->order[i] = text ? arena_strdup(arena, text) : "";
		if (!machine->order[i])
			return error_memory(err);
	}
	return 0;
}

/* A result of one machine has its id in `host`; the list is then no news. */
int document_read_machines(const struct node *design, struct arena *arena, struct design_info *out, struct error *err)
{
	struct node machines = node_get(design, "machines");
	size_t n = node_length(&machines);
	bool level = out->level_count > 0 && out->levels[0] == LEVEL_MACHINE;
	if (!node_is_array(&machines) || n == 0 || !level)
		return 0;
	size_t room = 1; /* a power of two, as machines_add wants it */
	while (room < n)
		room *= 2;
	out->machines = arena_alloc(arena, room, sizeof(*out->machines));
	if (!out->machines)
		return error_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&machines, i);
		struct machine_info *machine = &out->machines[i];
		if (fields_read(&item, machine_info_fields, machine, arena, err) != 0 ||
		    read_order(&item, arena, machine, err) != 0)
			return -1;
		machine->id = machine->id ? machine->id : "";
	}
	out->machine_count = n;
	return 0;
}

static int read_strata(const struct node *strata, struct arena *arena, struct machines_result *machines,
                       struct error *err)
{
	size_t n = node_length(strata);
	machines->strata = arena_alloc(arena, n, sizeof(*machines->strata));
	if (!machines->strata)
		return error_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(strata, i);
		machines->strata[i].ratio = NAN;
		if (fields_read(&item, machine_stratum_fields, &machines->strata[i], arena, err) != 0)
			return -1;
		machines->strata[i].name = machines->strata[i].name ? machines->strata[i].name : "";
	}
	machines->stratum_count = n;
	return 0;
}

static int read_each(const struct node *each, struct result *result, const char *odd, struct machines_result *machines,
                     struct error *err)
{
	size_t n = node_length(each);
	machines->each = arena_alloc(&result->arena, n, sizeof(*machines->each));
	if (!machines->each)
		return error_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(each, i);
		struct machine_ratio *one = &machines->each[i];
		one->ratio = one->total = one->share = NAN;
		if (fields_read(&item, machine_ratio_fields, one, &result->arena, err) != 0)
			return -1;
		/* Of a table the machines are numbers, and no list says more of them. */
		if (result->design.machine_count == 0)
			continue;
		if (one->machine >= result->design.machine_count)
			return error_set(err, ERROR_INPUT, "a comparison on a machine that is not there");
		if (odd && strcmp(result->design.machines[one->machine].id, odd) == 0)
			machines->odd = i;
	}
	machines->count = n;
	return 0;
}

int document_read_machines_result(const struct node *comparison, struct result *result, struct comparison *out,
                                  struct error *err)
{
	struct node object = node_get(comparison, "machines");
	if (!node_is_object(&object))
		return 0;
	struct node strata = node_get(&object, "strata"), each = node_get(&object, "each");
	struct machines_result *machines = arena_alloc(&result->arena, 1, sizeof(*machines));
	if (!machines)
		return error_memory(err);
	machines->sd = machines->depends_p = machines->odd_p = machines->without = NAN;
	machines->odd = SIZE_MAX;
	if (fields_read(&object, machines_fields, machines, &result->arena, err) != 0 ||
	    read_strata(&strata, &result->arena, machines, err) != 0 ||
	    read_each(&each, result, node_get_text(&object, "odd"), machines, err) != 0)
		return -1;
	machines->statement = machines->statement ? machines->statement : "these";
	out->machines = machines;
	return 0;
}
