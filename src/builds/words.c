#include "builds/words.h"

#include "host/file.h"

#include <string.h>

enum { MOST_FILES = 2000, LARGEST = 64 << 20 };

int words_add(struct words *words, const char *word, struct error *err)
{
	if (words->count + 1 >= words->room) {
		size_t room = words->room ? 2 * words->room : 64;
		const char **larger = arena_alloc(words->arena, room, sizeof(*larger));
		if (!larger)
			return error_memory(err);
		if (words->count)
			memcpy(larger, words->items, words->count * sizeof(*larger));
		words->items = larger;
		words->room = room;
	}
	words->items[words->count++] = word;
	words->items[words->count] = NULL;
	return 0;
}

/* false: it cannot be read, and the word means itself. */
static bool read_text(const struct host *host, const char *path, struct buffer *text)
{
	char piece[4096];
	long n = -1;
	if (file_kind(host->sys, path) == FILE_FOLDER)
		return false;
	int fd = file_open(host->sys, path, NULL);
	if (fd < 0)
		return false;
	buffer_init(text, LARGEST);
	while ((n = file_read(host->sys, fd, piece, sizeof(piece), NULL)) > 0)
		buffer_add(text, piece, (size_t)n);
	host->sys->close(fd);
	return n == 0 && !text->too_long && !text->out_of_memory;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* The next word of the text from *at on into `word`; false at its end. */
static bool next_word(const char **at, struct buffer *word)
{
	char quote = '\0';
	buffer_clear(word);
	while (is_space(**at))
		++*at;
	if (**at == '\0')
		return false;
	for (; **at && (quote || !is_space(**at)); ++*at) {
		if (**at == '\\' && (*at)[1])
			buffer_char(word, *++*at);
		else if (quote ? **at == quote : **at == '\'' || **at == '"')
			quote = quote ? '\0' : **at;
		else
			buffer_char(word, **at);
	}
	return true;
}

static int expand(struct words *words, const struct host *host, const char *word, size_t *files, struct error *err)
{
	struct buffer text = {0}, next = {0};
	if (word[0] != '@' || *files >= MOST_FILES || !read_text(host, word + 1, &text)) {
		buffer_release(&text);
		return words_add(words, word, err);
	}
	++*files;
	int status = 0;
	const char *at = buffer_text(&text);
	while (status == 0 && next_word(&at, &next)) {
		const char *copy = next.out_of_memory ? NULL : arena_strdup(words->arena, buffer_text(&next));
		status = copy ? expand(words, host, copy, files, err) : error_memory(err);
	}
	buffer_release(&text);
	buffer_release(&next);
	return status;
}

int words_expand(struct words *words, const struct host *host, const char *const *items, size_t count, bool *expanded,
                 struct error *err)
{
	size_t files = 0;
	for (size_t i = 0; i < count; i++)
		if (expand(words, host, items[i], &files, err) != 0)
			return -1;
	if (expanded)
		*expanded = files > 0;
	return 0;
}

void words_write(const char *const *items, size_t count, struct buffer *out)
{
	for (size_t i = 0; i < count; i++) {
		for (const char *c = items[i]; *c; c++) {
			if (is_space(*c) || *c == '\\' || *c == '\'' || *c == '"')
				buffer_char(out, '\\');
			buffer_char(out, *c);
		}
		buffer_text_add(out, items[i][0] ? "\n" : "\"\"\n");
	}
}
