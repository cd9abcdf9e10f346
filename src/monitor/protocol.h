/* The line protocol between a monitor and those that watch for it: plug-ins, and tare on another machine.
 *
 *	tare-monitor 1
 *	capacity COMPONENT QUANTITY BYTES-PER-SECOND
 *	use|share|rate|level COMPONENT QUANTITY VALUE [UNIT]
 *	link FROM TO
 *	unseen TEXT
 *	sample SECONDS                     (ends what was seen at that time)
 *
 * Names hold no blanks: blanks, control characters and '%' are written as %XX. A line has at most PROTOCOL_LINE bytes;
 * what cannot be understood is an error of that line alone. */
#ifndef TARE_MONITOR_PROTOCOL_H
#define TARE_MONITOR_PROTOCOL_H

#include "base/buffer.h"
#include "model/monitoring.h"

enum { PROTOCOL_LINE = 512 };

void protocol_head(struct buffer *out);
void protocol_reading(struct buffer *out,
                      const struct gauge_reading *reading); /* nothing where the value is not known */
void protocol_unseen(struct buffer *out, const char *text);
void protocol_sample(struct buffer *out, double seconds);

enum protocol_kind {
	PROTOCOL_HEAD,
	PROTOCOL_READING,
	PROTOCOL_CAPACITY,
	PROTOCOL_LINK,
	PROTOCOL_UNSEEN,
	PROTOCOL_SAMPLE,
	PROTOCOL_NOTHING, /* an empty line or a comment that begins with '#' */
	PROTOCOL_NONSENSE,
};

struct protocol_line {
	enum protocol_kind kind;
	enum gauge_kind gauge;      /* of a reading */
	char component[GAUGE_NAME]; /* of a link: from */
	char other[GAUGE_NAME];     /* of a link: to */
	char quantity[GAUGE_WORD], unit[GAUGE_WORD];
	double value;   /* finite; of a capacity more than 0, of a use 0 to 1000 */
	char text[200]; /* of unseen */
};

/* Reads one line without its newline. Allocates nothing. */
void protocol_parse(const char *line, struct protocol_line *out);

#endif
