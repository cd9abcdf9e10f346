/* Graphs in YAML: what is read, and what is refused with words. */
#include "exchange/graph_yaml.h"

#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_text(const char *text, struct arena *arena, struct graph *graph, bool *replace, struct error *err)
{
	char *folder = fake_root(), path[512];
	fake_file(folder, "/graph.yaml", text);
	snprintf(path, sizeof(path), "%s/graph.yaml", folder);
	*graph = (struct graph){0};
	int status = graph_yaml_read(path, arena, graph, replace, err);
	fake_remove(folder);
	free(folder);
	return status;
}

static void test_read(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct graph graph;
	struct error err = {0};
	bool replace = false;
	assert_int_equal(
		read_text("replace: true\n"
	              "components:\n  - name: disk:sda\n    detail: the old one\n  - name: gpu\n    kind: card\n"
	              "links:\n  - from: command\n    to: disk:sda\n    gauge: disk:sda.write\n    capacity: 200MB\n"
	              "    back: disk:sda.read\n    back-capacity: 1GB/s\n  - from: command\n    to: gpu\n",
	              &arena, &graph, &replace, &err),
		0);
	assert_true(replace);
	assert_int_equal(graph.node_count, 3);
	assert_string_equal(graph.nodes[0].kind, "disk");
	assert_string_equal(graph.nodes[0].detail, "the old one");
	assert_string_equal(graph.nodes[1].kind, "card");
	assert_int_equal(graph.link_count, 4);
	assert_string_equal(graph.links[0].gauge, "disk:sda.write");
	assert_true(graph.links[0].capacity == 200e6);
	assert_string_equal(graph.links[1].gauge, "disk:sda.read");
	assert_true(graph.links[1].capacity == 1e9);
	assert_true(isnan(graph.links[2].capacity));
	assert_int_equal(read_text("links: []\n", &arena, &graph, &replace, &err), 0);
	assert_false(replace);
	arena_release(&arena);
}

static void test_refused(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"components:\n  - kind: disk\n",                  /* without a name */
		"links:\n  - from: a\n",                          /* leads nowhere */
		"links:\n  - {from: a, to: b, capacity: fast}\n", /* no size */
		"links:\n  - {from: a, to: b, capacity: -5}\n",
		"wrong: 1\n", /* an unknown key */
		"components: 5\n",
		"links: [\n",
		"\tx\n",
		"- a\n",
		"a: &a [*a, *a]\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct arena arena = {0};
		struct graph graph;
		struct error err = {0};
		bool replace = false;
		assert_int_equal(read_text(texts[i], &arena, &graph, &replace, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.on, "graph.yaml"));
		assert_true(err.what[0] != '\0');
		arena_release(&arena);
	}
	struct arena arena = {0};
	struct graph graph = {0};
	struct error err = {0};
	bool replace;
	assert_int_equal(graph_yaml_read("/nowhere/x.yaml", &arena, &graph, &replace, &err), -1);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
