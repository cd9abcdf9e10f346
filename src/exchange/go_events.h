/* What 'go test -json' writes: an event a line, of which those with "Output" hold the text that 'go test' would print, in
 * pieces that end where a write did and not where a line does. */
#ifndef TARE_EXCHANGE_GO_EVENTS_H
#define TARE_EXCHANGE_GO_EVENTS_H

#include "base/buffer.h"
#include "exchange/input.h"

/* Whether the first line of the text is an event. */
bool go_is_events(const char *text);

/* Adds the output of the event that `input` returned as its last line to the text, and "FAIL" for one that tells a failure;
 * other lines have none. *running becomes whether tests have begun that have not ended. -1 and err: it begins like an event
 * and is none, or there is no memory. */
int go_events_add(const struct input *input, const char *line, size_t length, struct buffer *text, bool *running,
                  struct error *err);

#endif
