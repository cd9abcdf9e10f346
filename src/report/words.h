/* The sentences: what a result says, in the same words in the terminal, Markdown and HTML. */
#ifndef TARE_REPORT_WORDS_H
#define TARE_REPORT_WORDS_H

#include "base/buffer.h"
#include "model/result.h"

/* A word of a command line, quoted for a shell if necessary. */
void words_argument(const char *word, struct buffer *out);

/* "new is 1.8 % slower than old (1.6 % to 2.0 %, 99 %)", "new is the same as old within 1 % (…)",
 * "cannot tell yet whether …": the verdict of one comparison, without a final dot. */
void words_verdict(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* The name that both have, as the two versions of a benchmark do, and a benchmark of a suite in two programs; else NULL. */
const char *words_shared_name(const struct result *result, const struct comparison *comparison);

/* Whether nothing but the subjects differs, as far as is known: neither machine nor settings nor design. */
bool words_is_firm(const struct result *result);

/* The word for a difference: times and rates are faster or slower; memory, faults, energy and the like are better or
 * worse. */
const char *words_difference(const struct result *result, const struct comparison *comparison);

/* Whether a rank test compared them: its ratio is that of medians, not of totals, and has no interval. */
bool words_by_ranks(const struct comparison *comparison);

/* How it was measured: "212 pairs in 11 units, turns on CPU 1". */
void words_effort(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* Why it was measured and judged this way: "judged by cpu: …; turns: …"; nothing for imported data. */
void words_choice(const struct result *result, const char *metric, struct buffer *out);

/* The size of the effect: "A is faster than B by 5.5 % ± 2.5 % (99 %)", or that the ratio is unbounded. */
void words_effect(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* If a comparison without pairs is less precise than its margin: a line that says how many units of each side would be
 * enough (Kalibera and Jones, eq. 6); otherwise nothing. */
void words_needed(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* Why it is undecided, in one line without a newline: which number, what would decide it, how long that would take. */
void words_reason(const struct comparison *comparison, struct buffer *out);

/* Decimal places of slow shares in per cent: what their interval resolves. */
int words_share_digits(const struct comparison *comparison);

/* "about 20 s more would decide it", with `before` in front. */
void words_more_time(const struct comparison *comparison, const char *before, struct buffer *out);

/* What "same" does not cover, in one line: the total if it is not resolved, and rare slow runs that may have been missed. */
void words_reservation(const struct comparison *comparison, struct buffer *out);

/* For a duet: how much each side is slowed down, and by how much the CPUs differ, with `between` between the two; a line, or
 * nothing. */
void words_company(const struct comparison *comparison, const char *between, struct buffer *out);
/* For a suite in duets: the benchmark that is slowed down most, as a line; or nothing. */
void words_company_most(const struct result *result, struct buffer *out);

/* Further sentences below the verdict, one per line: how many runs it would take, what is less precise. */
void words_beside(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* Above a factor of 1.5 a ratio is printed as a factor: percentages are hard to read there. */
bool words_is_factor(double ratio);

/* A ratio as a change: 1.018 gives "+1.8 %"; digits from the interval's half-width. */
void words_change(double ratio, double low, double high, struct buffer *out);

/* A ratio above 0 whose factor is too large to be told: it is "more than 1e15 times" as much, or as little. */
bool words_out_of_range(double ratio);

/* An interval about no change that is wider than ± 100 %, or reaches below 0: it is not printed but said. */
bool words_says_nothing(const struct confidence *ci);

/* "[+1.6 %, +2.0 %]", in per cent or as factors, however wide. */
void words_ends(const struct confidence *ci, struct buffer *out);

/* "[+1.6 %, +2.0 %]", "wider than ± 100 %", "unbounded" or "-". */
void words_change_interval(const struct confidence *ci, struct buffer *out);

/* Both, or the change alone if there is no interval, as for a rank test. */
void words_change_with_interval(double ratio, const struct confidence *ci, struct buffer *out);

/* The number that a verdict rests on, if there is room for only one: the total if it alone decided, or alone lies within
 * the margin, or is known better while nothing is decided; otherwise typical. `in` is " in total" if typical is another
 * number, otherwise "". */
struct told_number {
	double ratio;
	const struct confidence *ci;
	const char *in;
};
struct told_number words_told(const struct comparison *comparison);

/* The verdict rests on slow runs: no ratio lies beyond the margin. */
bool words_by_share(const struct comparison *comparison);

/* What disturbed the measurement: "23 % of the runs were preempted, steal 3 %", if `brief` only the first of these; nothing
 * if it was too little to matter (shares of 1 % and more of steal or memory pressure, 5 % of runs, 10 % of CPU or
 * I/O pressure). */
void words_disturbance(const struct result *result, bool brief, struct buffer *out);

/* "limited by disk:sda (busy) at 97 %, …; watched on CPU 1 at 10 Hz, overhead 0.2 % ± 0.1 %"; nothing without
 * --monitor. If the result is invalid, a warning says so instead. */
void words_monitoring(const struct result *result, struct buffer *out);

/* "this machine can detect 0.4 % in 10 s (a CPU-bound program in turns; calibrated 2026-01-02)"; nothing if it is not
 * known. */
void words_calibration(const struct result *result, struct buffer *out);

/* What level i of a measurement adds: "run 10: sd 2.1 % (1.2 % to 5.0 %); ignoring runs would claim ± 0.4 % instead of
 * ± 1.3 %". */
void words_level(const struct measurement *m, size_t i, struct buffer *out);

/* Warm-up and steady state with the evidence, and which iterations are used; nothing if tare did not look for them. */
void words_steady(const struct measurement *m, struct buffer *out);

/* "stop rule auto: 449 checks, 0.0042 % of the time"; nothing if the time of the checks was not measured. */
void words_stop_cost(const struct result *result, struct buffer *out);

/* How the result came about: design, levels, intervals, stop; sentences that can be copied into a paper. */
void words_methods(const struct result *result, struct buffer *out);

/* What the gate over all comparisons says: "the gate of 2 % stays open: new: 20 of 30 values of wall are infinite";
 * nothing without a gate. */
void words_gate(const struct result *result, struct buffer *out);
/* Of that, why it is not held. */
void words_gate_reason(const struct result *result, struct buffer *out);

/* The same for one comparison. */
void words_gate_of(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* The same for all comparisons, as a paragraph of Markdown. */
void words_gate_markdown(const struct result *result, struct buffer *out);

/* The last line of a gate: verdict: WORD ratio=… low=… high=… confidence=99 gate=held limit=2%, and, if there are
 * several, name=… of the worst. `level` is used if no comparison has one. */
void words_gate_line(const struct result *result, double level, struct buffer *out);

#endif
