#include "exchange/go_events.h"

#include "exchange/json_read.h"

#include <string.h>

bool go_is_events(const char *text)
{
	text += strspn(text, " \t\r\n");
	const char *key = *text == '{' ? strstr(text, "\"Action\":\"") : NULL;
	return key && key < text + strcspn(text, "\n");
}

/* What an event says beside its output: a package begins, or it or one of its tests ends. */
static void take_action(const struct node *event, struct buffer *text, bool *running)
{
	const char *action = node_get_text(event, "Action");
	if (!action)
		return;
	bool failed = strcmp(action, "fail") == 0 || strcmp(action, "build-fail") == 0;
	if (failed)
		buffer_text_add(text, text->length > 0 ? "\nFAIL\n" : "FAIL\n");
	if (strcmp(action, "start") == 0 || strcmp(action, "run") == 0)
		*running = true;
	else if ((failed || strcmp(action, "pass") == 0 || strcmp(action, "skip") == 0) && !node_get_text(event, "Test"))
		*running = false;
}

int go_events_add(const struct input *input, const char *line, size_t length, struct buffer *text, bool *running,
                  struct error *err)
{
	struct input one = {0};
	struct json_tree tree = {0};
	/* What a compiler says stands between the events of older versions. */
	if (length == 0 || line[0] != '{')
		return 0;
	int status = input_open_memory(&one, line, length, input->name, err);
	if (status == 0 && json_read(&one, &tree, err) != 0) {
		input_problem(input, input->line, 0, err, "this is not a complete event of 'go test -json'");
		status = error_next(err, "an interrupted run leaves half a line: remove it, or run it again");
	}
	const char *output = status == 0 ? node_get_text(&tree.root, "Output") : NULL;
	if (output)
		buffer_text_add(text, output);
	if (status == 0)
		take_action(&tree.root, text, running);
	json_tree_release(&tree);
	input_release(&one);
	return status == 0 ? buffer_error(text, err) : -1;
}
