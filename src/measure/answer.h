/* A program's answer to a grant, from the shared mapping or from lines of text; both end in one struct tare_reply that
 * has been checked, or in the reason why it cannot be believed. Pure. */
#ifndef TARE_MEASURE_ANSWER_H
#define TARE_MEASURE_ANSWER_H

#include "base/error.h"
#include "tare/protocol.h"

#include <stddef.h>
#include <stdint.h>

/* Copies the answer out of the mapping. -1 with err->what: another sequence number, a wrong checksum, numbers or texts
 * that cannot be. `sent` is the grant and `head` the head that this side wrote there: they must still be there. */
int answer_from_map(const struct tare_map *map, const struct tare_map_head *head, const struct tare_grant *sent,
                    struct tare_reply *out, struct error *err);

/* Makes the reply an empty one to the grant, to be filled by lines. */
void answer_begin(struct tare_reply *reply, const struct tare_grant *grant);

enum answer_line {
	ANSWER_MORE, /* taken; more to come */
	ANSWER_DONE, /* the last line: status and reason are set */
	ANSWER_BAD,  /* it is malformed; err->what */
};

/* One line of a text answer; the line is changed. */
enum answer_line answer_take_line(struct tare_reply *reply, char *line, struct error *err);

/* The words after "run": count, metrics and counters of a grant; 256 bytes hold them. Returns `text`. */
char *answer_run_words(const struct tare_grant *grant, char *text, size_t size);

#endif
