#include "builds/tool.h"

#include "base/format.h"
#include "host/search.h"

#include <string.h>

/* Inside a hook these name the repository, the index and the folder that git is working on for the user. */
#define OTHER_REPOSITORY "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"

static int explain(const struct host *host, const struct command_request *request, const struct command_report *report,
                   struct error *err)
{
	char limit[32];
	switch ((enum command_result)report->result) {
	case COMMAND_EXITED: return error_set(err, ERROR_SUBJECT, "exit %d", report->code);
	case COMMAND_SIGNALED:
	case COMMAND_STOPPED:
		return error_set(err, ERROR_SUBJECT, "killed by signal %d (%s)", report->code, strsignal(report->code));
	case COMMAND_CANCELLED: return error_set(err, ERROR_INTERRUPTED, "interrupted");
	case COMMAND_TIMED_OUT:
		return error_set(err, ERROR_SUBJECT, "it took longer than %s",
		                 format_duration(limit, sizeof(limit), request->timeout));
	case COMMAND_NOT_STARTED:
		if (report->stage == START_PROGRAM)
			return search_explain(host, request->path, report->code, err);
		error_system(err, report->code,
		             report->stage == START_DIRECTORY ? "its folder cannot be entered" : "it cannot be started");
		return request->directory ? error_on(err, "%s", request->directory) : -1;
	default: return error_set(err, ERROR_SUBJECT, "it was lost");
	}
}

static int run(const struct tool *tool, const struct command_request *request, struct command_report *report,
               struct error *err)
{
	if (spawner_run(tool->spawner, request, 1, tool->cancel, report, err) != 0)
		return -1;
	return report->result == COMMAND_EXITED ? 0 : explain(spawner_host(tool->spawner), request, report, err);
}

static void trim(struct buffer *text)
{
	while (text->length > 0 && text->data[text->length - 1] == '\n')
		text->data[--text->length] = '\0';
}

int tool_git(const struct tool *tool, const char *directory, const char *const *words, struct buffer *out,
             struct buffer *said, struct error *err)
{
	enum { MOST = 16 };
	static const char *const env[] = {OTHER_REPOSITORY, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", NULL};
	const char *argv[MOST + 4] = {"git", "-c", "core.hooksPath=/dev/null"};
	char path[4096];
	struct command_report report;
	struct command_request request = {.path = path, .argv = argv, .env = env, .directory = directory};
	for (size_t i = 0; i < MOST && words[i]; i++)
		argv[3 + i] = words[i];
	if (search_program(spawner_host(tool->spawner), "git", NULL, path, sizeof(path), err) != 0)
		return error_next(err, "install git, or build both sides yourself and name them");
	buffer_clear(out);
	buffer_clear(said);
	request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = out};
	request.stdio[2] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = said};
	if (run(tool, &request, &report, err) != 0)
		return -1;
	trim(out);
	trim(said);
	return report.code;
}

int tool_shell(const struct tool *tool, const char *directory, const char *command, const char *const *variables,
               int log, struct error *err)
{
	enum { MOST = 24 };
	static const char *const others[] = {OTHER_REPOSITORY};
	const char *env[MOST + 1] = {NULL};
	const char *const argv[] = {"sh", "-c", command, NULL};
	struct command_report report;
	struct command_request request = {
		.path = "/bin/sh", .argv = argv, .env = env, .directory = directory, .timeout = tool->timeout};
	size_t count = sizeof(others) / sizeof(others[0]);
	memcpy(env, others, sizeof(others));
	for (; variables && *variables && count < MOST; variables++)
		env[count++] = *variables;
	request.stdio[1] = (struct command_stdio){.mode = STDIO_FILE, .fd = log};
	request.stdio[2] = (struct command_stdio){.mode = STDIO_SAME};
	if (run(tool, &request, &report, err) != 0)
		return -1;
	return report.code == 0 ? 0 : explain(spawner_host(tool->spawner), &request, &report, err);
}
