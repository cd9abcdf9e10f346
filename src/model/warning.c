#include "model/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1024, SLOTS_LEAST = 16 };

/* FNV-1a over code and text. */
static uint64_t hash_of(const char *code, const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (const char *part = code;; part = text) {
		for (const char *c = part; *c; c++)
			hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
		if (part == text)
			return hash;
		hash = (hash ^ 0x1f) * 0x100000001b3u;
	}
}

/* The slot that holds this warning, or the free one where it belongs. */
static size_t slot_of(const struct result *result, const char *code, const char *text)
{
	size_t mask = result->warning_slot_count - 1, slot = hash_of(code, text) & mask;
	for (;; slot = (slot + 1) & mask) {
		uint32_t i = result->warning_slots[slot];
		if (i == 0 ||
		    (strcmp(result->warnings[i - 1].code, code) == 0 && strcmp(result->warnings[i - 1].text, text) == 0))
			return slot;
	}
}

/* The hash of all warnings, anew. */
static void hash_all(struct result *result)
{
	if (result->warning_slots)
		memset(result->warning_slots, 0, result->warning_slot_count * sizeof(*result->warning_slots));
	for (size_t i = 0; i < result->warning_count; i++)
		result->warning_slots[slot_of(result, result->warnings[i].code, result->warnings[i].text)] = (uint32_t)(i + 1);
}

/* Room for one more in the hash and in the array. Old copies stay in the arena until the end. */
static int make_room(struct result *result)
{
	size_t count = result->warning_count;
	if (2 * (count + 1) <= result->warning_slot_count)
		return 0;
	size_t slots = result->warning_slot_count ? 2 * result->warning_slot_count : SLOTS_LEAST;
	uint32_t *hash = arena_alloc(&result->arena, slots, sizeof(*hash));
	struct warning *all = arena_alloc(&result->arena, slots / 2, sizeof(*all));
	if (!hash || !all)
		return -1;
	if (count > 0)
		memcpy(all, result->warnings, count * sizeof(*all));
	result->warnings = all;
	result->warning_slots = hash;
	result->warning_slot_count = slots;
	hash_all(result);
	return 0;
}

static int add(struct result *result, const char *code, const char *about, const char *text)
{
	if (make_room(result) != 0)
		return -1;
	size_t slot = slot_of(result, code, text);
	if (result->warning_slots[slot] != 0)
		return 0;
	struct warning added = {arena_strdup(&result->arena, code), arena_strdup(&result->arena, text),
	                        about ? arena_strdup(&result->arena, about) : NULL};
	if (!added.code || !added.text || (about && !added.about))
		return -1;
	result->warnings[result->warning_count++] = added;
	result->warning_slots[slot] = (uint32_t)result->warning_count;
	return 0;
}

int result_warn(struct result *result, const char *code, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return add(result, code, NULL, text);
}

int result_about_vwarn(struct result *result, const char *code, const char *about, const char *format, va_list args)
{
	char text[TEXT_MAX];
	int used = snprintf(text, sizeof(text), "%.*s: ", TEXT_MAX / 2, about);
	vsnprintf(text + used, sizeof(text) - (size_t)used, format, args);
	return add(result, code, about, text);
}

int result_about_warn(struct result *result, const char *code, const char *about, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int status = result_about_vwarn(result, code, about, format, args);
	va_end(args);
	return status;
}

const char *warning_rest(const struct warning *warning)
{
	const char *rest = warning->about ? strstr(warning->text, ": ") : NULL;
	size_t length = warning->about ? strlen(warning->about) : 0;
	/* A name that was cut does not matter: then it is told as it stands. */
	return rest && strncmp(warning->text, warning->about, length) == 0 && strncmp(warning->text + length, ": ", 2) == 0
	           ? warning->text + length + 2
	           : warning->text;
}

int result_adopt_warning(struct result *to, const struct warning *warning)
{
	return add(to, warning->code, warning->about, warning->text);
}

void result_drop_warnings(struct result *result, size_t count)
{
	result->warning_count = count;
	hash_all(result);
}

int result_adopt_warnings(struct result *to, const struct result *from)
{
	for (size_t i = 0; i < from->warning_count; i++)
		if (result_adopt_warning(to, &from->warnings[i]) != 0)
			return -1;
	return 0;
}

int result_adopt_session_warnings(struct result *to, const struct result *from)
{
	static const char *const codes[] = {"design",   "failed",   "failures", "left-behind", "left-out",
	                                    "machine",  "metric",   "missing",  "monitor",     "moves",
	                                    "only-new", "only-old", "prints",   "skipped"};
	for (size_t i = 0; i < from->warning_count; i++)
		for (size_t k = 0; k < sizeof(codes) / sizeof(codes[0]); k++)
			if (strcmp(from->warnings[i].code, codes[k]) == 0 && result_adopt_warning(to, &from->warnings[i]) != 0)
				return -1;
	return 0;
}
