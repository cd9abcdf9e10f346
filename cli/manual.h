/* The man pages as plain text, and the texts of cli/texts; made by scripts/make-manual. */
#ifndef TARE_CLI_MANUAL_H
#define TARE_CLI_MANUAL_H

struct manual_page {
	const char *name; /* "tare-run" */
	const unsigned char *text;
};

extern const struct manual_page manual_pages[]; /* ends with a name of NULL */

#endif
