/* Splitting of commands. What is accepted gives the words that /bin/sh gives, which the test asks for itself. */
#include "measure/words.h"

#include "base/memory.h"
#include "support/known.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The words with brackets around each: <a><b>. */
static void join(const char **words, char *out, size_t size)
{
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0; words[i]; i++)
		used += (size_t)snprintf(out + used, size - used, "<%s>", words[i]);
}

/* What the shell makes of it. */
static void ask_shell(const char *command, char *out, size_t size)
{
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char script[1024];
		snprintf(script, sizeof(script), "printf '<%%s>' %s", command);
		dup2(fds[1], 1);
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	ssize_t n, used = 0;
	while ((n = read(fds[0], out + used, size - 1 - (size_t)used)) > 0)
		used += n;
	out[used] = '\0';
	close(fds[0]);
	waitpid(pid, NULL, 0);
}

static void as_the_shell_does(void **state)
{
	(void)state;
	static const char *const commands[] = {
		"a",
		"a b",
		"  a\t b  ",
		"'a b' c",
		"\"a b\" c",
		"a\\ b",
		"a'b'\"c\"d",
		"''",
		"\"\"",
		"a '' b",
		"'it'\\''s'",
		"\"say \\\"hi\\\"\"",
		"\"back\\\\slash\"",
		"\"\\n\"",
		"'\\n'",
		"\\n",
		"\"a\\$b\"",
		"'$HOME'",
		"\\$HOME",
		"'*'",
		"\"*\"",
		"\\*",
		"x a=b=c",
		"'|' '&' ';' '<' '>'",
		"x a~b",
		"x a#b",
		"-e 's/a b/c/'",
		"--x=\"a b\"",
		"a\\\nb",
		"\"a\\\nb\"",
		"'a\nb'",
		"x [ ]",
		"x a]",
		"\xc3\xa9 '\xe2\x82\xac'",
		"a$ b",
		"\"a$\" b",
		"{} {a,b}",
		"x !",
		"%d",
		"a:b @c ^d",
		"\\\\",
	};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct arena arena = {0};
		struct error err = {0};
		size_t count;
		char ours[1024], theirs[1024];
		const char **words = words_split(&arena, commands[i], &count, &err);
		if (!words)
			fail_msg("%s: %s", commands[i], err.what);
		join(words, ours, sizeof(ours));
		ask_shell(commands[i], theirs, sizeof(theirs));
		if (strcmp(ours, theirs) != 0)
			fail_msg("%s: %s instead of %s", commands[i], ours, theirs);
		arena_release(&arena);
	}
}

static void refuses_what_needs_a_shell(void **state)
{
	(void)state;
	static const char *const commands[] = {
		"a | b",  "a|b",   "a & b",  "a && b", "a; b",    "a > b", "a < b", "a 2>&1",     "(a)", "a `b`",
		"a $(b)", "a $B",  "a ${B}", "\"$B\"", "\"`b`\"", "a *",   "a ?.c", "a [ab].c",   "~/a", "a ~/b",
		"# a",    "a # b", "a\nb",   "A=b c",  "_A1= c",  "a $1",  "a $?",  "a \"${x}\"",
	};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct arena arena = {0};
		struct error err = {0};
		size_t count = 77;
		assert_null(words_split(&arena, commands[i], &count, &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.next, "--shell"));
		assert_string_equal(err.on, commands[i]);
		assert_int_equal(count, 77);
		arena_release(&arena);
	}
}

static void refuses_broken_quotes_and_nothing(void **state)
{
	(void)state;
	static const char *const commands[] = {"'a", "a'", "\"a", "a \"b\\\"", "'", "", "  ", "\t"};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct arena arena = {0};
		struct error err = {0};
		size_t count;
		assert_null(words_split(&arena, commands[i], &count, &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.what, i < 5 ? "not closed" : "empty"));
		if (i < 5) /* which a shell would not close either */
			assert_null(strstr(err.next, "shell"));
		arena_release(&arena);
	}
}

static void memory_runs_out(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct error err = {0};
	size_t count;
	mem_fail_at(1);
	assert_null(words_split(&arena, "a b", &count, &err));
	mem_fail_at(0);
	assert_int_equal(err.kind, ERROR_MEMORY);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_the_shell_does),
		cmocka_unit_test(refuses_what_needs_a_shell),
		cmocka_unit_test(refuses_broken_quotes_and_nothing),
		cmocka_unit_test(memory_runs_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
