#include "cli/commands.h"

#include "cli/message.h"

int act(const struct command *command, int argc, char **argv, void *options, command_work *work)
{
	SCOPED(text_list) struct text_list arguments = {0};
	struct error err;
	bool help;
	int code = options_parse(command, argc, argv, options, NULL, &arguments, &help, &err);
	if (code == 0)
		code = help ? message_help(command) : work(options, &arguments, &err);
	if (code < 0)
		code = message_error(&err);
	options_release(command, options);
	return code;
}
