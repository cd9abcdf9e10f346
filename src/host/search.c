/* PATH, and the words for programs that do not start. */
#include "host/search.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_program(const struct host *host, const char *file, bool *denied)
{
	struct stat status;
	if (host->sys->stat(file, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	if (host->sys->access(file, X_OK) == 0)
		return true;
	*denied = true;
	return false;
}

/* Words that only a shell knows; some of them exist as programs too, and then are found. */
static bool is_shell_word(const char *name)
{
	static const char *const words[] = {".",       ":",     "[[",    "alias", "bg",     "case",  "cd",   "command",
	                                    "declare", "eval",  "exec",  "exit",  "export", "fg",    "for",  "function",
	                                    "hash",    "if",    "jobs",  "let",   "local",  "pushd", "popd", "read",
	                                    "return",  "set",   "shift", "shopt", "source", "time",  "trap", "type",
	                                    "ulimit",  "umask", "until", "unset", "wait",   "while"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return false;
}

static int not_found(const struct host *host, const char *name, bool denied, struct error *err)
{
	char here[4096];
	bool not_executable = false;
	error_set(err, ERROR_SUBJECT, denied ? "the program may not be executed" : "there is no such program");
	error_on(err, "%s", name);
	if (denied)
		return error_next(err, "make it executable: chmod +x");
	if (is_shell_word(name))
		return error_next(err, "'%.40s' is built into the shell: add --shell default", name);
	if ((size_t)snprintf(here, sizeof(here), "./%s", name) < sizeof(here) && is_program(host, here, &not_executable))
		return error_next(err, "for the program in this folder type ./%.100s", name);
	if (not_executable)
		return error_next(err, "to run the file in this folder: chmod +x %.60s, then ./%.60s", name, name);
	return error_next(err, "check the spelling and PATH");
}

int search_program(const struct host *host, const char *name, const char *path, char *out, size_t size,
                   struct error *err)
{
	bool denied = false;
	if (strchr(name, '/')) {
		if ((size_t)snprintf(out, size, "%s", name) >= size)
			return error_system(err, ENAMETOOLONG, "the name of the program is too long");
		return 0;
	}
	if (!path)
		path = getenv("PATH");
	if (!path || !path[0])
		path = "/usr/bin:/bin";
	for (const char *folder = path; name[0] && folder; folder = strchr(folder, ':') ? strchr(folder, ':') + 1 : NULL) {
		int length = (int)strcspn(folder, ":");
		/* An empty folder is this one. */
		int used = length ? snprintf(out, size, "%.*s/%s", length, folder, name) : snprintf(out, size, "./%s", name);
		if (used > 0 && (size_t)used < size && is_program(host, out, &denied))
			return 0;
	}
	return not_found(host, name, denied, err);
}

/* The interpreter of a script: what stands behind "#!", or "". */
static void read_interpreter(const struct host *host, const char *file, char *out, size_t size)
{
	char head[256] = "";
	int fd = host->sys->open(file, 0, 0);
	ssize_t n = fd >= 0 ? host->sys->read(fd, head, sizeof(head) - 1) : -1;
	if (fd >= 0)
		host->sys->close(fd);
	out[0] = '\0';
	if (n < 3 || head[0] != '#' || head[1] != '!')
		return;
	head[n] = '\0';
	const char *name = head + 2 + strspn(head + 2, " \t");
	snprintf(out, size, "%.*s", (int)strcspn(name, " \t\r\n"), name);
}

static int explain_missing(const struct host *host, const char *program, struct error *err)
{
	struct stat status;
	char interpreter[256];
	if (host->sys->stat(program, &status) != 0)
		return error_full(err, ERROR_SUBJECT, program,
		                  "check the path; a relative path starts at the command's working directory",
		                  "there is no such program");
	read_interpreter(host, program, interpreter, sizeof(interpreter));
	if (interpreter[0])
		return error_full(err, ERROR_SUBJECT, program, "correct its first line or install the interpreter",
		                  "the interpreter of the script, '%.100s', is missing", interpreter);
	return error_full(err, ERROR_SUBJECT, program,
	                  "it may be built for another system: 'file' and 'ldd' say what it needs",
	                  "a library or the loader that the program needs is missing");
}

int search_explain(const struct host *host, const char *program, int errnum, struct error *err)
{
	struct stat status;
	switch (errnum) {
	case ENOENT:
		return strchr(program, '/') ? explain_missing(host, program, err) : not_found(host, program, false, err);
	case EACCES:
	case EPERM:
		if (host->sys->stat(program, &status) == 0 && S_ISDIR(status.st_mode)) {
			error_set(err, ERROR_SUBJECT, "this is a folder, not a program");
			error_next(err, "name the program in it");
			break;
		}
		error_system(err, errnum, "the program cannot be started");
		error_next(err, "make it executable (chmod +x), and look for a 'noexec' mount");
		break;
	case ENOEXEC:
		error_system(err, errnum, "the program cannot be started");
		error_next(err, "a script needs a first line such as #!/bin/sh, or use --shell default");
		break;
	case E2BIG:
		error_system(err, errnum, "the program cannot be started");
		error_next(err, "arguments and environment are too long for this system; a single one may have 128 KiB");
		break;
	case ETXTBSY:
		error_system(err, errnum, "the program cannot be started");
		error_next(err, "somebody is writing to it: wait until the build has finished");
		break;
	case EAGAIN:
	case ENOMEM:
		error_system(err, errnum, "no process could be made for the program");
		error_next(err, "the limit of processes (ulimit -u) or the memory is used up");
		break;
	default: error_system(err, errnum, "the program cannot be started"); break;
	}
	if (err)
		err->kind = ERROR_SUBJECT;
	return error_on(err, "%s", program);
}

const char *search_next_word(struct arena *arena, const char **at)
{
	const char *from = *at + strspn(*at, " \t\n");
	bool quoted = *from == '\'' || *from == '"';
	size_t length = quoted ? strcspn(from + 1, *from == '"' ? "\"" : "'") : strcspn(from, " \t\n");
	const char *word = arena_strndup(arena, from + quoted, length);
	*at = from + quoted + length;
	*at += quoted && **at;
	return word;
}

const char *search_first_word(struct arena *arena, const char *command)
{
	return search_next_word(arena, &command);
}

int search_seen_from(const struct host *host, const char *word, const char *directory, char *path, size_t size)
{
	if (!directory || word[0] == '/' || !strchr(word, '/'))
		return search_program(host, word, NULL, path, size, NULL);
	return (size_t)snprintf(path, size, "%s/%s", directory, word) < size ? 0 : -1;
}
