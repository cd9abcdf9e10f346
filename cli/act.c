#include "cli/act.h"

#include "cli/message.h"

int act(const struct command *command, int argc, char **argv, void *options, command_work *work)
{
	struct text_list arguments = {0};
	struct error err;
	bool help;
	int code = 0;
	if (options_parse(command, argc, argv, options, NULL, &arguments, &help, &err) != 0)
		code = message_error(&err);
	else if (help)
		code = message_help(command);
	else if (work(options, &arguments, &err) != 0)
		code = message_error(&err);
	text_list_release(&arguments);
	options_release(command, options);
	return code;
}
