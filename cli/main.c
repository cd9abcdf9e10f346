/* tare: which command, and the words around all of them. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/cc_stage.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/message.h"
#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {
	&command_run,     &command_bench,   &command_plan,   &command_analyze,
	&command_compare, &command_report,  &command_doctor, &command_calibrate,
	&command_history, &command_fleet,   &command_export, &command_monitor,
	&command_init,    &command_predict, &command_cc,     NULL,
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

static const char *nearest_command(const char *name)
{
	enum { FARTHEST = 2 };
	const char *nearest = NULL;
	size_t best = FARTHEST + 1;
	for (size_t i = 0; commands[i]; i++) {
		size_t d = text_distance(name, commands[i]->name);
		if (d < best && d < strlen(name)) {
			best = d;
			nearest = commands[i]->name;
		}
	}
	return nearest;
}

static int no_command(const char *name)
{
	struct error err;
	const char *nearest = nearest_command(name);
	error_set(&err, ERROR_USAGE, "there is no command '%.60s'", name);
	if (nearest)
		error_next(&err, "did you mean 'tare %s'? 'tare --help' lists the commands", nearest);
	else if (strpbrk(name, "/ "))
		error_next(&err, "to measure a program: tare run '%.150s'", name);
	else
		error_next(&err, "'tare --help' lists the commands");
	return message_error(&err);
}

/* For tests and the build: --options [COMMAND] lists a table, --completion SHELL prints a script. */
static int help_for_programs(const char *what, const char *of)
{
	struct buffer text = {0};
	struct error err;
	int failed = 0;
	if (strcmp(what, "--completion") == 0)
		failed = completion_script(of ? of : "", &text, &err);
	else if (of && !command_find(of))
		return no_command(of);
	else
		completion_options(of ? command_find(of) : NULL, &text);
	if (!failed)
		failed = message_print(&text, &err);
	buffer_release(&text);
	return failed ? message_error(&err) : 0;
}

/* tare help [COMMAND] */
static int help(int argc, char **argv)
{
	if (argc == 1 || strcmp(argv[1], "--help") == 0)
		return show_help();
	if (strcmp(argv[1], "--options") == 0 || strcmp(argv[1], "--completion") == 0)
		return help_for_programs(argv[1], argc > 2 ? argv[2] : NULL);
	const struct command *command = command_find(argv[1]);
	return command ? message_help(command) : no_command(argv[1]);
}

/* Success is what has reached its reader, whole: standard output may be full, and a line may be missing for want of
 * memory. */
static int finish(int code)
{
	struct error err;
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		error_system(&err, errno, "cannot write to standard output");
		interrupt_if_unread(STDOUT_FILENO);
	} else if (mem_ran_out()) {
		error_memory(&err);
	} else {
		return code;
	}
	return code == 0 ? message_error(&err) : code;
}

static int run(int argc, char **argv)
{
	if (argc > 0 && cc_stage_is_meant(argv[0]))
		return cc_stage_main(argc, argv);
	/* A file that would grow past the limit of this process is told as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		show_help();
		return 2;
	}
	const char *word = argv[1];
	if (strcmp(word, "__load") == 0)
		return load_main(argc - 1, argv + 1);
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		puts("tare " TARE_VERSION);
		return 0;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return show_help();
	if (strcmp(word, "help") == 0)
		return help(argc - 1, argv + 1);
	const struct command *command = command_find(word);
	if (!command)
		return no_command(word);
	return command->main(command, argc - 1, argv + 1);
}

/* Descriptors 0 to 2 must exist, or what is opened first would take their places. */
static int fill_standard_files(void)
{
	struct error err;
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF || open("/dev/null", O_RDWR) == fd)
			continue;
		error_system(&err, errno, "cannot be opened");
		error_on(&err, "/dev/null");
		return message_error(&err);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int code = fill_standard_files();
	if (code != 0)
		return code;
	return finish(run(argc, argv));
}
