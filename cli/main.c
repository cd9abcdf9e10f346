/* tare: which command, and the words around all of them. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

const struct command *const commands[] = {
	&command_run,
	&command_analyze,
	&command_compare,
	NULL,
};

static int show_help(void)
{
	puts("tare - weigh the code, not the machine\n"
	     "\n"
	     "usage: tare COMMAND [options] …\n"
	     "\n"
	     "commands:");
	for (size_t i = 0; commands[i]; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	puts("  help       help COMMAND: what a command does, with its options\n"
	     "\n"
	     "options:\n"
	     "      --help       this text\n"
	     "      --version    the version of tare");
	return 0;
}

static int no_command(const char *name)
{
	struct error err;
	error_set(&err, ERROR_USAGE, "there is no command '%.60s'", name);
	error_next(&err, "'tare --help' lists the commands");
	return message_error(&err);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		show_help();
		return 2;
	}
	const char *word = argv[1];
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		puts("tare " TARE_VERSION);
		return 0;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (strcmp(word, "help") == 0 && argc == 2))
		return show_help();
	if (strcmp(word, "help") == 0) {
		const struct command *command = command_find(argv[2]);
		return command ? message_help(command) : no_command(argv[2]);
	}
	const struct command *command = command_find(word);
	if (!command)
		return no_command(word);
	return command->main(command, argc - 1, argv + 1);
}
