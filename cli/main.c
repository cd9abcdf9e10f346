/* tare: which command, and the words around all of them. */
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "host/interrupt.h"
#include "machine/load.h"
#include "cli/message.h"
#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
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
	/* Whoever started tare may ignore it, and that survives execve: children would vanish before they are waited for. */
	signal(SIGCHLD, SIG_DFL);
	if (argc > 0 && cc_stage_is_meant(argv[0]))
		return cc_stage_main(argc, argv);
	/* A file that would grow past the limit of this process is told as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		help_overview();
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
		return help_overview();
	if (strcmp(word, "help") == 0)
		return help_main(argc - 1, argv + 1);
	const struct command *command = command_find(word);
	if (!command)
		return help_no_command(word);
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
	/* Large blocks always go back to the system when they are freed. By itself glibc takes them from the heap after the
	 * first one is freed, and what reading a table of a million subjects left free there would not be used again. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	int code = fill_standard_files();
	if (code != 0)
		return code;
	return finish(run(argc, argv));
}
