/* Short forms for tests that start commands. */
#ifndef TARE_TESTS_HOST_COMMANDS_H
#define TARE_TESTS_HOST_COMMANDS_H

#include "host/proc.h"
#include "host/spawner.h"
#include "support/known.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SUBJECT TESTS_PROGRAMS "/subject"
#define NOOP    TESTS_PROGRAMS "/noop"

/* The words of a command that starts the test subject. */
#define WORDS(...) ((const char *const[]){SUBJECT, __VA_ARGS__, NULL})

static inline struct command_request request_for(const char *const *argv)
{
	return (struct command_request){.path = argv[0], .argv = argv};
}

/* Runs one command and fails the test when the spawner fails. */
static inline struct command_report run_request(struct spawner *spawner, const struct command_request *request)
{
	struct command_report report;
	struct error err = {0};
	if (spawner_run(spawner, request, 1, -1, &report, &err) != 0) {
		char text[1024];
		error_text(&err, text, sizeof(text));
		fail_msg("%s", text);
	}
	return report;
}

static inline struct command_report run_words(struct spawner *spawner, const char *const *argv)
{
	struct command_request request = request_for(argv);
	return run_request(spawner, &request);
}

/* The output of a command without its last newline; free it. */
static inline char *output_of(struct spawner *spawner, struct command_request request)
{
	struct buffer out = {0};
	request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
	struct command_report report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_EXITED);
	char *text = strdup(buffer_text(&out));
	size_t length = strlen(text);
	if (length > 0 && text[length - 1] == '\n')
		text[length - 1] = '\0';
	buffer_release(&out);
	return text;
}

static inline int count_open_files(void)
{
	int count = 0;
	DIR *folder = opendir("/proc/self/fd");
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

/* Whether a process is there and not a zombie. */
static inline bool is_running(pid_t pid)
{
	struct host host = host_real();
	struct proc_stat stat;
	return pid > 0 && proc_stat(&host, pid, &stat) == 0 && stat.state != 'Z' && stat.state != 'X';
}

/* Waits for a condition for at most ten seconds; true when it came. */
#define wait_until(condition) \
	__extension__({ \
		struct timespec step_ = {.tv_nsec = 1000000}; \
		int left_ = 10000; \
		while (!(condition) && left_-- > 0) \
			nanosleep(&step_, NULL); \
		left_ >= 0; \
	})

/* The process ids in a file, one a line. */
static inline size_t read_pids(const char *path, pid_t *out, size_t max)
{
	size_t n = 0;
	FILE *file = fopen(path, "r");
	int pid;
	while (file && n < max && fscanf(file, "%d", &pid) == 1)
		out[n++] = pid;
	if (file)
		fclose(file);
	return n;
}

#endif
