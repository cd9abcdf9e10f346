/* The sections of a page. For html_*.c alone. */
#ifndef TARE_REPORT_HTML_PARTS_H
#define TARE_REPORT_HTML_PARTS_H

#include "report/figures.h"
#include "report/html.h"

struct html {
	struct buffer *out;
	const struct html_result *item;
	const struct result *result; /* that of item, with names of a length that can be shown */
	size_t number;               /* of the result on the page, from 1: part of identifiers */
	size_t figures;              /* drawn so far: the next one's identifier */
	bool plain;                  /* drawings without a title for each mark */
	bool listed;                 /* the page has a table of a history's results besides */
	struct error *err;
	bool failed; /* err is set */
};

enum html_span { HTML_THIRD, HTML_HALF, HTML_FULL }; /* of the page's width on a wide screen */

/* Comparisons up to which each is told with every plot. */
enum { HTML_FEW = 12, HTML_NAME = 72 /* columns of a name in a sentence */ };

const char *html_style(void);
const char *html_script(void);
const char *html_script_hash(void); /* base64 of its SHA-256, for the page's security policy */

/* What stands around the sections of every page. */
void html_begin(struct buffer *out, const struct html_page *page);
void html_end(struct buffer *out);

/* <element class="…">text</element>; class NULL: none. The text is escaped. */
void html_element(struct html *html, const char *element, const char *class_, const char *text);
/* The sentence as running text: escaped. */
void html_text(struct html *html, const char *text);
/* As html_element of what someone may copy, a command for example: byte by byte as it is. */
void html_exact(struct html *html, const char *element, const char *class_, const char *text);
void html_raw(struct html *html, const char *markup); /* our own markup alone, never a text of a result */

/* As buffer_release() and buffer_clear(), for text on its way into the page: what it lost for want of memory, the page
 * lost. */
void html_release(struct html *html, struct buffer *text);
void html_clear(struct html *html, struct buffer *text);

/* <dt>label</dt><dd>text</dd>; nothing when the text is NULL or empty. */
void html_fact(struct html *html, const char *label, const char *text);
void html_fact_exact(struct html *html, const char *label, const char *text); /* the text as by html_exact() */
void html_factf(struct html *html, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A plot with its caption, where there is something to draw; points 0: as many as suit. */
void html_figure(struct html *html, const struct figure_source *source, enum figure figure, enum html_span span,
                 size_t points);

/* The metric that a page is about: what was compared, else a performance index that was asked for, else the first. */
const char *html_metric(const struct result *result);

/* CSS class of a verdict: "faster", … */
const char *html_verdict_class(enum verdict verdict);

/* What all subjects are: "benchmarks", "commands", or "subjects". */
const char *html_kind(const struct result *result);

/* "1.23 ms (1.20 to 1.26 ms, 95 %)" */
void html_add_estimate(double value, const struct confidence *ci, const char *unit, struct buffer *out);

void html_machines(struct html *html, const struct comparison *comparison); /* where the machine is a level */
void html_verdict(struct html *html);                                       /* the answer, first of all */
void html_benchmarks(struct html *html); /* several comparisons or subjects: one row each */
void html_plots(struct html *html);
void html_diagnostics(struct html *html); /* folded */ /* plots of each comparison or subject */
void html_comparison_plots(struct html *html, const struct comparison *comparison);
void html_subject_plots(struct html *html, size_t subject, const char *metric);
void html_monitoring(struct html *html);    /* what limited, where that was watched */
void html_numbers(struct html *html);       /* every metric of every subject */
void html_circumstances(struct html *html); /* host, disturbance, method, notes */
/* `alone`: the page has nothing else, so that its summary is the page's first heading. */
void html_history(struct html *html, const struct history *history, bool alone);
/* A history as small as a word; `change` (or NULL) is a vertical line in it. */
void html_spark(struct html *html, const struct history_series *series, const struct history_change *change);
void html_data(struct html *html); /* the raw data */

#endif
