#include "adapters/adapter.h"

#include "base/buffer.h"
#include "host/file.h"
#include "host/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct adapter google_adapter, go_adapter, pytest_adapter, catch2_adapter, criterion_adapter,
	nanobench_adapter, tinybench_adapter, mitata_adapter, jmh_adapter;

const struct adapter *const adapter_table[] = {
	&google_adapter,    &go_adapter,        &pytest_adapter, &catch2_adapter, &criterion_adapter,
	&nanobench_adapter, &tinybench_adapter, &mitata_adapter, &jmh_adapter,    NULL};

const struct adapter *adapter_by_name(const char *name)
{
	for (size_t i = 0; adapter_table[i]; i++)
		if (strcmp(adapter_table[i]->name, name) == 0)
			return adapter_table[i];
	return NULL;
}

const struct adapter *adapter_of(const struct adapter_program *program)
{
	/* A harness or a client of tare's is one, whatever else is linked to it. */
	if (adapter_has_text(program->text, program->length, "TARE_CHANNEL"))
		return NULL;
	for (size_t i = 0; adapter_table[i]; i++)
		if (adapter_table[i]->recognises(program))
			return adapter_table[i];
	return NULL;
}

enum { WORDS_MORE = 64 };

/* Grows by whole steps: one more place is always free for the NULL. */
static const char **grown(struct adapter_command *command, const char **list, size_t count)
{
	if (count % WORDS_MORE != 0)
		return list;
	const char **larger = arena_alloc(command->arena, count + WORDS_MORE + 1, sizeof(*larger));
	if (larger && count > 0)
		memcpy(larger, list, count * sizeof(*list));
	return larger;
}

static void add(struct adapter_command *command, const char ***list, size_t *count, const char *text)
{
	const char **larger = text ? grown(command, *list, *count) : NULL;
	if (!larger) {
		command->out_of_memory = true;
		return;
	}
	*list = larger;
	larger[(*count)++] = text;
	larger[*count] = NULL;
}

__attribute__((format(printf, 2, 0))) static char *print(struct adapter_command *command, const char *format,
                                                         va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = length < 0 ? NULL : arena_alloc(command->arena, (size_t)length + 1, 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

void adapter_word(struct adapter_command *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(command, &command->argv, &command->argc, print(command, format, args));
	va_end(args);
}

void adapter_words(struct adapter_command *command, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		add(command, &command->argv, &command->argc, words[i]);
}

void adapter_set(struct adapter_command *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(command, &command->env, &command->envc, print(command, format, args));
	va_end(args);
}

const char *adapter_path(struct adapter_command *command, const struct adapter_request *request, const char *name)
{
	const char *path = arena_printf(command->arena, "%s/%s", request->folder, name);
	command->out_of_memory |= !path;
	return path ? path : "";
}

const char *adapter_pattern(struct adapter_command *command, const char *const *keys, size_t count)
{
	struct buffer text = {0};
	for (size_t i = 0; i < count; i++) {
		buffer_text_add(&text, i ? "|" : "^(");
		for (const char *c = keys[i]; *c; c++) {
			if (strchr("\\^$.[|()*+?{", *c))
				buffer_char(&text, '\\');
			buffer_char(&text, *c);
		}
	}
	buffer_text_add(&text, ")$");
	const char *pattern = buffer_error(&text, NULL) == 0 ? arena_strdup(command->arena, buffer_text(&text)) : NULL;
	buffer_release(&text);
	command->out_of_memory |= !pattern;
	return pattern ? pattern : "";
}

bool adapter_has_text(const char *bytes, size_t length, const char *text)
{
	return length > 0 && memmem(bytes, length, text, strlen(text)) != NULL;
}

const char *adapter_base_name(const char *word)
{
	const char *slash = strrchr(word, '/');
	return slash ? slash + 1 : word;
}

const char *const *adapter_without_env(const char *const *words)
{
	const char *const *rest = words;
	if (strcmp(adapter_base_name(words[0]), "env") != 0)
		return words;
	for (rest++; *rest && strchr(*rest, '=') && (*rest)[0] != '-';)
		rest++;
	return *rest ? rest : words;
}

/* The value of the last setting of a variable before `end`; NULL: there is none. */
static const char *last_setting(const char *const *settings, const char *const *end, const char *name)
{
	size_t length = strlen(name);
	const char *value = NULL;
	for (; settings && settings != end && *settings; settings++)
		if (strncmp(*settings, name, length) == 0 && (*settings)[length] == '=')
			value = *settings + length + 1;
	return value;
}

const char *adapter_variable(const struct adapter_request *request, const char *name)
{
	const char *value = last_setting(request->words, adapter_without_env(request->words), name);
	if (!value)
		value = last_setting(request->env, NULL, name);
	return value ? value : getenv(name);
}

const char *adapter_write(struct adapter_command *command, const struct adapter_request *request, const char *name,
                          const char *text)
{
	struct host host = host_real();
	const char *path = adapter_path(command, request, name);
	if (!*path || file_write_whole(host.sys, path, text, strlen(text), NULL) != 0)
		return NULL;
	return path;
}
