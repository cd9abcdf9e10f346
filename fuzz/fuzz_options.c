/* A libFuzzer target for command lines: a command, then its arguments, with NUL or newline between them. They are
 * parsed, not run. */
#include "cli/options.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, ROOM = 1 << 14 /* more than the options of any command */ };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	alignas(max_align_t) static char target[ROOM];
	char *text = malloc(length + 1), *words[WORDS_MAX + 1];
	int count = 0;
	bool help = false;
	struct text_list arguments = {0};
	struct error err = {0};
	if (!text)
		return 0;
	memcpy(text, bytes, length);
	text[length] = '\0';
	for (char *at = text, *end = text + length; at <= end && count < WORDS_MAX; at += strlen(at) + 1) {
		char *newline = strchr(at, '\n');
		if (newline)
			*newline = '\0';
		words[count++] = at;
	}
	words[count] = NULL;
	const struct command *command = command_find(words[0]);
	if (command) {
		memset(target, 0, sizeof(target));
		if (options_parse(command, count, words, target, NULL, &arguments, &help, &err) != 0 &&
		    (err.kind != ERROR_USAGE && err.kind != ERROR_MEMORY))
			abort();
		options_release(command, target);
		text_list_release(&arguments);
	}
	free(text);
	return 0;
}
