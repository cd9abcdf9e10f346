/* Arguments and environment as arrays of pointers into the message. */
#include "host/plan.h"

#include "base/memory.h"

#include <string.h>
#include <unistd.h>

static int reserve_vectors(struct plan *plan, size_t count)
{
	if (count <= plan->vector_capacity)
		return 0;
	char **vectors = mem_resize(plan->vectors, count, sizeof(*vectors));
	if (!vectors)
		return -1;
	plan->vectors = vectors;
	plan->vector_capacity = count;
	return 0;
}

/* A variable of `size` more bytes, or NULL. */
static char *make_pad(struct plan *plan, size_t size)
{
	static const char name[] = "TARE_PAD=";
	size_t needed = sizeof(name) + size;
	if (needed > plan->pad_capacity) {
		char *pad = mem_resize(plan->pad, needed, 1);
		if (!pad)
			return NULL;
		plan->pad = pad;
		plan->pad_capacity = needed;
	}
	memcpy(plan->pad, name, sizeof(name) - 1);
	memset(plan->pad + sizeof(name) - 1, 'x', size);
	plan->pad[needed - 1] = '\0';
	return plan->pad;
}

static bool same_name(const char *variable, const char *other)
{
	size_t length = strcspn(other, "=");
	return strncmp(variable, other, length) == 0 && (variable[length] == '=' || variable[length] == '\0');
}

/* The lane's own environment, changed by `count` settings; returns the end of the list. */
static char **fill_environment(char **out, char **settings, size_t count)
{
	for (char **variable = environ; *variable; variable++) {
		bool replaced = same_name(*variable, "TARE_PAD");
		for (size_t i = 0; i < count && !replaced; i++)
			replaced = same_name(*variable, settings[i]);
		if (!replaced)
			*out++ = *variable;
	}
	for (size_t i = 0; i < count; i++)
		if (strchr(settings[i], '='))
			*out++ = settings[i];
	return out;
}

/* The next string of the body, or NULL when the body does not hold one. */
static char *next_string(char **at, const char *end)
{
	char *text = *at, *nul = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;
	if (nul)
		*at = nul + 1;
	return nul ? text : NULL;
}

static void take_descriptors(struct plan *plan, const struct wire_message *message)
{
	uint32_t used = 0;
	for (int i = 0; i < 3; i++) {
		bool given = plan->run->stdio[i] == STDIO_FILE || plan->run->stdio[i] == STDIO_CAPTURE;
		plan->stdio[i] = given && used < message->header.fd_count ? message->fds[used++] : -1;
	}
}

int plan_make(struct plan *plan, struct wire_message *message)
{
	if (message->header.size < sizeof(*plan->run))
		return -1;
	const struct wire_run *run = plan->run = (const void *)message->body;
	take_descriptors(plan, message);
	char *at = message->body + sizeof(*run), *end = message->body + message->header.size;
	size_t inherited = 0;
	while (environ[inherited])
		inherited++;
	size_t settings = (size_t)run->argc + 1 + inherited + run->envc + 2; /* place of the env settings */
	if (run->pad > COMMAND_PAD_MAX || run->argc > message->header.size || run->envc > message->header.size ||
	    reserve_vectors(plan, settings + run->envc) != 0)
		return -1;
	plan->path = next_string(&at, end);
	plan->directory = next_string(&at, end);
	plan->argv = plan->vectors;
	plan->env = plan->vectors + run->argc + 1;
	bool complete = plan->path && plan->directory;
	for (uint32_t i = 0; i < run->argc; i++)
		complete = (plan->argv[i] = next_string(&at, end)) && complete;
	for (uint32_t i = 0; i < run->envc; i++)
		complete = (plan->vectors[settings + i] = next_string(&at, end)) && complete;
	if (!complete)
		return -1;
	plan->argv[run->argc] = NULL;
	char **last = fill_environment(plan->env, plan->vectors + settings, run->envc);
	if (run->pad > 0 && !(*last++ = make_pad(plan, run->pad)))
		return -1;
	*last = NULL;
	return 0;
}
