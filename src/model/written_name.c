#include "base/buffer.h"
#include "model/result.h"

#include <ctype.h>
#include <string.h>

/* What a longer word or number goes on with. */
static bool goes_on(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '.' || c == '_' || c == '-';
}

/* Also behind the dashes of an option, "--size=10". */
static bool begins(const char *name, const char *at)
{
	while (at > name && at[-1] == '-')
		at--;
	return at == name || !goes_on(at[-1]);
}

bool name_has_part(const char *name, const char *part)
{
	for (const char *at = name; (at = strstr(at, part)) != NULL; at++)
		if ((!goes_on(*part) || begins(name, at)) && !goes_on(at[strlen(part)]))
			return true;
	return false;
}

void subject_written_name(const struct subject *subject, bool alone, struct buffer *out)
{
	buffer_clear(out);
	buffer_text_add(out, subject->name);
	for (size_t i = 0; i < subject->parameter_count && !(alone && subject->command); i++) {
		struct buffer part = {0};
		buffer_printf(&part, "%s=%s", subject->parameters[i].name, subject->parameters[i].value);
		if (part.out_of_memory)
			out->out_of_memory = true;
		else if (!name_has_part(subject->name, buffer_text(&part)))
			buffer_printf(out, " %s", buffer_text(&part));
		buffer_release(&part);
	}
}
