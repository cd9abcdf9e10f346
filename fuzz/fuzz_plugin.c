/* A libFuzzer target for what plug-ins of the monitor print. A reading that is understood is written and understood
 * again. */
#include "monitor/protocol.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void again(const struct protocol_line *line)
{
	struct gauge_reading reading = {.component = line->component,
	                                .quantity = line->quantity,
	                                .unit = line->unit,
	                                .kind = line->gauge,
	                                .value = line->value};
	struct buffer out = {0};
	struct protocol_line back;
	protocol_reading(&out, &reading);
	if (buffer_error(&out, NULL) == 0) {
		char *text = strdup(buffer_text(&out));
		if (text) {
			text[strcspn(text, "\n")] = '\0';
			protocol_parse(text, &back);
			/* Names may double in length when they are written; a line that is too long for it is refused. */
			if (back.kind != PROTOCOL_READING && strlen(text) < PROTOCOL_LINE)
				abort();
			if (back.kind == PROTOCOL_READING &&
			    (strcmp(back.component, line->component) != 0 || back.gauge != line->gauge))
				abort();
		}
		free(text);
	}
	buffer_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *text = malloc(length + 1), *rest = text, *line;
	if (!text)
		return 0;
	memcpy(text, bytes, length);
	text[length] = '\0';
	while ((line = strsep(&rest, "\n")) != NULL) {
		struct protocol_line parsed;
		protocol_parse(line, &parsed);
		if (parsed.kind == PROTOCOL_READING && !isfinite(parsed.value))
			abort();
		if (parsed.kind == PROTOCOL_CAPACITY && !(parsed.value > 0 && isfinite(parsed.value)))
			abort();
		if (parsed.kind == PROTOCOL_READING)
			again(&parsed);
	}
	free(text);
	return 0;
}
