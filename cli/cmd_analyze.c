/* tare analyze: statistics of data that exists already. */
#include "cli/commands.h"
#include "cli/message.h"

#include <stdio.h>

struct analyze_options {
	const char *json;
};

static const struct option analyze_options[] = {
	{0, "json", "FILE", OPTION_TEXT, offsetof(struct analyze_options, json), "write the result document ('-': standard output)", 0, 0, NULL, 0},
	{0},
};

static int analyze_main(const struct command *command, int argc, char **argv)
{
	struct analyze_options options = {0};
	struct text_list files = {0};
	struct error err;
	bool help;
	int code = 0;
	if (options_parse(command, argc, argv, &options, &files, &help, &err) != 0)
		code = message_error(&err);
	else if (help) {
		struct buffer text = {0};
		options_help(command, &text);
		code = message_print(&text, &err) == 0 ? 0 : message_error(&err);
		buffer_release(&text);
	}
	text_list_release(&files);
	options_release(command, &options);
	return code;
}

const struct command command_analyze = {
	.name = "analyze",
	.summary = "statistics of measurements that exist already",
	.usage = "tare analyze [options] [FILE…]",
	.about = "Reads measurements and says what they show.",
	.options = analyze_options,
	.main = analyze_main,
};
