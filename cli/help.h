/* tare help: commands, topics, and whole man pages where man is missing. */
#ifndef TARE_CLI_HELP_H
#define TARE_CLI_HELP_H

/* argv[0] is "help"; the exit code. */
int help_main(int argc, char **argv);

/* The commands with a line each; the exit code. */
int help_overview(void);

/* "there is no command …", with the nearest one; the exit code. */
int help_no_command(const char *name);

#endif
